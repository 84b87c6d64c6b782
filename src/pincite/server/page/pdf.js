// The pages of a PDF file as they are printed, with the boxes of the words marked over them.

import { address, headers } from "./api.js";
import { counted, el, tell } from "./dom.js";

const HERE = new URL("pdfjs/", import.meta.url).href;
const MOST_PIXELS = 16_000_000;
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

/**
 * The viewer of a file at `where` (path and query): `made` is its element, `close` lets go of it.
 * `place` is that of a citation, its pages with boxes, or null: then the first page is shown.
 */
export async function pdfViewer(where, place, marked) {
  const { getDocument } = await pdfjs();
  const task = getDocument({
    url: address(where.path, where.query),
    httpHeaders: headers(),
    cMapUrl: `${HERE}cmaps/`,
    standardFontDataUrl: `${HERE}standard_fonts/`,
    wasmUrl: `${HERE}decoders/`,
    useWasm: false,
    disableAutoFetch: true,
    disableStream: true,
    enableXfa: false,
    canvasMaxAreaInBytes: MOST_PIXELS * 4,
    verbosity: 0,
  });
  const file = await task.promise;
  const cited = new Map((place?.kind === "pages" ? place.pages : []).map((one) => [one.number, one]));
  const count = el("span", { class: "count" });
  const sheet = el("div", { class: "sheet" });
  const back = el("button", { type: "button", onclick: () => turn(-1) }, "Previous page");
  const forth = el("button", { type: "button", onclick: () => turn(1) }, "Next page");
  const made = el("div", { class: "pdf" }, el("div", { class: "turning" }, back, count, forth), sheet);
  let number = Math.min(file.numPages, cited.size ? Math.min(...cited.keys()) : 1);
  let drawing = null;
  let closed = false;

  async function draw() {
    if (closed) return;
    drawing?.cancel();
    const page = await file.getPage(number);
    const plain = page.getViewport({ scale: 1 });
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
    over[0]?.scrollIntoView({ block: "center" });
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
