// A document as its text and structure, with words marked: built of elements and text alone.

import { el, visible } from "./dom.js";

const TABLE = new Set(["table_header", "table_row"]);
const STYLED = { strong: "strong", emphasis: "em", code: "code" };
const UNITS = { page: "p. ", slide: "slide ", row: "" };

/** The elements of a leaf; marked words are in `mark`, and `first` is the first of these or null. */
export function leafElements(leaf) {
  const counter = { unit: "", number: 0 };
  const made = el(
    "div",
    { class: "leaf", lang: /^[a-z]{2,3}$/.test(leaf.language) && leaf.language !== "und" ? leaf.language : null },
    ...groups(leaf.blocks).map((group) => elementOf(group, counter)),
  );
  return { made, first: made.querySelector("mark") };
}

function groups(blocks) {
  const found = [];
  for (const block of blocks) {
    const last = found.at(-1);
    if (block.group && last && last[0].group === block.group) last.push(block);
    else found.push([block]);
  }
  return found;
}

function elementOf(group, counter) {
  const [first] = group;
  if (first.group && first.kind === "list_item") {
    return el("ul", { role: "list" }, ...group.map((block) => el("li", counted(block, counter), ...runs(block.runs))));
  }
  if (first.group && group.some((block) => TABLE.has(block.kind))) return table(group, counter);
  const said = counted(first, counter);
  switch (first.kind) {
    case "heading":
      // The pane has a heading of rank 2 above all of them.
      return el(`h${Math.min(6, Math.max(3, first.level + 2))}`, said, ...runs(first.runs));
    case "code":
      // What can be scrolled has to be reached by keyboard.
      return el("pre", { ...said, tabindex: "0", "aria-label": "Code" }, ...runs(first.runs));
    case "quotation":
      return el("blockquote", said, ...runs(first.runs));
    case "markup":
      return el("p", { ...said, class: "markup" }, ...runs(first.runs));
    default:
      return el("p", said, ...runs(first.runs.length ? first.runs : first.cells.flatMap((cell) => cell.runs)));
  }
}

function table(group, counter) {
  const headed = group[0].kind === "table_header";
  const rows = group.filter((block) => TABLE.has(block.kind));
  const row = (block) => {
    const said = counted(block, counter);
    const cells = [];
    let column = 1;
    for (const cell of block.cells) {
      while (column < cell.column) {
        cells.push(el("td"));
        column += 1;
      }
      cells.push(cellOf(block, cell, headed, cells.length === 0 ? said : { dir: "auto" }));
      column += 1;
    }
    return el("tr", {}, ...cells);
  };
  const heads = rows.filter((block) => block.kind === "table_header");
  const others = rows.filter((block) => block.kind !== "table_header");
  return el(
    "div",
    { class: "wide", role: "region", "aria-label": "Table", tabindex: "0" },
    el(
      "table",
      {},
      heads.length ? el("thead", {}, ...heads.map(row)) : null,
      el("tbody", {}, ...others.map(row)),
    ),
  );
}

function cellOf(block, cell, headed, said) {
  // The head said again with its value is told by the head of the table.
  const shown = headed ? cell.runs.filter((run) => !run.aside) : cell.runs;
  if (block.kind === "table_header") return el("th", { ...said, scope: "col" }, ...runs(shown));
  return el("td", said, ...runs(shown));
}

function runs(found) {
  // Signs only say how words are shown.
  return found.filter((run) => run.style !== "sign").map((run) => {
    const words = STYLED[run.style] ? el(STYLED[run.style], {}, visible(run.text)) : visible(run.text);
    if (run.quotes.length) return el("mark", {}, words);
    return run.aside ? el("span", { class: "aside" }, words) : words;
  });
}

/** The number of the page, row, slide or line, where it is another than before. */
function counted(block, counter) {
  const unit = block.unit || "line";
  const number = block.unit ? block.number : block.line;
  const same = counter.unit === unit && counter.number === number;
  counter.unit = unit;
  counter.number = number;
  return { dir: "auto", "data-n": same ? null : `${UNITS[unit] || ""}${number}` };
}
