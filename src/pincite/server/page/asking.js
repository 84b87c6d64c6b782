// The page where one asks: the question, its answer, the conversation, one's earlier questions.

import * as api from "./api.js";
import { answerArticle, sureness } from "./answer.js";
import { answerDigest, asFragment, asMarkdown, asText } from "./copying.js";
import { clip, counted, el, oneLine, tell } from "./dom.js";
import { forget, remember, remembered } from "./remembering.js";

const ALL = "";
const MOST_NAMED = 2000;

/** The view; `session` knows who asks and what there is, `open` shows a place in its document. */
export function askView(session, open) {
  const thread = [];
  let running = null;

  const question = el("textarea", {
    id: "question", name: "question", rows: "2", required: true, maxlength: "2000", dir: "auto",
    autocomplete: "off", enterkeyhint: "search", "aria-describedby": "question-hint",
    onkeydown: (event) => {
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      form.requestSubmit();
    },
  });
  const collection = el(
    "select",
    { id: "collection", name: "collection", onchange: () => listDocuments() },
    el("option", { value: ALL }, "All collections"),
    ...session.collections.map((one) => el("option", { value: one.name }, one.title)),
  );
  const documents = el("datalist", { id: "documents" });
  const inside = el("input", {
    id: "document", name: "document", list: "documents", dir: "auto", autocomplete: "off", spellcheck: "false", placeholder: "any",
    onfocus: () => listDocuments(),
  });
  const submit = el("button", { type: "submit", class: "primary" }, "Ask");
  const fresh = el("button", { type: "button", onclick: () => startAfresh() }, "New subject");
  const follows = el("p", { class: "follows", hidden: true }, el("span", { id: "follows-what" }), fresh);
  const fault = el("p", { class: "fault", role: "alert", hidden: true });
  const heading = el("h1", {}, "What do your documents say?");
  const hint = el("p", { id: "question-hint", class: "hint" }, "You get the exact words of your documents, and where they stand. ", el("kbd", {}, "/"), " goes here, ", el("kbd", {}, "Esc"), " closes a document.");
  const form = el(
    "form",
    { class: "ask", role: "search", "aria-label": "Ask the documents", onsubmit: (event) => {
      event.preventDefault();
      ask({ question: question.value.trim(), collection: collection.value, document: inside.value.trim(), history: turns() });
    } },
    heading,
    el("label", { for: "question" }, "Question"),
    question,
    hint,
    follows,
    el(
      "div",
      { class: "narrowing" },
      session.collections.length > 1 ? el("div", {}, el("label", { for: "collection" }, "In"), collection) : null,
      el("div", {}, el("label", { for: "document" }, "Only in the document"), inside, documents),
      submit,
    ),
    fault,
  );
  const reply = el("div", { class: "thread", "aria-busy": "false" });
  const earlier = el("section", { class: "earlier", "aria-label": "Earlier in this conversation", hidden: true });
  const mine = el("section", { class: "mine", "aria-labelledby": "mine-title" });
  const view = el("div", { class: "view" }, form, reply, earlier, mine);

  let listed = null;
  async function listDocuments() {
    const name = chosen();
    if (listed === name) return;
    listed = name;
    documents.replaceChildren();
    try {
      const found = (await api.documents(name)).flatMap((one) => one.documents);
      documents.replaceChildren(...found.slice(0, MOST_NAMED).map((one) => el("option", { value: one.path }, one.title)));
    } catch {
      // Paths can still be typed.
      listed = null;
    }
  }

  function chosen() {
    return session.collections.length === 1 ? session.collections[0].name : collection.value;
  }

  function turns() {
    return thread.map((turn) => ({ role: "user", text: turn.record.question })).slice(-6);
  }

  function startAfresh({ focus = true } = {}) {
    thread.length = 0;
    reply.replaceChildren();
    earlier.replaceChildren();
    earlier.hidden = true;
    follows.hidden = true;
    hint.hidden = false;
    heading.classList.remove("unseen");
    fault.hidden = true;
    question.value = "";
    if (focus) question.focus();
    showMine();
  }

  /** Ask, and show what is said; `digest` is of the answer when the link was made. */
  async function ask(asked, { digest = "", first = false, push = true } = {}) {
    if (!asked.question) {
      complain("The question is empty: ask something in words.");
      question.focus();
      return;
    }
    running?.abort();
    running = new AbortController();
    const { signal } = running;
    fault.hidden = true;
    reply.setAttribute("aria-busy", "true");
    submit.textContent = "Looking…";
    tell("Looking it up");
    try {
      const said = await api.ask(asked, signal);
      if (signal.aborted) return;
      const turn = {
        record: said.record,
        collection: session.collection(said.collection),
        document: asked.document,
        history: asked.history,
        number: thread.length + 1,
      };
      const earlierTurn = thread.at(-1);
      thread.push(turn);
      if (earlierTurn) setAside(earlierTurn);
      remember(session.name, { question: asked.question, collection: asked.collection, document: asked.document });
      const fragment = asFragment(turn);
      if (push) history.pushState(null, "", `#${fragment}`);
      else history.replaceState(null, "", `#${fragment}`);
      reply.replaceChildren(
        digest ? since(digest, said.record, first) : "",
        answerArticle(turn, open, said.record.status === "refused" ? telling(turn) : null, copies(turn)),
      );
      question.value = "";
      follows.hidden = false;
      hint.hidden = true;
      heading.classList.add("unseen");
      document.getElementById("follows-what").textContent = `Understood after “${clip(asked.question, 80)}”. `;
      showMine();
      document.getElementById(`asked-${turn.number}`).focus();
      tell(said.record.status === "refused" ? "The documents do not say." : `${sureness(said.record.confidence)}. ${counted(said.record.citations.length, "quote")}.`);
    } catch (error) {
      if (signal.aborted) return;
      complain(error.message);
      if (error.status === 401) session.signIn();
    } finally {
      if (!signal.aborted) {
        reply.setAttribute("aria-busy", "false");
        submit.textContent = "Ask";
      }
    }
  }

  function complain(words) {
    fault.textContent = words;
    fault.hidden = false;
  }

  function setAside(turn) {
    const short = turn.record.status === "refused" ? turn.record.text : turn.record.text.split("\n")[0];
    if (!earlier.firstChild) earlier.append(el("h2", { class: "label" }, "Earlier in this conversation"), el("ol", { class: "turns" }));
    earlier.hidden = false;
    earlier.lastChild.prepend(
      el(
        "li",
        {},
        el("a", { href: `#${asFragment(turn)}`, dir: "auto" }, oneLine(turn.record.question)),
        el("p", { dir: "auto" }, clip(short, 160)),
      ),
    );
  }

  function since(digest, record, first) {
    // Whoever goes back in this tab knows that nothing was changed.
    if (digest === answerDigest(record)) return first ? el("p", { class: "since" }, "The same answer as when this link was made.") : "";
    return el("p", { class: "since changed" }, el("strong", {}, "The answer has changed"), " since this link was made.");
  }

  function showMine() {
    const asked = remembered(session.name);
    mine.hidden = asked.length === 0;
    mine.replaceChildren(
      el("h2", { id: "mine-title", class: "label" }, "Your questions"),
      el(
        "ul",
        {},
        ...asked.map((one) => {
          const query = new URLSearchParams({ q: one.question });
          if (one.collection) query.set("collection", one.collection);
          if (one.document) query.set("document", one.document);
          return el("li", {}, el("a", { href: `#${query}`, dir: "auto" }, oneLine(one.question)), one.document ? el("span", { class: "hint", dir: "auto" }, ` in ${oneLine(one.document)}`) : null);
        }),
      ),
      el("p", { class: "hint" }, "Kept in this browser only. ", el("button", { type: "button", onclick: () => {
        forget(session.name);
        showMine();
        question.focus();
        tell("Your questions are forgotten");
      } }, "Forget them")),
    );
  }

  function copies(turn) {
    const link = () => {
      const url = new URL(window.location.href);
      url.hash = asFragment(turn);
      return url.href;
    };
    const button = (name, text, done) => el("button", { type: "button", onclick: async (event) => {
      const it = event.currentTarget;
      const did = await copy(text());
      it.textContent = did ? done : "Could not copy";
      tell(it.textContent);
      setTimeout(() => { it.textContent = name; }, 2500);
    } }, name);
    return el(
      "div",
      { class: "copies", role: "group", "aria-label": "Take the answer elsewhere" },
      button("Copy as text", () => asText(turn), "Copied as text"),
      button("Copy as Markdown", () => asMarkdown(turn), "Copied as Markdown"),
      button("Copy a link", link, "Link copied"),
    );
  }

  function telling(turn) {
    const note = el("textarea", { id: `note-${turn.number}`, rows: "2", maxlength: "2000", dir: "auto" });
    const send = el("button", { type: "submit" }, "Tell them");
    const wrong = el("p", { class: "fault", role: "alert", hidden: true });
    const form = el("form", { class: "telling", onsubmit: async (event) => {
      event.preventDefault();
      send.disabled = true;
      try {
        await api.notice({ collection: turn.collection.name, question: turn.record.question, note: note.value.trim() });
        const told = el("p", { class: "told", tabindex: "-1" }, "The owner of these documents will find your question on their list.");
        details.replaceWith(told);
        told.focus();
      } catch (error) {
        wrong.textContent = error.message;
        wrong.hidden = false;
        send.disabled = false;
      }
    } },
      el("p", {}, "Your question goes on the list of those who look after these documents."),
      el("label", { for: note.id }, "What you need it for, if you want to say"),
      note,
      send,
      wrong,
    );
    const details = el("details", { class: "tell-owner" }, el("summary", {}, "Tell the owner of these documents"), form);
    return details;
  }

  showMine();
  return {
    view,
    title: "Ask",
    focus: () => question.focus(),
    ask,
    startAfresh,
    /** Ask inside one document from now on. */
    within(name, path) {
      collection.value = name;
      inside.value = path;
      question.focus();
    },
    /** What a link asks for. */
    openLink(query, { first }) {
      const asked = {
        question: query.get("q").trim(),
        collection: query.get("collection") || chosen(),
        document: query.get("document") || "",
        history: query.getAll("after").map((text) => ({ role: "user", text })),
      };
      startAfresh({ focus: false });
      if (session.collections.some((one) => one.name === asked.collection)) collection.value = asked.collection;
      inside.value = asked.document;
      return ask(asked, { digest: query.get("answer") || "", first, push: false });
    },
  };
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Where the page comes without TLS, browsers have only the old way.
    const area = el("textarea", { class: "unseen", "aria-hidden": "true", tabindex: "-1" });
    area.value = text;
    document.body.append(area);
    const before = document.activeElement;
    area.select();
    const did = document.execCommand("copy");
    area.remove();
    before?.focus();
    return did;
  }
}
