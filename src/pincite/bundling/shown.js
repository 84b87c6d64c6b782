// What the page says is worked out again of the record and the texts, and compared; but what no
// record holds is only named: it is the word of whoever made the file.

const ROLES = { answer: "Answers", part: "Answers a part", also: "Says the same" };
const SPACE = "[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]";
const UNSAFE = "[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069\\ud800-\\udfff]";

function checkShown(bundle, record, citations, texts, say) {
  const main = document.querySelector("main");
  const expected = [["The head", headWords(record)]];
  if (record.status) {
    expected.push(["The answer", answerWords(record)]);
  }
  expected.push(["The check", null]);
  citations.forEach((citation, index) => {
    expected.push([`Quote ${index + 1}`, quoteWords(citation, index + 1, texts[index])]);
  });
  if (record.status === "refused" && nearest(record).length) {
    expected.push(["What is nearest", nearWords(record)]);
  }
  expected.push(["Where it is from", aboutWords(bundle, record)]);
  const parts = Array.from(main.children);
  const alone = Array.from(main.childNodes).filter((one) => one.nodeType === Node.TEXT_NODE);
  const stray = alone.map((one) => one.textContent).join("");
  const same = parts.length === expected.length && document.body.firstElementChild === main;
  say(same && !bare(stray), "The page has the parts of its record and no others");
  expected.forEach(([name, words], index) => {
    if (words !== null && parts[index]) {
      say(bare(ownWords(parts[index])) === bare(words), `${name}: what is shown is what the record says`);
    }
  });
  citations.forEach((citation, index) => {
    checkLeaf(citation, index + 1, texts[index], bundle.shown[index], say);
  });
}

// The text around a quote, and that its mark stands where the quote does.
function checkLeaf(citation, number, held, span, say) {
  const article = document.getElementById(`h-${number}`)?.closest("article");
  const leaf = article?.querySelector(".leaf");
  const mark = leaf?.getElementsByClassName(`quote-${number}-1`)[0];
  let isSame = false;
  if (mark && held) {
    const [start, end] = span.map((one) => one - held.start);
    const before = document.createRange();
    before.setStart(leaf, 0);
    before.setEndBefore(mark);
    const at = citation.position.start - held.start;
    const whole = start >= 0 && end <= held.points.length && start <= at;
    const words = (from, to) => bare(asShown(held.points.slice(from, to).join("")));
    isSame =
      whole && bare(leaf.textContent) === words(start, end) && bare(before.toString()) === words(start, at);
  }
  say(isSame, `Quote ${number}: the text shown around it is the one in this file, and it is marked in it`);
  const claimed = Array.from(article ? article.querySelectorAll(CLAIMED) : []);
  if (claimed.length) {
    const told = claimed.map((one) => one.textContent.trim()).join("; ");
    say(UNCHECKED, `Quote ${number}: what only its maker says`, told.slice(0, 300));
  }
}

// What became of a citation, pictures of pages, and the name of a place that is not lines.
const CLAIMED = ":scope > .state, :scope > figure, :scope > h2 > .place";

function ownWords(part) {
  const copy = part.cloneNode(true);
  const others = copy.querySelectorAll(`${CLAIMED}, :scope > .leaf, #record`);
  others.forEach((one) => one.remove());
  return copy.textContent;
}

function headWords(record) {
  return `Evidence of an answer by Pincite${asShown(record.question || "A citation")}`;
}

function answerWords(record) {
  if (record.status === "refused") {
    const told = [record.explanation, record.advice].filter((one) => typeof one === "string");
    return asShown(["Refused", record.text, ...told].join(" "));
  }
  const words = ["Answer", record.text, "These are words of the documents below, and nothing else."];
  if (typeof record.confidence === "number") {
    words.push(`Confidence ${(Math.floor(record.confidence * 100) / 100).toFixed(2)} of 1.`);
  }
  words.push(...(record.unanswered_parts || []).map((part) => `Not answered: ${part}`));
  if ((record.conflicts || []).length) {
    words.push("The documents below contradict each other: read both.");
  }
  return asShown(words.join(" "));
}

function quoteWords(citation, number, held) {
  const { document: source, text, lines, position } = citation;
  const last = lines.end === lines.start ? "" : `-${lines.end}`;
  const path = source.path.replace(new RegExp(`${UNSAFE}|[\\t\\n]`, "gu"), escaped);
  const source_of_leaf = held && held.from_record ? " (as the record gives it)" : "";
  return [
    `Quote ${number}:`,
    citation.place === null ? `${path}:${lines.start}${last}` : "",
    citation.heading_path.map(oneLine).join("›"),
    `${[ROLES[citation.role || "answer"], ...(citation.parts || []).map(asShown)].join(" ")}.`,
    asShown(citation.quote.exact),
    asShown(citation.cells || ""),
    ...(citation.warnings || []).map((one) => `Note (${one.kind}): ${asShown(one.words)}`),
    `In its text${source_of_leaf}`,
    facts("What is cited", [
      ["File", source.path],
      ["SHA-256 of the file", source.sha256],
      ["Kind", source.media_type],
      ["Last changed", source.modified],
      ["Extractor", `${text.extractor} ${text.extractor_version}`],
      ["SHA-256 of the extracted text", text.sha256],
      ["Position", `${position.start}-${position.end} (code points)`],
    ]),
  ].join(" ");
}

function nearest(record) {
  return Array.isArray(record.retrieved) ? record.retrieved : [];
}

function nearWords(record) {
  const found = nearest(record).map(({ document: source, text }) => {
    return asShown(source.path) + Array.from(oneLine(text)).slice(0, 2000).join("");
  });
  return ["Nearest, and no answer", ...found].join(" ");
}

function aboutWords(bundle, record) {
  const { index, pincite } = record;
  const words = facts("The record", [
    ["SHA-256 of the record", bundle.record_sha256],
    ["Fingerprint of the index", index ? index.fingerprint : ""],
    ["Generation of the index", index ? String(index.generation) : ""],
    ["Answered by", pincite ? `pincite ${pincite.version}` : ""],
    ["Chosen by", record.scorer],
    ["Vectors of", record.encoder],
    ["This file made by", `pincite ${bundle.made_by}`],
  ]);
  const entry = bundle.audit ? JSON.parse(bundle.audit.entry) : null;
  const audited = entry
    ? facts("The entry in the audit log", [
        ["Entry", `${entry.sequence} (${entry.kind})`],
        ["Time", entry.time],
        ["SHA-256 of its content", entry.content_sha256],
        ["SHA-256 of the entry before", entry.previous],
        ["SHA-256 of the entry", bundle.audit.sha256],
      ])
    : "";
  return `Where this is from ${words} ${audited} The record as JSON`;
}

function facts(name, pairs) {
  const known = pairs.filter(([, value]) => typeof value === "string" && value);
  return [name, ...known.map(([key, value]) => key + oneLine(value))].join(" ");
}

function oneLine(text) {
  const spaced = text.replace(new RegExp(`${SPACE}+`, "gu"), " ").trim();
  return spaced.replace(new RegExp(UNSAFE, "gu"), escaped);
}

function escaped(one) {
  const code = one.charCodeAt(0);
  const digits = code.toString(16);
  return code < 0x100 ? `\\x${digits.padStart(2, "0")}` : `\\u${digits.padStart(4, "0")}`;
}
