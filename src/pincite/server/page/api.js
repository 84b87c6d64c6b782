// What the page asks of the server, and the token it shows.

const TOKEN = "pincite-token";

/** What the server could not do, in its own words. */
export class Problem extends Error {
  constructor(status, title, detail) {
    super(detail || title);
    this.name = "Problem";
    this.status = status;
  }
}

/** Keep the token of this tab; it is gone when the tab is closed. Empty: forget it. */
export function keepToken(token) {
  if (token) sessionStorage.setItem(TOKEN, token);
  else sessionStorage.removeItem(TOKEN);
}

/** Whether this tab shows a token. */
export function hasToken() {
  return sessionStorage.getItem(TOKEN) !== null;
}

/** What every request says of who asks. */
export function headers() {
  const token = sessionStorage.getItem(TOKEN);
  return token ? { Authorization: `Bearer ${token}` } : {};
}

/** The address of something the server has; empty values are left out. */
export function address(path, query = {}) {
  const found = new URL(path, document.baseURI);
  found.hash = "";
  found.search = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== "" && value !== null && value !== undefined)).toString();
  return found.href;
}

async function request(method, path, { query, body, signal } = {}) {
  const said = headers();
  if (body !== undefined) said["Content-Type"] = "application/json";
  let response;
  try {
    response = await fetch(address(path, query), {
      method,
      headers: said,
      body: body === undefined ? undefined : JSON.stringify(body),
      signal,
      credentials: "same-origin",
      redirect: "error",
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem(0, "The server does not answer. Is it running, and are you connected to it?");
  }
  if (!response.ok) {
    const problem = await response.json().catch(() => ({}));
    throw new Problem(response.status, problem.title || `The server says ${response.status}.`, problem.detail);
  }
  return response;
}

async function json(...what) {
  return (await request(...what)).json();
}

/** Who asks, what they may, and the collections that are there for them. */
export async function me() {
  return json("GET", "me");
}

/** The record of an answer or refusal, and the name of the collection it is from. */
export async function ask({ question, collection, document, history }, signal) {
  const body = { question, history };
  if (collection) body.collection = collection;
  if (document) body.document = document;
  const response = await request("POST", "ask", { body, signal });
  return { record: await response.json(), collection: response.headers.get("Pincite-Collection") };
}

/** The documents and problems of a collection, or of each where none is named. */
export async function documents(collection) {
  return (await json("GET", "documents", { query: { collection } })).collections;
}

/** A document as its text and structure, or what is around a place in it, with `quotes` marked. */
export async function leafOf({ collection, path, quotes, around, reach }) {
  const query = { collection, path, quote: quotes.map(({ start, end }) => `${start},${end}`).join(";") };
  if (around) Object.assign(query, { around: `${around.start},${around.end}`, reach });
  return json("GET", "leaf", { query });
}

/** Where the file of a document is. */
export function original(collection, path) {
  return { path: "documents/original", query: { collection, path } };
}

/** The bytes of what is there. */
export async function bytesOf({ path, query }) {
  return (await request("GET", path, { query })).arrayBuffer();
}

/** Have a collection indexed again. */
export async function renew(collection) {
  return json("POST", "index", { body: { collection } });
}

/** Whether a collection is being indexed, and why that failed last. */
export async function indexState(collection) {
  const found = await json("GET", "index", { query: { collection } });
  return { running: found.running, problem: found.problem };
}

/** Tell the owner of the documents that a question has no answer in them. */
export async function notice(told) {
  return json("POST", "notices", { body: told });
}

/** The questions without an answer, the most asked first. */
export async function unanswered() {
  return (await json("GET", "unanswered")).questions;
}
