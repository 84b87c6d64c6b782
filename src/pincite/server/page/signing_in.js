// Where a token is asked for.

import { keepToken } from "./api.js";
import { el } from "./dom.js";

/** The view; `done` is told when a token was given, and says whether the server takes it. */
export function signInView(done) {
  const token = el("input", { id: "token", type: "password", name: "password", required: true, autocomplete: "current-password", spellcheck: "false" });
  const fault = el("p", { class: "fault", role: "alert", hidden: true });
  const view = el(
    "form",
    { class: "view sign-in", onsubmit: async (event) => {
      event.preventDefault();
      keepToken(token.value.trim());
      const problem = await done();
      if (!problem) return;
      keepToken("");
      fault.textContent = problem;
      fault.hidden = false;
      token.focus();
    } },
    el("h1", { tabindex: "-1" }, "Sign in"),
    el("p", {}, "These documents are for people with a token. Whoever runs this server gives you one."),
    el("label", { for: "token" }, "Token"),
    token,
    el("p", { class: "hint" }, "It is kept in this tab and forgotten when you close it."),
    el("button", { type: "submit", class: "primary" }, "Sign in"),
    fault,
  );
  return { view, title: "Sign in", focus: () => token.focus() };
}
