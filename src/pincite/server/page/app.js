// The page: who is there, which view is shown, and what a link asks for.

import * as api from "./api.js";
import { askView } from "./asking.js";
import { documentsView } from "./documents.js";
import { el, oneLine } from "./dom.js";
import { signInView } from "./signing_in.js";
import { closeSource, isOpen, openSource } from "./source.js";
import { unansweredView } from "./unanswered.js";

const main = document.getElementById("main");
const pages = document.getElementById("pages");
const who = document.getElementById("who");
let views = null;
let session = null;

/** Find out who is there, and show what they asked for; what is wrong, or nothing. */
async function start({ signingIn = false } = {}) {
  try {
    const me = await api.me();
    session = {
      name: me.name,
      collections: me.collections.map((one) => ({ ...one, title: one.title || one.name })),
      may: (right) => me.rights.includes(right),
      collection: (name) => session.collections.find((one) => one.name === name) || { name, title: name },
      signIn,
    };
  } catch (error) {
    if (signingIn) return error.status === 401 ? "The server does not take this token: it may be mistyped, revoked or expired." : error.message;
    if (error.status === 401) return signIn();
    show({ view: el("div", { class: "view" }, el("h1", { tabindex: "-1" }, "Pincite"), el("p", { class: "fault", role: "alert" }, error.message)), title: "Not reached", focus() {} });
    return error.message;
  }
  const asking = askView(session, open);
  views = {
    ask: asking,
    documents: documentsView(session, open, (collection, path) => {
      window.location.hash = "";
      show(asking);
      asking.within(collection, path);
    }),
    unanswered: unansweredView(session),
  };
  pages.hidden = false;
  pages.querySelector('[data-view="unanswered"]').hidden = !session.may("index");
  pages.querySelector('[data-view="documents"]').hidden = !session.may("ask");
  // Whoever is on the machine of a server without tokens is nobody in particular.
  who.hidden = session.name === "local";
  who.replaceChildren(oneLine(session.name), api.hasToken() ? el("button", { type: "button", onclick: signOut }, "Sign out") : "");
  route({ first: true });
  return "";
}

function signIn() {
  closeSource({ focus: false });
  pages.hidden = true;
  who.hidden = true;
  const view = signInView(() => start({ signingIn: true }));
  show(view);
  view.focus();
}

function signOut() {
  api.keepToken("");
  window.location.hash = "";
  window.location.reload();
}

function show(view, { focus = false } = {}) {
  if (main.firstElementChild !== view.view) main.replaceChildren(view.view);
  document.title = `${view.title} – Pincite`;
  for (const link of pages.querySelectorAll("a")) {
    const here = views !== null && views[link.dataset.view] === view;
    if (here) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  if (focus) view.focus();
}

function route({ first = false } = {}) {
  if (!views) return;
  closeSource({ focus: false });
  const fragment = window.location.hash.slice(1);
  const query = new URLSearchParams(fragment);
  if (query.get("q")?.trim()) {
    show(views.ask);
    views.ask.openLink(query, { first });
  } else if (query.get("show")) {
    show(views.documents);
    views.documents.load();
    const at = /^(\d+),(\d+)$/.exec(query.get("at") || "");
    const position = at ? { start: Number(at[1]), end: Number(at[2]) } : null;
    openSource({ collection: query.get("collection") || session.collections[0]?.name, path: query.get("show"), position, mayRead: session.may("read") });
  } else if (fragment === "documents" || fragment === "unanswered") {
    const view = views[fragment];
    show(view, { focus: !first });
    view.load();
  } else {
    show(views.ask);
    views.ask.startAfresh();
  }
}

function open(collection, cited, from, path = cited.document.path) {
  return openSource({ collection, path, cited, position: cited?.position ?? null, from, mayRead: session.may("read") });
}

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape" && isOpen()) {
    event.preventDefault();
    closeSource();
  } else if (event.key === "/" && views && !event.target.closest("input, textarea, select")) {
    event.preventDefault();
    if (main.firstElementChild !== views.ask.view) {
      history.pushState(null, "", "#");
      show(views.ask);
    }
    views.ask.focus();
  }
});
document.querySelector(".skip").addEventListener("click", (event) => {
  // What stands behind # is the page's own.
  event.preventDefault();
  main.focus();
});
window.addEventListener("popstate", () => route());
start();
