// The pane that shows a document beside the answer, at the place, with the words marked.

import { bytesOf, leafOf, original } from "./api.js";
import { clip, el, oneLine, tell } from "./dom.js";
import { leafElements } from "./leaf.js";
import { headingWords, placeWords } from "./places.js";
import { breakable } from "./answer.js";

const REACH = 6000;
const PDF = "application/pdf";

let shown = null;

/** Whether a document is open. */
export function isOpen() {
  return shown !== null;
}

/**
 * Show `path` of `collection`; `cited` is a citation or passage of it, or null for the document as
 * such. `from` gets the focus back; `mayRead` is whether all of a document may be seen.
 */
export async function openSource({ collection, path, cited, from, mayRead }) {
  closeSource({ focus: false });
  const pane = document.getElementById("source");
  const showing = { from, closers: [] };
  shown = showing;
  const body = el("div", { class: "source-body" }, el("p", { class: "waiting" }, "Opening…"));
  const fault = el("p", { class: "fault", role: "alert", hidden: true });
  const actions = el("div", { class: "source-actions" });
  const title = el("h2", { id: "source-title", tabindex: "-1", dir: "auto" }, breakable(path));
  pane.replaceChildren(
    el(
      "header",
      { class: "source-head" },
      el(
        "div",
        {},
        title,
        el("p", { class: "where", dir: "auto" }, cited ? placeWords(cited.place, cited.lines) : ""),
        cited?.heading_path.length ? el("p", { class: "headings", dir: "auto" }, headingWords(cited.heading_path)) : null,
      ),
      el("button", { type: "button", class: "close", onclick: () => closeSource() }, "Close"),
    ),
    actions,
    fault,
    body,
  );
  pane.hidden = false;
  document.getElementById("desk").classList.add("with-source");
  title.focus({ preventScroll: false });

  const complain = (error) => {
    if (shown !== showing) return;
    fault.textContent = error.message;
    fault.hidden = false;
    body.querySelector(".waiting")?.remove();
  };
  const quotes = cited ? [cited.position] : [];

  async function asText(whole = null) {
    release(showing);
    try {
      const leaf = await leafOf({ collection, path, quotes, around: whole ? null : cited?.position ?? null, reach: mayRead ? REACH : 0 });
      if (shown !== showing) return;
      const { made, first } = leafElements(leaf);
      const { start, end } = leaf.position;
      const more = mayRead && (start > 0 || end < leaf.length);
      body.replaceChildren(
        leaf.stale ? el("p", { class: "notice" }, "The file has changed since this text was read from it.") : "",
        start > 0 ? el("p", { class: "gap" }, "… what stands before is left out") : "",
        made,
        end < leaf.length ? el("p", { class: "gap" }, "what follows is left out …") : "",
        more ? el("button", { type: "button", onclick: () => asText(true) }, "Show the whole document") : "",
      );
      first?.scrollIntoView({ block: "center" });
      tell(first ? `Opened, marked: ${clip(first.textContent, 200)}` : "Opened");
    } catch (error) {
      complain(error);
    }
  }

  async function asPages() {
    release(showing);
    try {
      const { pdfViewer } = await import("./pdf.js");
      const viewer = await pdfViewer(original(collection, path), cited?.place ?? null, cited?.quote ? clip(cited.quote.exact, 300) : "");
      if (shown !== showing) {
        viewer.close();
        return;
      }
      showing.closers.push(viewer.close);
      body.replaceChildren(viewer.made);
      await viewer.show();
      tell("Opened as printed");
    } catch (error) {
      if (error?.name === "PasswordException") complain(new Error("The file asks for a password: read its text instead."));
      else complain(error);
    }
  }

  const isPdf = path.toLowerCase().endsWith(".pdf") || cited?.document?.media_type === PDF;
  if (isPdf && mayRead) {
    const printed = el("button", { type: "button", "aria-pressed": "true" }, "As printed");
    const text = el("button", { type: "button", "aria-pressed": "false" }, "As text");
    const press = (one, other, show) => one.addEventListener("click", () => {
      one.setAttribute("aria-pressed", "true");
      other.setAttribute("aria-pressed", "false");
      show();
    });
    press(printed, text, asPages);
    press(text, printed, () => asText());
    actions.append(printed, text);
  }
  if (mayRead) actions.append(el("button", { type: "button", onclick: () => download(collection, path).catch(complain) }, "Download the file"));
  await (isPdf && mayRead ? asPages() : asText());
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
  if (focus) (from?.isConnected ? from : document.getElementById("main")).focus();
}

function release(showing) {
  while (showing.closers.length) showing.closers.pop()();
}

async function download(collection, path) {
  const found = await bytesOf(original(collection, path));
  // The kind says nothing a browser would act on: it is to be kept, and not to be opened here.
  const url = URL.createObjectURL(new Blob([found], { type: "application/octet-stream" }));
  const link = el("a", { href: url, download: oneLine(path.split("/").at(-1)) });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
