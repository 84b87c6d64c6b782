// The pages of a PDF file as they are printed, with the boxes of the words marked over them.

import { counted, el, tell } from "./dom.js";

const HERE = new URL("pdfjs/", import.meta.url).href;
const MOST_PIXELS = 16_000_000;
const ZOOMS = [1, 1.5, 2, 3];
let library = null;

async function pdfjs() {
  if (!library) {
    library = await import(`${HERE}pdf.min.mjs`);
    // The one address that a worker may come from.
    const trusted = globalThis.trustedTypes?.createPolicy("pincite-worker", {
      createScriptURL: () => `${HERE}pdf.worker.min.mjs`,
    });
    const where = trusted ? trusted.createScriptURL("") : `${HERE}pdf.worker.min.mjs`;
    library.GlobalWorkerOptions.workerPort = new Worker(where, { type: "module" });
  }
  return library;
}

/** What pdf.js needs for some files: character maps and fonts. */
class Folder {
  async fetch({ kind, filename }) {
    const response = await fetch(`${HERE}${kind === "cMapUrl" ? "cmaps" : "standard_fonts"}/${filename}`);
    if (!response.ok) throw new Error(`there is no ${filename}`);
    return new Uint8Array(await response.arrayBuffer());
  }
}

/**
 * The viewer of the bytes of a file: `made` is its element, `show` draws the page, `close` lets go
 * of it. `pages` are those of a place, with boxes, and may be none: then the first page is shown.
 */
export async function pdfViewer(data, pages, marked) {
  const { getDocument } = await pdfjs();
  const task = getDocument({
    data,
    // With an address for fonts, the browser would load them by it, which the page's policy forbids.
    BinaryDataFactory: Folder,
    useWorkerFetch: false,
    wasmUrl: `${HERE}decoders/`,
    useWasm: false,
    enableXfa: false,
    canvasMaxAreaInBytes: MOST_PIXELS * 4,
    verbosity: 0,
  });
  const file = await task.promise;
  const cited = new Map(pages.map((one) => [one.number, one]));
  const count = el("span", { class: "count" });
  const sheet = el("div", { class: "sheet" });
  const back = el("button", { type: "button", "aria-label": "Previous page", onclick: () => turn(-1) }, "Previous");
  const forth = el("button", { type: "button", "aria-label": "Next page", onclick: () => turn(1) }, "Next");
  const larger = el("button", { type: "button", onclick: () => zoom(1) }, "Larger");
  const smaller = el("button", { type: "button", onclick: () => zoom(-1) }, "Smaller");
  const made = el(
    "div",
    { class: "pdf" },
    el("div", { class: "turning" }, back, count, forth, smaller, larger),
    el("div", { class: "desk-top", tabindex: "0", role: "region", "aria-label": "The page" }, sheet),
  );
  let number = Math.min(file.numPages, cited.size ? Math.min(...cited.keys()) : 1);
  let step = 0;
  let drawing = null;
  let closed = false;

  async function draw() {
    if (closed) return;
    drawing?.cancel();
    const page = await file.getPage(number);
    const plain = page.getViewport({ scale: 1 });
    sheet.style.width = `${ZOOMS[step] * 100}%`;
    const width = Math.max(240, sheet.clientWidth || 600);
    const scale = width / plain.width;
    const sharp = Math.min(window.devicePixelRatio || 1, Math.sqrt(MOST_PIXELS / (plain.width * plain.height)) / scale);
    const viewport = page.getViewport({ scale: scale * sharp });
    const boxes = cited.get(number)?.boxes ?? [];
    const words = boxes.length ? ` Marked on it: ${marked}` : "";
    const canvas = el("canvas", {
      width: Math.floor(viewport.width),
      height: Math.floor(viewport.height),
      role: "img",
      "aria-label": `Page ${number} as printed.${words}`,
    });
    drawing = page.render({ canvas, viewport, annotationMode: 1 });
    await drawing.promise;
    const over = boxes.map(([left, top, right, bottom]) => {
      const box = el("div", { class: "box" });
      box.style.left = `${left * 100}%`;
      box.style.top = `${top * 100}%`;
      box.style.width = `${(right - left) * 100}%`;
      box.style.height = `${(bottom - top) * 100}%`;
      return box;
    });
    sheet.replaceChildren(canvas, ...over);
    count.textContent = `Page ${number} of ${file.numPages}`;
    back.disabled = number <= 1;
    forth.disabled = number >= file.numPages;
    smaller.disabled = step === 0;
    larger.disabled = step === ZOOMS.length - 1;
    over[0]?.scrollIntoView({ block: "center", inline: "nearest" });
  }

  async function redraw() {
    try {
      await draw();
    } catch (error) {
      if (error?.name !== "RenderingCancelledException") throw error;
    }
  }

  async function turn(by) {
    number = Math.min(file.numPages, Math.max(1, number + by));
    await redraw();
    tell(`Page ${number} of ${counted(file.numPages, "page")}`);
  }

  async function zoom(by) {
    step = Math.min(ZOOMS.length - 1, Math.max(0, step + by));
    await redraw();
    tell(`${ZOOMS[step] * 100} per cent`);
  }

  return {
    made,
    show: redraw,
    close() {
      closed = true;
      drawing?.cancel();
      task.destroy();
    },
  };
}
