"""Bytes to text, in whatever encoding a person's disk holds.

The text is the decoded file exactly: line ends, NULs and control characters stay. A byte order
mark is not part of it. Bytes that fit no reading become U+FFFD, never a surrogate.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from pincite.loaders.extracted import UnreadableContent
from pincite.text.languages import detect

SAMPLE_BYTES = 65_536
"""Looked at to guess an encoding; the guess does not change with more."""

BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

_SIGNATURES = (
    (b"%PDF-", "a PDF"),
    (b"PK\x03\x04", "a ZIP archive or an office document"),
    (b"PK\x05\x06", "an empty ZIP archive"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Microsoft Office document"),
    (b"{\\rtf", "a Rich Text (RTF) document"),
    (b"%!PS", "a PostScript document"),
    (b"\x89PNG\r\n\x1a\n", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF87a", "a GIF image"),
    (b"GIF89a", "a GIF image"),
    (b"II*\x00", "a TIFF image"),
    (b"MM\x00*", "a TIFF image"),
    (b"RIFF", "a sound, film or WebP file"),
    (b"OggS", "a sound or film file"),
    (b"ID3", "a sound file"),
    (b"fLaC", "a sound file"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ\x00", "an xz archive"),
    (b"!BDN", "an Outlook data file (PST), whose messages can be exported to MBOX or EML,"),
    (b"\x78\x9f\x3e\x22", "a message packed by Outlook (winmail.dat)"),
    (b"PAR1", "a Parquet table"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
    (b"Rar!\x1a\x07", "a RAR archive"),
    (b"\x28\xb5\x2f\xfd", "a Zstandard archive"),
    (b"\x7fELF", "a program"),
    (b"\xca\xfe\xba\xbe", "a program"),
    (b"\x00asm", "a program"),
    (b"SQLite format 3\x00", "an SQLite database"),
    (b"wOFF", "a font"),
    (b"wOF2", "a font"),
)
# Signatures made of letters could begin a text; a NUL soon after says that they do not.
_NEEDS_NUL = frozenset(
    {b"RIFF", b"OggS", b"ID3", b"fLaC", b"BZh", b"wOFF", b"wOF2", b"PAR1", b"!BDN"}
)

_CONTROL = bytes(set(range(32)) - set(b"\t\n\r\x0b\x0c\x1b\x08")) + b"\x7f"
_HIGH_RUN = re.compile(rb"[\x80-\xff]+")
_HIGH_CONTROLS = re.compile(rb"[\x80-\x9f]")
_ISO_2022_JP = re.compile(rb"\x1b\$[@B]|\x1b\([BJ]")

# Encodings tried for bytes that are not Unicode: what people's disks hold, most common first.
_LEGACY = (
    "cp1252", "cp1250", "cp1251", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "cp1258",
    "iso8859_2", "iso8859_5", "iso8859_7", "koi8_r", "koi8_u", "cp437", "cp850", "cp866",
    "mac_roman", "cp932", "euc_jp", "gb18030", "big5", "cp949", "cp037", "cp500",
)  # fmt: skip
_LATIN = frozenset(
    {"cp1250", "cp1252", "cp1254", "cp1257", "cp1258", "iso8859_2", "cp437", "cp850", "mac_roman"}
)
_SINGLE_BYTE = _LATIN | {
    "cp1251", "cp1253", "cp1255", "cp1256", "iso8859_5", "iso8859_7", "koi8_r", "koi8_u", "cp866",
}  # fmt: skip
_EAST_ASIAN = re.compile("[\\s\u0021-\u007e\u3000-\u30ff\u4e00-\u9fff\uac00-\ud7af\uff00-\uffef]")
_EAST_ASIAN_SIGN = re.compile("[\\s\u3001\u3002\uff0c]")
# These differ in seven signs only, among them the exclamation mark and the brackets.
_MAINFRAME = ("cp037", "cp500")
_HIGH_BYTES = bytes(range(128, 256))
_UTF8_SAMPLE = 512
_SIGN_IN_WORD = re.compile("[^\\W\\d_][^\\w\\s\x00-\x7f’‘´·\xad–—][^\\W\\d_]|\ufffd")


class NotTextError(ValueError):
    """Bytes that hold no text; the message says what they look like."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """A text and the encoding it was read in (Python's name, without byte order mark)."""

    text: str
    encoding: str
    has_mark: bool


def decode(data: bytes) -> Decoded:
    """The text in `data`. Raises `NotTextError` for files of other kinds, told by content.

    Order: byte order mark, UTF-16 or UTF-32 by the pattern of its NULs, UTF-8, then a guess
    among the encodings of one country or company from the first `SAMPLE_BYTES`. Deterministic.
    """
    for mark, encoding in BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return _decode_marked(data[len(mark) :], encoding)
    looks_like = _signature(data)
    if looks_like:
        raise NotTextError(f"looks like {looks_like}")
    return _decode_unmarked(data, has_mark=False)


def decoded_text(data: bytes) -> str:
    """The text in `data`; raises `UnreadableContent` for files of other kinds."""
    try:
        return decode(data).text
    except NotTextError as error:
        raise UnreadableContent(f"{error}, which Pincite does not read") from error


def _decode_marked(data: bytes, encoding: str) -> Decoded:
    if encoding == "utf-8":
        return _decode_unmarked(data, has_mark=True)
    return Decoded(data.decode(encoding, errors="replace"), encoding, has_mark=True)


def _decode_unmarked(data: bytes, *, has_mark: bool) -> Decoded:
    wide = wide_encoding(data[:SAMPLE_BYTES])
    if wide is not None:
        return Decoded(data.decode(wide, errors="replace"), wide, has_mark)
    if not data.isascii() and not _is_utf8(data[:_UTF8_SAMPLE].rstrip(_HIGH_BYTES)):
        wide = _east_asian_wide_encoding(data[:SAMPLE_BYTES])
        if wide is not None:
            return Decoded(data.decode(wide, errors="replace"), wide, has_mark)
    _refuse_binary(data[:SAMPLE_BYTES])
    if _ISO_2022_JP.search(data, 0, SAMPLE_BYTES):
        try:
            return Decoded(data.decode("iso2022_jp"), "iso2022_jp", has_mark)
        except UnicodeDecodeError:
            pass  # Escape sequences of another kind: terminal colours, for one.
    try:
        return Decoded(data.decode("utf-8"), "utf-8", has_mark)
    except UnicodeDecodeError as error:
        if _is_damaged_utf8(data, error.start):
            return Decoded(data.decode("utf-8", errors="replace"), "utf-8", has_mark)
    encoding = _guess(data)
    return Decoded(data.decode(encoding, errors="replace"), encoding, has_mark)


def _signature(data: bytes) -> str | None:
    for signature, name in _SIGNATURES:
        if data.startswith(signature) and (signature not in _NEEDS_NUL or b"\x00" in data[:256]):
            return name
    if data[4:8] == b"ftyp":
        return "a film, sound or HEIC file"
    if data[:2] == b"MZ" and b"\x00" in data[:64]:
        return "a program"
    return None


def wide_encoding(sample: bytes) -> str | None:
    """UTF-16 or UTF-32 without a byte order mark, by where the NULs stand; else None."""
    nul_count = sample.count(0)
    if nul_count * 20 < len(sample) or len(sample) < 4:
        return None
    quarters = [sample[k::4].count(0) * 4 / len(sample) for k in range(4)]
    if min(quarters[1:]) > 0.8 and quarters[0] < 0.2:
        return "utf-32-le"
    if min(quarters[:3]) > 0.8 and quarters[3] < 0.2:
        return "utf-32-be"
    even = sample[0::2].count(0) * 2 / len(sample)
    odd = sample[1::2].count(0) * 2 / len(sample)
    for encoding, zeros, others in (("utf-16-le", odd, even), ("utf-16-be", even, odd)):
        if zeros > 0.05 and others < zeros / 8:
            whole = sample[: len(sample) // 2 * 2]
            text = whole.decode(encoding, errors="ignore")
            readable = sum(map(_is_readable, text))
            if readable > 0.9 * len(text):
                return encoding
    return None


def _east_asian_wide_encoding(sample: bytes) -> str | None:
    """UTF-16 that has no NULs, because no letter in it is Latin; needs its scripts' stops."""
    whole = sample[: len(sample) // 2 * 2]
    for encoding in ("utf-16-le", "utf-16-be"):
        text = whole.decode(encoding, errors="replace")
        usual = len(_EAST_ASIAN.findall(text))
        if usual > 0.95 * len(text) and len(_EAST_ASIAN_SIGN.findall(text)) * 200 > len(text):
            return encoding
    return None


def _is_readable(character: str) -> bool:
    return character.isprintable() or character in "\t\r\n\x0b\x0c"


def _refuse_binary(sample: bytes) -> None:
    controls = len(sample) - len(sample.translate(None, _CONTROL))
    nuls = sample.count(0)
    # Stray NULs happen in logs and exports; other control characters in number do not.
    if (controls - nuls) * 50 > len(sample) or nuls * 4 > len(sample):
        raise NotTextError("holds binary data, not text")


def _is_damaged_utf8(data: bytes, first_error: int) -> bool:
    """Whether the bytes are UTF-8 but for a few places (a cut end, one pasted line)."""
    start = max(0, first_error - SAMPLE_BYTES // 2)
    sample = data[start : start + SAMPLE_BYTES]
    runs = _HIGH_RUN.findall(sample)
    good = sum(1 for run in runs if _is_utf8(run))
    bad = len(runs) - good
    return good > 4 * bad


def _is_utf8(run: bytes) -> bool:
    try:
        run.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _guess(data: bytes) -> str:
    high = _HIGH_RUN.search(data)
    start = max(0, (high.start() if high else 0) - 1024)
    sample = data[start : start + SAMPLE_BYTES]
    # Not at the top: asking an index that is up to date should not pay for loading it.
    from charset_normalizer import from_bytes

    best = from_bytes(sample, cp_isolation=list(_LEGACY)).best()
    guess = "cp1252" if best is None or best.encoding == "ascii" else best.encoding
    if guess in _SINGLE_BYTE and _is_accented_latin(sample, guess):
        guess = _latin_encoding(sample, guess)
    if guess in _MAINFRAME:
        guess = min(_MAINFRAME, key=lambda one: (_oddness(sample.decode(one)), one))
    return guess


def _oddness(text: str) -> int:
    """How many signs there are that are rare in any text, and brackets without another."""
    rare = sum(map(text.count, "|^\xa2\xac"))
    return rare + abs(text.count("[") - text.count("]"))


def _is_accented_latin(sample: bytes, guess: str) -> bool:
    """Whether bytes over 127 stand one by one: accents and typographic signs, not an alphabet."""
    if guess in _LATIN:
        return True
    runs = _HIGH_RUN.findall(sample)
    return sum(1 for run in runs if len(run) > 2) * 4 < len(runs)


def _latin_encoding(sample: bytes, guess: str) -> str:
    """Of the encodings that differ in their accents only, the one for the text's language."""
    as_western = sample.decode("cp1252", errors="replace")
    language = detect(as_western)
    if language in ("cs", "hu", "pl", "ro"):
        return _central_european(sample, language)
    if language == "tr":
        return "cp1254"
    # Signs inside words say that these are not the accents of cp1252 but those of DOS or a Mac.
    return guess if guess in _LATIN and _SIGN_IN_WORD.search(as_western) else "cp1252"


def _central_european(sample: bytes, language: str) -> str:
    """cp1250 or ISO 8859-2, which differ in where s, z and a few others have their accents."""
    has_windows_letters = _HIGH_CONTROLS.search(sample) is not None
    is_polish_windows = language == "pl" and b"\xb9" in sample and b"\xb1" not in sample
    return "cp1250" if has_windows_letters or is_polish_windows else "iso8859_2"
