// What can be checked of an answer without Pincite and without a network. `true` is passed, `false`
// failed, `null` could not be checked; what fails says what was found. Without what is unproved
// nothing shows that the words are those of a document, whatever else passed.

const PASSED = true;
const FAILED = false;
const UNCHECKED = null;
const UNPROVED = undefined;

function bundled() {
  return JSON.parse(document.getElementById("bundle").textContent);
}

async function checkAll(files) {
  const bundle = bundled();
  const record = JSON.parse(bundle.record);
  const citations = Array.isArray(record.citations) ? record.citations : [record];
  const found = [];
  const say = (state, what, detail = "") => found.push({ state, what, detail });
  const recordHash = await sha256(utf8(bundle.record));
  say(recordHash === bundle.record_sha256, "The record is whole", `its SHA-256 is ${recordHash}`);
  checkAnswer(record, citations, say);
  if (bundle.citations.length !== citations.length) {
    say(FAILED, "Every citation has its text", "their numbers differ");
  }
  const texts = await Promise.all(bundle.texts.map(prepared));
  const held = citations.map((_, index) => texts[bundle.citations[index]]);
  citations.forEach((citation, index) => checkCitation(citation, index + 1, held[index], say));
  checkShown(bundle, record, citations, held, say);
  if (bundle.audit) {
    await checkEntry(bundle.audit, record, say);
  }
  await checkFiles(citations, held, files, say);
  return found;
}

async function prepared(one) {
  return { ...one, points: Array.from(one.text), sha256: await sha256(utf8(one.text)) };
}

function checkAnswer(record, citations, say) {
  if (typeof record.question === "string" && record.question) {
    say(shown("question") === asShown(record.question), "The question shown is the one recorded");
  }
  if (typeof record.text !== "string") {
    return;
  }
  say(shown("answer") === asShown(record.text), "The answer shown is the one recorded");
  if (record.status === "answered") {
    const quotes = citations.filter((one) => one.role !== "also").map((one) => one.quote.exact);
    const whole = quotes.length > 0 && quotes.join("\n\n") === record.text;
    say(whole, "The answer is its quotes and nothing else");
  } else {
    say(citations.length === 0, "It was refused, and cites nothing");
  }
}

function checkCitation(citation, number, held, say) {
  const name = `Quote ${number}`;
  const { exact, prefix, suffix } = citation.quote;
  say(shown(`exact-${number}`) === asShown(exact), `${name}: the words shown are those recorded`);
  const marks = Array.from(document.getElementsByClassName(`quote-${number}-1`));
  const marked = marks.map((one) => one.textContent).join("");
  say(bare(marked) === bare(asShown(exact)), `${name}: they are what is marked in the text shown`);
  if (!held || held.path !== citation.document.path) {
    say(FAILED, `${name}: there is a text to check it by`);
    return;
  }
  if (held.whole) {
    const same = held.sha256 === citation.text.sha256;
    say(same, `${name}: the text in this file has the hash that is cited`, `it is ${held.sha256}`);
  } else {
    const whose = held.from_record ? "only what the record says" : "only the passages around it";
    say(UNCHECKED, `${name}: the hash of the whole text`, `this file holds ${whose}`);
  }
  const start = citation.position.start - held.start;
  const end = citation.position.end - held.start;
  const inside = start >= 0 && end >= start && end <= held.points.length;
  const there = inside ? held.points.slice(start, end).join("") : "";
  say(inside && there === exact, `${name}: the words stand at the position cited`, `there is ${JSON.stringify(there.slice(0, 200))}`);
  const before = held.points.slice(0, Math.max(0, start)).join("");
  const after = held.points.slice(Math.max(0, end)).join("");
  const beside = inside && endsAlike(before, prefix, held.start > 0) && startsAlike(after, suffix, !held.whole);
  say(beside, `${name}: the words before and after are those cited`);
  if (held.whole) {
    const first = 1 + lineEnds(before);
    const last = first + lineEnds(there.slice(0, -1));
    const { start: from, end: to } = citation.lines;
    say(first === from && last === to, `${name}: the lines are those cited`, `they are ${first}-${last}`);
  }
}

// At the edge of a passage less may be held than the record cites.
function endsAlike(before, prefix, isCut) {
  return before.endsWith(prefix) || (isCut && before.length < prefix.length && prefix.endsWith(before));
}

function startsAlike(after, suffix, isCut) {
  return after.startsWith(suffix) || (isCut && after.length < suffix.length && suffix.startsWith(after));
}

function lineEnds(text) {
  return (text.match(/\r\n?|\n/g) || []).length;
}

async function checkEntry(audit, record, say) {
  const entry = JSON.parse(audit.entry);
  const hash = await sha256(utf8(audit.entry));
  say(hash === audit.sha256, "The audit entry has the hash that is stated", `it is ${hash}`);
  if (!audit.content) {
    say(UNCHECKED, "The content of the audit entry", "it was erased");
    return;
  }
  const content = await sha256(utf8(audit.content));
  say(content === entry.content_sha256, "The content of the audit entry has its hash", `it is ${content}`);
  const same = canonical(JSON.parse(audit.content).record) === canonical(withoutId(record));
  say(same, "The audit entry is about this record");
}

