// One's own questions: kept in this browser only, by who asks, newest first.

const MOST = 50;

/** The questions that `caller` asked here; each has `question`, `collection`, `document`. */
export function remembered(caller) {
  try {
    const found = JSON.parse(localStorage.getItem(key(caller)) || "[]");
    return Array.isArray(found) ? found.filter((one) => typeof one.question === "string") : [];
  } catch {
    return [];
  }
}

/** Put this one first; a question asked again is kept once. */
export function remember(caller, asked) {
  const same = (one) => one.question === asked.question && one.collection === asked.collection && one.document === asked.document;
  const kept = [asked, ...remembered(caller).filter((one) => !same(one))].slice(0, MOST);
  try {
    localStorage.setItem(key(caller), JSON.stringify(kept));
  } catch {
    // A browser that keeps nothing, or has no room: then there is no list.
  }
}

/** Take all of them away. */
export function forget(caller) {
  localStorage.removeItem(key(caller));
}

function key(caller) {
  return `pincite-questions:${caller}`;
}
