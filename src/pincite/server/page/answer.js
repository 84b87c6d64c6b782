// An answer or a refusal as it is read: the quotes, and in the margin where each one stands.

import { clip, counted, el, oneLine, visible } from "./dom.js";
import { headingWords, placeWords } from "./places.js";

const NEAREST_WORDS = 320;

/** What a confidence means, in words. */
export function sureness(confidence) {
  if (confidence >= 0.9) return "Very sure";
  if (confidence >= 0.75) return "Sure";
  if (confidence >= 0.5) return "Fairly sure";
  return "Not sure";
}

/**
 * The article of a record. `turn` holds its collection, record, and number in the conversation;
 * `open(collection, place)` shows a place in its document; `actions` stand below.
 */
export function answerArticle(turn, open, ...actions) {
  const { record, collection } = turn;
  const title = `asked-${turn.number}`;
  const refused = record.status === "refused";
  return el(
    "article",
    { class: refused ? "reply refused" : "reply", "aria-labelledby": title },
    el(
      "header",
      { class: "leaf-head" },
      el("p", { class: "margin label" }, collection.title),
      el("h2", { id: title, class: "asked", tabindex: "-1", dir: "auto" }, visible(record.question)),
    ),
    stale(record.stale),
    refused ? refusal(record) : answer(turn, open),
    nearby(turn, open),
    ...actions,
  );
}

function answer({ record, collection }, open) {
  const shown = [];
  let asked = "";
  let number = 0;
  for (const citation of record.citations) {
    number += 1;
    if (citation.role === "also") {
      shown.at(-1).querySelector(".also").append(placeLink(citation, collection, open, number));
      shown.at(-1).querySelector(".also").hidden = false;
      continue;
    }
    const parts = citation.parts.map(oneLine).join(" / ");
    if (parts !== asked && parts) shown.push(el("h3", { class: "part", dir: "auto" }, parts));
    asked = parts;
    shown.push(quotation(citation, collection, open, number));
  }
  for (const part of record.unanswered_parts) {
    shown.push(
      el("h3", { class: "part", dir: "auto" }, oneLine(part)),
      el("p", { class: "says-not" }, "The documents do not say."),
    );
  }
  return [verdict(record), conflicts(record, collection, open), el("div", { class: "quotes" }, ...shown)];
}

function quotation(citation, collection, open, number) {
  return el(
    "div",
    { class: "row" },
    el(
      "div",
      { class: "margin" },
      placeLink(citation, collection, open, number),
      el("div", { class: "also", hidden: true }, el("span", { class: "label" }, "The same words also in")),
    ),
    el(
      "figure",
      { class: "quotation" },
      citation.cells ? cells(citation.cells) : null,
      // Of a row that is shown as its cells, how the file writes it comes second.
      el("blockquote", { dir: "auto", class: citation.cells ? "written" : null }, visible(citation.quote.exact)),
      ...(citation.warnings || []).map(warning),
    ),
  );
}

/** A link that opens a citation, or a passage, in its document. */
export function placeLink(cited, collection, open, number = 0) {
  const where = placeWords(cited.place, cited.lines);
  const headings = headingWords(cited.heading_path);
  const link = el(
    "a",
    {
      class: "place",
      href: placeAddress(cited, collection.name),
      onclick: (event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        open(collection.name, cited, link);
      },
    },
    number ? el("span", { class: "number" }, `${number} `) : null,
    el("span", { class: "file", dir: "auto" }, breakable(cited.document.path)),
    el("span", { class: "where", dir: "auto" }, where),
    headings ? el("span", { class: "headings", dir: "auto" }, headings) : null,
  );
  return link;
}

/** The address that shows a place in its document. */
export function placeAddress(cited, collection) {
  const query = new URLSearchParams({
    show: cited.document.path,
    collection,
    at: `${cited.position.start},${cited.position.end}`,
  });
  return `#${query}`;
}

/** A path that may be broken behind its slashes. */
export function breakable(path) {
  return oneLine(path).split(/(?<=\/)/).flatMap((part, at) => (at ? [el("wbr"), part] : [part]));
}

function verdict(record) {
  const of = Math.floor(record.confidence * 100);
  const whose = record.calibration
    ? "on the questions this collection was tried with"
    : "on the public questions it was tried with";
  const sure = sureness(record.confidence);
  return el(
    "p",
    { class: `verdict ${sure === "Not sure" ? "doubt" : ""}` },
    el("strong", {}, sure === "Not sure" ? "Not sure: read what stands around it" : sure),
    el("span", { class: "share" }, ` Confidence ${(of / 100).toFixed(2)}: of 100 such answers about ${of} were right ${whose}.`),
  );
}

function cells(words) {
  const pairs = words.split("; ").map((pair) => pair.split(/: (.*)/s));
  if (pairs.some((pair) => pair.length < 2)) return el("p", { class: "cells", dir: "auto" }, oneLine(words));
  return el(
    "dl",
    { class: "cells", "aria-label": "The cells of this row" },
    ...pairs.map(([name, value]) => el("div", {}, el("dt", { dir: "auto" }, oneLine(name)), el("dd", { dir: "auto" }, oneLine(value)))),
  );
}

