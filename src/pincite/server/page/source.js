// The pane that shows a document beside the answer, at the place, with the words marked.

import { bytesOf, leafOf, original, placeAt } from "./api.js";
import { breakable } from "./answer.js";
import { clip, el, oneLine, tell } from "./dom.js";
import { leafElements } from "./leaf.js";
import { headingWords, placeWords } from "./places.js";

const REACH = 6_000;
const FURTHEST = 200_000;
const NOWHERE = { start: 0, end: 0 };

const NARROW = window.matchMedia("(max-width: 60rem)");

let shown = null;

/** Whether a document is open. */
export function isOpen() {
  return shown !== null;
}

/**
 * Show the document `path` of `collection` with `position` marked. `cited` is the citation or
 * passage that stands there, where one is at hand; `from` gets the focus back in the end;
 * `mayRead` is whether more than the passages around the place may be seen.
 */
export async function openSource({ collection, path, position = null, cited = null, from = null, mayRead }) {
  closeSource({ focus: false });
  const showing = { from, closers: [] };
  shown = showing;
  const pane = document.getElementById("source");
  const title = el("h2", { id: "source-title", tabindex: "-1", dir: "auto" }, breakable(path));
  const where = el("p", { class: "where", dir: "auto" }, cited ? placeWords(cited.place, cited.lines) : "");
  const headings = el("p", { class: "headings", dir: "auto" }, cited ? headingWords(cited.heading_path) : "");
  const actions = el("div", { class: "source-actions" });
  const fault = el("p", { class: "fault", role: "alert", hidden: true });
  const body = el("div", { class: "source-body" }, el("p", { class: "waiting" }, "Opening…"));
  pane.replaceChildren(
    el("header", { class: "source-head" }, el("div", {}, title, where, headings), el("button", { type: "button", class: "close", onclick: () => closeSource() }, "Close")),
    actions,
    fault,
    body,
  );
  pane.hidden = false;
  document.getElementById("desk").classList.add("with-source");
  coverRest();
  title.focus();

  function complain(words) {
    if (shown !== showing) return;
    fault.textContent = words;
    fault.hidden = false;
    body.querySelector(".waiting")?.remove();
  }

  const leafAround = (reach) => leafOf({ collection, path, position: position ?? NOWHERE, reach: mayRead ? reach : 0 });

  function showText(leaf, reach) {
    const { made, first } = leafElements(leaf);
    const { start, end } = leaf.position;
    const isPart = start > 0 || end < leaf.length;
    const wider = async () => {
      try {
        showText(await leafAround(Math.min(FURTHEST, reach * 4)), reach * 4);
      } catch (error) {
        complain(error.message);
      }
    };
    body.replaceChildren(
      start > 0 ? el("p", { class: "gap" }, "… what stands before is left out") : "",
      made,
      end < leaf.length ? el("p", { class: "gap" }, "what follows is left out …") : "",
      isPart && mayRead && reach < FURTHEST ? el("button", { type: "button", onclick: wider }, "Show more of it") : "",
    );
    first?.scrollIntoView({ block: "center" });
    tell(first ? `Opened, marked: ${clip(first.textContent, 200)}` : "Opened");
  }

  async function asText() {
    release(showing);
    const leaf = await leafAround(REACH);
    if (shown !== showing) return;
    if (leaf.stale) complain("The file has changed since it was indexed. This is the text as it was then.");
    showText(leaf, REACH);
  }

  async function asPages() {
    release(showing);
    let place = cited?.place;
    // Passages that were only looked at come without boxes.
    if (position && !place?.pages?.some((page) => page.boxes.length)) place = (await placeAt({ collection, path, position })).place;
    const [{ pdfViewer }, data] = await Promise.all([import("./pdf.js"), bytesOf(original(collection, path))]);
    if (shown !== showing) return;
    const viewer = await pdfViewer(data, place?.pages ?? [], cited?.quote ? clip(cited.quote.exact, 300) : "");
    if (shown !== showing) {
      viewer.close();
      return;
    }
    showing.closers.push(viewer.close);
    body.replaceChildren(viewer.made);
    await viewer.show();
    tell("Opened as printed");
  }

  async function name() {
    const found = await placeAt({ collection, path, position });
    where.textContent = placeWords(found.place, found.lines);
    headings.textContent = headingWords(found.heading_path);
  }

  async function open(show) {
    fault.hidden = true;
    try {
      await show();
    } catch (error) {
      if (show !== asPages) {
        complain(error.message);
        return;
      }
      await open(asText);
      complain(error.name === "PasswordException" ? "The file asks for a password: this is its text." : `${error.message} This is its text as it was indexed.`);
    }
  }

  // Attachments and members of archives are shown as their text: the file is not of their kind.
  const isPdf = path.toLowerCase().endsWith(".pdf") && mayRead;
  if (isPdf) actions.append(...choice([["As printed", () => open(asPages)], ["As text", () => open(asText)]]));
  if (mayRead) actions.append(el("button", { type: "button", onclick: () => download(collection, path).catch((error) => complain(error.message)) }, "Save the file"));
  if (position && !cited) name().catch((error) => complain(error.message));
  await open(isPdf ? asPages : asText);
}

/** Close the pane; the focus goes back to where it came from. */
export function closeSource({ focus = true } = {}) {
  if (!shown) return;
  const { from } = shown;
  release(shown);
  shown = null;
  const pane = document.getElementById("source");
  pane.hidden = true;
  pane.replaceChildren();
  document.getElementById("desk").classList.remove("with-source");
  coverRest();
  if (focus) (from?.isConnected ? from : document.getElementById("main")).focus();
}

/** Where the pane lies over all else, what is under it cannot be reached. */
function coverRest() {
  const isCovered = shown !== null && NARROW.matches;
  for (const part of [document.getElementById("main"), document.querySelector(".top"), document.querySelector(".skip")]) part.inert = isCovered;
}

NARROW.addEventListener("change", coverRest);

function choice(kinds) {
  const buttons = kinds.map(([name, show], at) =>
    el("button", { type: "button", "aria-pressed": String(at === 0), onclick: () => {
      for (const button of buttons) button.setAttribute("aria-pressed", String(button === buttons[at]));
      show();
    } }, name),
  );
  return buttons;
}

function release(showing) {
  while (showing.closers.length) showing.closers.pop()();
}

async function download(collection, path) {
  const found = await bytesOf(original(collection, path));
  // The kind says nothing that a browser would act on: it is to be kept, and not to be opened here.
  const url = URL.createObjectURL(new Blob([found], { type: "application/octet-stream" }));
  const link = el("a", { href: url, download: oneLine(path.split("/").at(-1)) });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
