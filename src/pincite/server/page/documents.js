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
const AT_ONCE = 500;
const AGAIN = 1000;

/** The view; `open` shows a document, `within` goes to ask inside one. */
export function documentsView(session, open, within) {
  const filter = el("input", { id: "filter", type: "search", dir: "auto", autocomplete: "off", oninput: () => parts.forEach((one) => one.list()) });
  const body = el("div");
  const view = el(
    "div",
    { class: "view wide" },
    el("h1", { tabindex: "-1" }, "Documents"),
    el("div", { class: "narrowing" }, el("div", {}, el("label", { for: "filter" }, "Find by name"), filter)),
    body,
  );
  let parts = [];

  async function load() {
    view.setAttribute("aria-busy", "true");
    try {
      const [found, kept] = await Promise.all([api.documents(), session.may("index") ? api.kept() : []]);
      const names = [...new Set([...found, ...kept].map((one) => one.collection))].sort();
      const of = (all, name) => all.find((one) => one.collection === name);
      parts = names.map((name) => collectionPart(name, of(found, name), of(kept, name)));
      body.replaceChildren(...parts.map((one) => one.made));
    } catch (error) {
      parts = [];
      body.replaceChildren(el("p", { class: "fault", role: "alert" }, error.message));
      if (error.status === 401) session.signIn();
    } finally {
      view.removeAttribute("aria-busy");
    }
  }

  /** A collection: `made` is its element, `list` shows the documents that the filter leaves. */
  function collectionPart(name, listing, kept) {
    const title = `collection-${name}`;
    const problems = listing?.problems ?? [];
    const unread = new Set(problems.filter((one) => !one.partial).map((one) => one.path)).size;
    const said = [listing ? counted(listing.documents.length, "document") : "Not indexed yet"];
    if (listing?.stale.length) said.push(`${listing.stale.length} changed since they were indexed`);
    if (unread) said.push(`${counted(unread, "file")} not read`);
    const table = listing?.documents.length ? documentTable(name, listing) : null;
    const made = el(
      "section",
      { class: "collection", "aria-labelledby": title },
      el("h2", { id: title }, session.collection(name).title),
      el("p", { class: "hint" }, `${said.join(", ")}.`),
      kept?.problem ? el("p", { class: "fault" }, kept.problem) : null,
      kept ? renewing(name, kept.running) : null,
      problems.length ? problemTable(problems) : null,
      table?.made,
    );
    return { made, list: () => table?.list() };
  }

  function documentTable(name, listing) {
    const stale = new Set(listing.stale);
    const partial = new Set(listing.problems.filter((one) => one.partial).map((one) => one.path));
    const state = ({ path }) => {
      if (stale.has(path)) return el("strong", { class: "warned" }, "Changed since: not quoted");
      return partial.has(path) ? "Read in part" : "Indexed";
    };
    const rows = el("tbody", { role: "rowgroup" });
    const more = el("button", { type: "button", onclick: () => list(rows.children.length + AT_ONCE) });
    // Said as roles too: on narrow screens its parts are no table any more to the eye.
    const made = el(
      "div",
      { class: "wide", role: "region", "aria-label": `Documents of ${name}`, tabindex: "0" },
      el(
        "table",
        { class: "listing", role: "table" },
        el("thead", { role: "rowgroup" }, el("tr", { role: "row" }, ...["Document", "Title", "Changed on", "State", "Ask"].map((one) => el("th", { scope: "col", role: "columnheader" }, one)))),
        rows,
      ),
      more,
    );

    function list(most = AT_ONCE) {
      const words = filter.value.trim().toLowerCase();
      const found = listing.documents.filter((one) => `${one.path} ${one.title}`.toLowerCase().includes(words));
      rows.replaceChildren(...found.slice(0, most).map((one) => row(name, one, state(one))));
      more.hidden = found.length <= most;
      more.textContent = `Show more: ${found.length - most} are left`;
    }

    list();
    return { made, list };
  }

  function row(name, one, state) {
    const query = new URLSearchParams({ show: one.path, collection: name });
    const link = el("a", { href: `#${query}`, dir: "auto", onclick: (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      open(name, null, link, one.path);
    } }, breakable(one.path));
    return el(
      "tr",
      { role: "row" },
      el("th", { scope: "row", role: "rowheader" }, link),
      el("td", { role: "cell", class: "whole", dir: "auto" }, oneLine(one.title)),
      el("td", { role: "cell", class: "date" }, one.modified.slice(0, 10)),
      el("td", { role: "cell" }, state),
      el("td", { role: "cell" }, el("button", { type: "button", "aria-label": `Ask in ${one.path}`, onclick: () => within(name, one.path) }, "Ask in it")),
    );
  }

  function renewing(name, isRunning) {
    const button = el("button", { type: "button", onclick: () => renew() }, "Index again");
    const wait = async () => {
      button.disabled = true;
      button.textContent = "Indexing…";
      let now = { running: true };
      while (now.running && button.isConnected) {
        await new Promise((done) => { setTimeout(done, AGAIN); });
        now = (await api.kept()).find((one) => one.collection === name) ?? { running: false };
      }
      if (!button.isConnected) return;
      await load();
      tell(now.problem || "Indexed");
    };
    const fail = (error) => {
      button.disabled = false;
      button.textContent = "Index again";
      button.after(el("p", { class: "fault", role: "alert" }, error.message));
    };
    const renew = () => {
      tell("Indexing begins");
      api.renew(name).then(wait).catch(fail);
    };
    if (isRunning) setTimeout(() => wait().catch(fail), 0);
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
                el("td", {}, one.partial ? "Read in part" : "Not read"),
                el("td", { dir: "auto" }, why(one)),
              ),
            ),
          ),
        ),
      ),
    );
  }

  /** The reason and what is needed, a sentence each. */
  function why({ reason, need }) {
    const told = oneLine(reason);
    return NEEDS[need] ? `${told}${/[.!?]$/.test(told) ? "" : "."} ${NEEDS[need]}` : told;
  }

  return { view, title: "Documents", load, focus: () => view.querySelector("h1").focus() };
}
