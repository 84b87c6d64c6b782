// An answer to be taken elsewhere: as text, as Markdown with footnotes, as a link to it.

import { headingWords, placeWords } from "./places.js";

/** The question, each quote in quotation marks, and below it where it stands. */
export function asText({ record }) {
  const parts = [record.question];
  for (const citation of record.citations) {
    const where = `– ${citation.document.path}, ${placeWords(citation.place, citation.lines)}${headings(citation)}`;
    if (citation.role === "also") parts[parts.length - 1] += `\n${where}`;
    else parts.push([`“${citation.quote.exact}”`, ...warnings(citation), where].join("\n"));
  }
  parts.push(...conflicts(record));
  if (!record.citations.length) parts.push(`${record.text} ${record.explanation}`);
  return `${parts.join("\n\n")}\n`;
}

/** The quotes as block quotations, each with the numbers of its footnotes, and these below. */
export function asMarkdown({ record }) {
  const parts = [escaped(record.question)];
  const notes = [];
  for (const citation of record.citations) {
    const number = notes.length + 1;
    if (citation.role === "also") parts[parts.length - 1] += `[^${number}]`;
    else {
      const lines = citation.quote.exact.split(/\r\n?|\n/).map((line) => `> ${escaped(line)}`.trimEnd());
      parts.push(`${lines.join("\n")}[^${number}]`, ...warnings(citation).map(escaped));
    }
    const place = placeWords(citation.place, citation.lines);
    notes.push(`[^${number}]: ${escaped(citation.document.title)} (${escaped(citation.document.path)}), ${escaped(place)}${escaped(headings(citation))}. SHA-256 \`${citation.document.sha256}\``);
  }
  parts.push(...conflicts(record).map(escaped));
  if (!record.citations.length) parts.push(escaped(`${record.text} ${record.explanation}`));
  return `${[...parts, ...notes].join("\n\n")}\n`;
}

/** What comes behind `#` in the link that asks this again. */
export function asFragment({ record, collection, document, history }, { digest = true } = {}) {
  const query = new URLSearchParams({ q: record.question });
  if (collection) query.set("collection", collection.name);
  if (document) query.set("document", document);
  for (const turn of history) query.append("after", turn.text);
  if (digest) query.set("answer", answerDigest(record));
  return query.toString();
}

/** A number of what was answered: another one where other words, or other places, are cited. */
export function answerDigest(record) {
  const said = record.status === "answered"
    ? record.citations.map((one) => [one.role, one.document.path, one.quote.exact, one.position.start])
    : [record.reason];
  // No secret hangs on it, and crypto.subtle is missing where a page comes without TLS.
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (const sign of JSON.stringify([record.status, said])) {
    const code = sign.codePointAt(0);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return [high, low].map((half) => (half >>> 0).toString(16).padStart(8, "0")).join("");
}

/** What has to be read with a quote, in the words of the command line. */
function warnings(citation) {
  return (citation.warnings || []).map(({ kind, words }) => {
    if (kind === "qualified") return `but: ${words}`;
    if (kind === "governed") return `said under: ${words}`;
    if (kind === "quotation") return "the document quotes these words itself";
    return `marked as ${kind}: ${words}`;
  });
}

function conflicts(record) {
  return (record.conflicts || []).map(({ documents }) => {
    const [newer, older] = documents.map(({ path, date }) => (date ? `${path} (${date})` : path));
    return `The documents differ: ${newer} says otherwise than ${older}.`;
  });
}

function headings(citation) {
  return citation.heading_path.length ? ` (${headingWords(citation.heading_path)})` : "";
}

function escaped(text) {
  return text.replace(/\r\n?|\n/g, " ").replace(/([\\`*_{}[\]<>#+!|&~$:.()-])/g, "\\$1");
}