function withoutId(record) {
  const { id, ...rest } = record;
  return rest;
}

function canonical(value) {
  if (Array.isArray(value)) {
    return `[${value.map(canonical).join(",")}]`;
  }
  if (value && typeof value === "object") {
    const names = Object.keys(value).sort();
    return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(",")}}`;
  }
  return JSON.stringify(value);
}

async function checkFiles(citations, texts, files, say) {
  const hashes = new Map();
  for (const file of files) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    hashes.set(await sha256(bytes), { file, bytes });
  }
  const used = new Set();
  const paths = new Set();
  for (const [index, citation] of citations.entries()) {
    const { path, sha256: hash } = citation.document;
    const found = hashes.get(hash);
    const key = JSON.stringify([path, hash]);
    const isNew = !paths.has(key);
    paths.add(key);
    if (found) {
      if (isNew) {
        say(PASSED, `${path}: ${found.file.name} is the file cited, byte for byte`);
      }
      await checkDecoded(citation, index + 1, texts[index], found.bytes, say);
      used.add(hash);
    } else if (texts[index] && !texts[index].whole) {
      say(UNPROVED, `Quote ${index + 1}: that its words are in ${path}`, "choose the original file");
    }
    if (found || !isNew) {
      continue;
    }
    if (files.some((file) => file.name === path.split("/").pop())) {
      say(FAILED, `${path}: the file chosen is the one cited`, "it has another hash: it was changed");
    } else {
      say(UNCHECKED, `${path}: the original file`, "it was not chosen");
    }
  }
  for (const [hash, { file }] of hashes) {
    if (!used.has(hash) && !citations.some((one) => one.document.path.split("/").pop() === file.name)) {
      say(UNCHECKED, file.name, "no citation is of this file");
    }
  }
}

// Where the text is the decoded file, that the words come from there can be seen here too.
async function checkDecoded(citation, number, held, bytes, say) {
  const name = `Quote ${number}`;
  const { path } = citation.document;
  const bom = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const own = bom ? bytes.subarray(3) : bytes;
  if (citation.place !== null || (await sha256(own)) !== citation.text.sha256) {
    const why = "how its text is made of the file is not done again here: `pincite verify` does it";
    say(UNPROVED, `${name}: that its words are in ${path}`, why);
    return;
  }
  say(PASSED, `${name}: its text is the file itself`);
  const points = Array.from(new TextDecoder("utf-8", { ignoreBOM: true }).decode(own));
  const { start, end } = citation.position;
  const there = points.slice(start, end).join("");
  say(there === citation.quote.exact, `${name}: its words stand in the file`, `there is ${JSON.stringify(there.slice(0, 200))}`);
  if (held) {
    const part = points.slice(held.start, held.start + held.points.length).join("");
    say(part === held.text, `${name}: the text around it in this file is that of the file chosen`);
  }
}

function shown(id) {
  const element = document.getElementById(id);
  return element ? element.textContent : "";
}

// What HTML cannot hold is shown as U+FFFD.
function asShown(text) {
  return Array.from(text, (one) => (/^[\0\ud800-\udfff]$/.test(one) ? "\ufffd" : one)).join("");
}

// White space between elements is that of the page.
function bare(text) {
  return text.replace(/[\s\x1c-\x1f\x85]+/g, "");
}

const WORDS = {
  true: ["good", "passed"],
  false: ["bad", "failed"],
  null: ["unsure", "not checked"],
  undefined: ["unsure", "not proved"],
};

function tell(found) {
  const outcome = document.getElementById("outcome");
  const checks = document.getElementById("checks");
  const failed = found.filter((one) => one.state === FAILED).length;
  const passed = found.filter((one) => one.state === PASSED).length;
  const unchecked = found.length - failed - passed;
  const unproved = found.filter((one) => one.state === UNPROVED).map((one) => one.what);
  const rest = unchecked ? ` ${unchecked} could not be made here, as said below.` : "";
  const all = `all ${passed} checks that were made passed.${rest}`;
  if (failed) {
    outcome.className = "bad";
    outcome.textContent = `Not valid: ${failed} of ${failed + passed} checks failed.${rest}`;
  } else if (unproved.length) {
    outcome.className = "unsure";
    outcome.textContent = `Not proved: ${unproved.join("; ")}. But ${all}`;
  } else {
    outcome.className = "good";
    outcome.textContent = `Valid: ${all}`;
  }
  checks.replaceChildren(...found.map(line));
}

function line({ state, what, detail }) {
  const [kind, word] = WORDS[String(state)];
  const item = document.createElement("li");
  item.className = kind;
  const strong = document.createElement("strong");
  strong.textContent = word;
  item.append(strong, ` ${what}${detail && state !== PASSED ? ` (${detail})` : ""}`);
  return item;
}

async function verify() {
  const files = Array.from(document.getElementById("files").files);
  try {
    tell(await checkAll(files));
  } catch (error) {
    tell([{ state: FAILED, what: "What this file holds can be read", detail: String(error) }]);
  }
}

document.getElementById("check").addEventListener("click", verify);
document.getElementById("controls").hidden = false;
document.getElementById("record").textContent = JSON.stringify(JSON.parse(bundled().record), null, 2);
