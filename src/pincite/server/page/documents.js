// The documents that there are, how they are, and what could not be read.

import * as api from "./api.js";
import { breakable } from "./answer.js";
import { counted, el, oneLine, tell } from "./dom.js";

const NEEDS = {
  password: "It asks for a password.",
  recognition: "Its pictures have to be recognised as characters.",
  time: "It takes longer to read than is allowed.",
  memory: "It takes more memory to read than is allowed.",
};
const AGAIN = 1500;

/** The view; `open` shows a document, `within` goes to ask inside one. */
export function documentsView(session, open, within) {
  const body = el("div");
  const filter = el("input", { id: "filter", type: "search", dir: "auto", autocomplete: "off", oninput: () => narrow() });
  const view = el(
    "div",
    { class: "view wide" },
    el("h1", { tabindex: "-1" }, "Documents"),
    el("div", { class: "narrowing" }, el("div", {}, el("label", { for: "filter" }, "Find by name"), filter)),
    body,
  );

  async function load() {
    body.setAttribute("aria-busy", "true");
    try {
      const found = await api.documents("");
      body.replaceChildren(...found.map(collectionPart));
      narrow();
    } catch (error) {
      body.replaceChildren(el("p", { class: "fault", role: "alert" }, error.message));
      if (error.status === 401) session.signIn();
    } finally {
      body.setAttribute("aria-busy", "false");
    }
  }

  function collectionPart(listing) {
    const title = `collection-${listing.collection}`;
    const state = el("p", { class: "hint" }, summary(listing));
    const problems = listing.problems;
    return el(
      "section",
      { class: "collection", "aria-labelledby": title },
      el("h2", { id: title }, session.collection(listing.collection).title),
      state,
      session.may("index") ? renewing(listing, state) : null,
      problems.length ? problemTable(problems) : null,
      listing.documents.length ? documentTable(listing) : el("p", {}, "There is no document in it yet."),
    );
  }

  function summary(listing) {
    const unread = new Set(listing.problems.filter((one) => !one.partial).map((one) => one.path)).size;
    const parts = [counted(listing.documents.length, "document")];
    if (listing.stale.length) parts.push(`${listing.stale.length} changed since they were indexed`);
    if (unread) parts.push(`${counted(unread, "file")} not read`);
    return `${parts.join(", ")}.`;
  }

  function renewing(listing, state) {
    const button = el("button", { type: "button", onclick: async () => {
      button.disabled = true;
      button.textContent = "Indexing…";
      tell("Indexing begins");
      try {
        await api.renew(listing.collection);
        let now = await api.indexState(listing.collection);
        while (now.running && button.isConnected) {
          await new Promise((done) => { setTimeout(done, AGAIN); });
          now = await api.indexState(listing.collection);
        }
        if (!button.isConnected) return;
        tell(now.problem ? `Indexing failed: ${now.problem}` : "Indexed");
        if (now.problem) {
          state.textContent = now.problem;
          state.className = "fault";
        } else await load();
      } catch (error) {
        state.textContent = error.message;
        state.className = "fault";
      }
      button.disabled = false;
      button.textContent = "Index again";
    } }, "Index again");
    return button;
  }

  function problemTable(problems) {
    return el(
      "details",
      { class: "problems" },
      el("summary", {}, `What could not be read: ${counted(problems.length, "problem")}`),
      el(
        "div",
        { class: "wide", role: "region", "aria-label": "What could not be read", tabindex: "0" },
        el(
          "table",
          {},
          el("thead", {}, el("tr", {}, ...["File", "How much", "Why"].map((name) => el("th", { scope: "col" }, name)))),
          el(
            "tbody",
            {},
            ...problems.map((one) =>
              el(
                "tr",
                {},
                el("th", { scope: "row", dir: "auto" }, breakable(one.path)),
                el("td", {}, one.partial ? "read in part" : "not read"),
                el("td", { dir: "auto" }, oneLine(one.reason), one.need ? ` ${NEEDS[one.need] || ""}` : ""),
              ),
            ),
          ),
        ),
      ),
    );
  }

  function documentTable(listing) {
    const stale = new Set(listing.stale);
    const partial = new Set(listing.problems.filter((one) => one.partial).map((one) => one.path));
    return el(
      "div",
      { class: "wide", role: "region", "aria-label": "Documents", tabindex: "0" },
      el(
        "table",
        {},
        el("thead", {}, el("tr", {}, ...["Document", "Title", "Changed on", "State", ""].map((name) => (name ? el("th", { scope: "col" }, name) : el("td"))))),
        el("tbody", {}, ...listing.documents.map((one) => {
          const link = el("a", { href: `#${new URLSearchParams({ show: one.path, collection: listing.collection })}`, dir: "auto", onclick: (event) => {
            if (event.ctrlKey || event.metaKey || event.shiftKey) return;
            event.preventDefault();
            open(listing.collection, null, link, one.path);
          } }, breakable(one.path));
          return el(
            "tr",
            { "data-name": `${one.path} ${one.title}`.toLowerCase() },
            el("th", { scope: "row" }, link),
            el("td", { dir: "auto" }, oneLine(one.title)),
            el("td", { class: "date" }, one.modified.slice(0, 10)),
            el("td", {}, stale.has(one.path) ? el("strong", {}, "changed since, not quoted") : partial.has(one.path) ? "read in part" : "indexed"),
            el("td", {}, el("button", { type: "button", "aria-label": `Ask in ${one.path}`, onclick: () => within(listing.collection, one.path) }, "Ask in it")),
          );
        })),
      ),
    );
  }

  function narrow() {
    const words = filter.value.trim().toLowerCase();
    for (const row of body.querySelectorAll("tr[data-name]")) row.hidden = !row.dataset.name.includes(words);
  }

  return { view, title: "Documents", load, focus: () => view.querySelector("h1").focus() };
}