const WARNINGS = {
  qualified: "But it goes on",
  governed: "Said under",
  superseded: "Marked as replaced",
  repealed: "Marked as repealed",
  draft: "Marked as a draft",
  example: "Given as an example",
  quotation: "The document quotes these words itself",
};

function warning({ kind, words }) {
  return el(
    "p",
    { class: "warning" },
    el("strong", {}, `${WARNINGS[kind] || kind}${words ? ": " : "."}`),
    words ? el("q", { dir: "auto" }, clip(words, 240)) : null,
  );
}

function conflicts(record, collection, open) {
  return (record.conflicts || []).map((conflict) =>
    el(
      "section",
      { class: "notice conflict", "aria-label": "The documents differ" },
      el("h3", {}, "The documents differ"),
      el("p", {}, conflict.kind === "amount" ? "They give another amount for the same." : "One says that it is so, the other that it is not."),
      el(
        "ul",
        {},
        ...conflict.documents.map((one, at) =>
          el(
            "li",
            {},
            one.citation === null
              ? el("span", { class: "file", dir: "auto" }, breakable(one.path))
              : citationLink(record.citations[one.citation], collection, open),
            one.date ? ` (${one.date}${at === 0 && conflict.documents[1].date ? ", the newer" : ""})` : "",
            ": ",
            el("q", { dir: "auto" }, clip(one.quote, 200)),
          ),
        ),
      ),
    ),
  );
}

function citationLink(citation, collection, open) {
  const link = el(
    "a",
    {
      href: placeAddress(citation, collection.name),
      onclick: (event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        open(collection.name, citation, link);
      },
    },
    el("span", { dir: "auto" }, breakable(citation.document.path)),
  );
  return link;
}

function stale(paths) {
  if (!paths.length) return null;
  return el(
    "section",
    { class: "notice", "aria-label": "Changed documents" },
    el("h3", {}, "Changed since they were indexed"),
    el("p", {}, "Nothing in these documents is quoted until they are indexed again:"),
    el("ul", {}, ...paths.map((path) => el("li", { dir: "auto" }, breakable(path)))),
  );
}

function refusal(record) {
  // Some are named in the explanation already.
  const missing = record.missing.filter((word) => !record.explanation.includes(`"${word}"`));
  return [
    el("p", { class: "verdict says-not" }, el("strong", {}, visible(record.text || "The documents do not say."))),
    el(
      "div",
      { class: "why" },
      el("p", {}, visible(record.explanation)),
      missing.length
        ? el(
            "p",
            {},
            `The ${record.retrieved.length ? "nearest passages" : "documents"} do not have `,
            ...missing.flatMap((word, at) => [at ? ", " : "", el("q", { dir: "auto" }, oneLine(word))]),
            ".",
          )
        : null,
      record.advice ? el("p", { class: "advice" }, visible(record.advice)) : null,
    ),
  ];
}

function nearby(turn, open) {
  const { record } = turn;
  const refused = record.status === "refused";
  const used = record.retrieved.filter((one) => one.used);
  const others = record.retrieved.filter((one) => !one.used);
  if (refused) {
    if (!others.length) return null;
    return el(
      "section",
      { class: "nearest", "aria-labelledby": `nearest-${turn.number}` },
      el("h3", { id: `nearest-${turn.number}` }, "Nearest passages, not an answer"),
      passages(others, turn.collection, open),
    );
  }
  return el(
    "details",
    { class: "nearest" },
    el("summary", {}, `Where Pincite looked: ${counted(used.length, "passage")} quoted, ${others.length} not quoted`),
    used.length ? el("h3", {}, "Quoted above") : null,
    used.length ? passages(used, turn.collection, open) : null,
    others.length ? el("h3", {}, "Only looked at, not quoted") : null,
    others.length ? passages(others, turn.collection, open) : null,
  );
}

function passages(found, collection, open) {
  return el(
    "ol",
    { class: "passages" },
    ...found.map((one) =>
      el(
        "li",
        { class: one.used ? "row used" : "row" },
        el(
          "div",
          { class: "margin" },
          el("span", { class: "badge" }, one.used ? "Quoted" : "Not quoted"),
          placeLink(one, collection, open),
        ),
        el("p", { class: "passage", dir: "auto" }, excerpt(one)),
      ),
    ),
  );
}

/** The beginning of a passage; its headings without the signs that Markdown has for them. */
function excerpt({ text, document }) {
  const lines = visible(text.trim()).replace(/\n\s*\n/g, "\n");
  const words = document.media_type === "text/markdown" ? lines.replace(/^#{1,6}[ \t]+/gm, "") : lines;
  const signs = Array.from(words);
  return signs.length <= NEAREST_WORDS ? words : `${signs.slice(0, NEAREST_WORDS).join("").trimEnd()}…`;
}
