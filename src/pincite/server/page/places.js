// A place in a file as a person would name it; the same words as on the command line.

import { oneLine } from "./dom.js";

/** `page 12 (xii), lines 3-4` and the like; the lines where the text is the file itself. */
export function placeWords(place, lines) {
  return place ? words(place) : range("line", lines.start, lines.end);
}

/** `Returns › How long you have`; empty where there is no heading. */
export function headingWords(path) {
  return path.map(oneLine).join(" › ");
}

function words(place) {
  switch (place.kind) {
    case "pages":
      return place.pages.map(page).join(" and ");
    case "cells":
      return join(
        place.sheet && `sheet ${oneLine(place.sheet)}`,
        place.cells,
        named("row", place.row),
        named("column", place.column),
      );
    case "slides":
      return join(
        range("slide", place.first, place.last) + (place.notes ? " notes" : ""),
        named("", place.title),
      );
    case "paragraphs":
      return join(
        place.part === "body" ? "" : place.part,
        ...["table", "row", "column"].map((name) => place[name] && `${name} ${place[name]}`),
        range("paragraph", place.first, place.last),
      );
    case "elements":
      return join(place.id && `#${oneLine(place.id)}`, oneLine(place.path));
    case "nodes":
      return oneLine(place.path) || "the whole";
    case "notebook":
      return join(range("cell", place.first, place.last), place.source);
    case "time":
      return join(`${clock(place.start)}-${clock(place.end)}`, oneLine(place.speaker));
    case "chapter":
      return join(`chapter ${place.number}`, named("", place.title), within(place));
    case "message":
      return join(
        place.number > 1 ? `message ${place.number}` : "",
        `${place.part} ${oneLine(place.name)}`.trim() || "message",
        within(place),
      );
    case "member":
      return join(`in ${oneLine(place.path)}`, within(place));
    default:
      return place.kind;
  }
}

function page(one) {
  const label = one.label && one.label !== String(one.number) ? ` (${oneLine(one.label)})` : "";
  return join(
    `page ${one.number}${label}`,
    one.first_line ? range("line", one.first_line, one.last_line) : "",
    one.recognised ? "recognised from a picture" : "",
  );
}

function within(place) {
  return place.within ? words(place.within) : "";
}

function named(what, name) {
  return name ? `${what} '${oneLine(name)}'`.trim() : "";
}

function range(what, first, last) {
  return first === last ? `${what} ${first}` : `${what}s ${first}-${last}`;
}

function clock(milliseconds) {
  const padded = (number, width = 2) => String(number).padStart(width, "0");
  const seconds = Math.floor(milliseconds / 1000);
  const minutes = Math.floor(seconds / 60);
  const time = [Math.floor(minutes / 60), minutes % 60, seconds % 60].map((one) => padded(one));
  return `${time.join(":")}.${padded(milliseconds % 1000, 3)}`;
}

function join(...parts) {
  return parts.filter(Boolean).join(", ");
}
