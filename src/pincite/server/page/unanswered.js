// The questions that the documents did not answer, for those who look after the documents.

import * as api from "./api.js";
import { counted, el, oneLine } from "./dom.js";

const REASONS = {
  nothing_to_look_for: "Nothing in the question could be looked for",
  unclear: "The question does not say what it means",
  not_for_documents: "It asks for what no document says",
  nothing_related: "No document is about it",
  not_stated: "Documents come near, and none says it",
  stale: "What would answer stands in files that have changed",
};

/** The view: by reason, the most asked first. */
export function unansweredView(session) {
  const body = el("div");
  const view = el("div", { class: "view wide" }, el("h1", { tabindex: "-1" }, "Questions without an answer"), body);

  async function load() {
    body.setAttribute("aria-busy", "true");
    try {
      const found = await api.unanswered();
      body.replaceChildren(...(found.length ? parts(found) : [el("p", {}, "There is none: every question was answered, or none was asked.")]));
    } catch (error) {
      body.replaceChildren(el("p", { class: "fault", role: "alert" }, error.message));
      if (error.status === 401) session.signIn();
    } finally {
      body.setAttribute("aria-busy", "false");
    }
  }

  function parts(found) {
    return [...grouped(found)].map(([reason, questions]) => {
      const times = questions.reduce((sum, one) => sum + one.count, 0);
      return el(
        "section",
        { class: "collection", "aria-labelledby": `reason-${reason}` },
        el("h2", { id: `reason-${reason}` }, REASONS[reason] || "Told by people"),
        el("p", { class: "hint" }, `${counted(questions.length, "question")}, asked ${counted(times, "time")}.`),
        el(
          "div",
          { class: "wide", role: "region", "aria-label": `Questions: ${REASONS[reason] || "told by people"}`, tabindex: "0" },
          el(
            "table",
            { class: "listing", role: "table" },
            el("thead", { role: "rowgroup" }, el("tr", { role: "row" }, ...["Question", "Collection", "Asked", "Last on", "What people say"].map((name) => el("th", { scope: "col", role: "columnheader" }, name)))),
            el("tbody", { role: "rowgroup" }, ...questions.map(row)),
          ),
        ),
      );
    });
  }

  function row(one) {
    const query = new URLSearchParams({ q: one.question });
    if (one.collection) query.set("collection", one.collection);
    const notes = [...new Set(one.notes.map(oneLine).filter(Boolean))];
    return el(
      "tr",
      { role: "row" },
      el("th", { scope: "row", role: "rowheader" }, el("a", { href: `#${query}`, dir: "auto" }, oneLine(one.question))),
      el("td", { role: "cell" }, session.collection(one.collection).title),
      el("td", { role: "cell" }, counted(one.count, "time")),
      el("td", { role: "cell", class: "date" }, one.last_asked.slice(0, 10)),
      el(
        "td",
        { role: "cell", class: "whole" },
        one.told ? `Told ${counted(one.told, "time")}${notes.length ? ":" : ""}` : "",
        notes.length ? el("ul", { class: "notes" }, ...notes.map((note) => el("li", { dir: "auto" }, note))) : null,
      ),
    );
  }

  return { view, title: "Questions without an answer", load, focus: () => view.querySelector("h1").focus() };
}

function grouped(found) {
  const groups = new Map();
  for (const one of found) {
    const reason = one.reason ?? "";
    groups.set(reason, [...(groups.get(reason) || []), one]);
  }
  return groups;
}
