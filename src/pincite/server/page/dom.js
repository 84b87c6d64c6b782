// Elements are made here. What a document or a person says becomes text and never markup.

/** An element with attributes, listeners (`onclick: f`) and children; absent ones are left out. */
export function el(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

const UNSAFE = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]/gu;

/** The text as it stands; signs that cannot be seen, or turn others around, by their number. */
export function visible(text) {
  return text.replace(/\r\n?/g, "\n").replace(UNSAFE, (sign) => {
    const code = sign.codePointAt(0);
    return code < 0x100 ? `\\x${hex(code, 2)}` : `\\u${hex(code, 4)}`;
  });
}

/** The same on one line. */
export function oneLine(text) {
  return visible(text.replace(/\s+/gu, " ").trim());
}

function hex(code, width) {
  return code.toString(16).padStart(width, "0");
}

/** As much of the text as has room, ended by an ellipsis where some is missing. */
export function clip(text, room) {
  const line = oneLine(text);
  const signs = Array.from(line);
  return signs.length <= room ? line : `${signs.slice(0, room - 1).join("").trimEnd()}…`;
}

/** `1 file`, `2 files`. */
export function counted(count, name) {
  return `${count} ${name}${count === 1 ? "" : "s"}`;
}

/** Say it to those who do not see the page. */
export function tell(text) {
  const told = document.getElementById("told");
  told.textContent = "";
  // Equal words twice are told once: another turn of the loop makes them new.
  setTimeout(() => { told.textContent = text; }, 50);
}
