"use strict";

// SHA-256 (FIPS 180-4) for browsers that keep theirs from local files.

const ROUND = (() => {
  const found = [];
  for (let n = 2; found.length < 64; n += 1) {
    if (found.every((one) => n % one.prime)) {
      found.push({ prime: n, word: fraction(Math.cbrt(n)) });
    }
  }
  return Uint32Array.from(found, (one) => one.word);
})();

function fraction(number) {
  return Math.floor((number - Math.floor(number)) * 2 ** 32);
}

function sha256Here(bytes) {
  const state = Uint32Array.from([2, 3, 5, 7, 11, 13, 17, 19], (n) => fraction(Math.sqrt(n)));
  const padded = new Uint8Array(((bytes.length + 72) >> 6) << 6);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(padded.length - 4, (bytes.length * 8) % 2 ** 32);
  const words = new Uint32Array(64);
  for (let at = 0; at < padded.length; at += 64) {
    block(state, words, view, at);
  }
  return Array.from(state, (word) => word.toString(16).padStart(8, "0")).join("");
}

function block(state, w, view, at) {
  for (let i = 0; i < 16; i += 1) {
    w[i] = view.getUint32(at + 4 * i);
  }
  for (let i = 16; i < 64; i += 1) {
    const a = w[i - 15];
    const b = w[i - 2];
    w[i] =
      w[i - 16] + (turned(a, 7) ^ turned(a, 18) ^ (a >>> 3)) +
      w[i - 7] + (turned(b, 17) ^ turned(b, 19) ^ (b >>> 10));
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < 64; i += 1) {
    const one =
      (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + ROUND[i] + w[i]) | 0;
    const two = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => {
    state[i] += word;
  });
}

function turned(word, by) {
  return (word >>> by) | (word << (32 - by));
}

async function sha256(bytes) {
  if (globalThis.crypto && crypto.subtle) {
    const found = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
    return Array.from(found, (byte) => byte.toString(16).padStart(2, "0")).join("");
  }
  return sha256Here(bytes);
}

// UTF-8 that keeps halves of surrogate pairs, as the hashes of texts do.
function utf8(text) {
  const found = new Uint8Array(text.length * 3);
  let size = 0;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.codePointAt(i);
    if (code < 0x80) {
      found[size++] = code;
    } else if (code < 0x800) {
      found[size++] = 0xc0 | (code >> 6);
      found[size++] = 0x80 | (code & 63);
    } else if (code < 0x10000) {
      found[size++] = 0xe0 | (code >> 12);
      found[size++] = 0x80 | ((code >> 6) & 63);
      found[size++] = 0x80 | (code & 63);
    } else {
      found[size++] = 0xf0 | (code >> 18);
      found[size++] = 0x80 | ((code >> 12) & 63);
      found[size++] = 0x80 | ((code >> 6) & 63);
      found[size++] = 0x80 | (code & 63);
      i += 1;
    }
  }
  return found.subarray(0, size);
}
