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
  const record = await response.json();
  return { record, collection: decodeURIComponent(response.headers.get("Pincite-Collection") || "") };
}

/** Each collection, or the one named, with its documents and what could not be read. */
export async function documents(collection = "") {
  return (await json("GET", "documents", { query: { collection } })).collections;
}

/** The text and structure of a document around `position`, which is marked in it. */
export async function leafOf({ collection, path, position, reach }) {
  const place = `${position.start},${position.end}`;
  const quote = position.end > position.start ? place : "";
  return json("GET", "leaf", { query: { collection, path, around: place, quote, reach } });
}

/** Where the words at `position` stand: `lines`, and `place` in the file's own units. */
export async function placeAt({ collection, path, position }) {
  const locator = `${path}#char=${position.start},${position.end}`;
  const shown = await json("GET", "show", { query: { collection, locator } });
  return { ...shown.marked, heading_path: shown.heading_path };
}

/** Where the file of a document is. */
export function original(collection, path) {
  return ["documents", collection, ...path.split("/")].map(encodeURIComponent).join("/");
}

/** The bytes of what is there. */
export async function bytesOf(path) {
  return (await request("GET", path)).arrayBuffer();
}

/** How far each collection is, for those who keep it. */
export async function kept() {
  return (await json("GET", "index")).collections;
}

/** Have a collection indexed again. */
export async function renew(collection) {
  await request("POST", "index", { body: { collection } });
}

/** Tell the owner of the documents that a question has no answer in them. */
export async function notice(told) {
  await request("POST", "notices", { body: told });
}

/** The questions without an answer, the most asked first. */
export async function unanswered() {
  return (await json("GET", "unanswered")).questions;
}
