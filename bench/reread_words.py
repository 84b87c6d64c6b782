"""What reading a place anew gives back, and how words, text and archives are read for it."""

from __future__ import annotations

import io
import re
import tarfile
import unicodedata
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from html import unescape


class Verdict(StrEnum):
    """What came of reading a place anew."""

    EXACT = "exact"
    """The words and nothing else; for cells, the value as it is shown."""
    INSIDE = "inside"
    """The words, with more around or between them."""
    WRONG = "wrong"
    UNREAD = "unread"
    """There is no other way here to read such a place."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Words of a span that one mark covers, and all the words of that mark."""

    words: str
    whole: str


@dataclass(frozen=True, slots=True)
class Found:
    """The verdict, and what stands at the place."""

    verdict: Verdict
    there: str = ""


def bare(words: str) -> str:
    """`words` without white space and signs that are not seen, ligatures taken apart."""
    return "".join(
        letter
        for letter in unicodedata.normalize("NFKC", words)
        if not letter.isspace() and unicodedata.category(letter) not in ("Cf", "Cc", "Cn")
    )


def holds(there: str | None, stretches: Sequence[Stretch]) -> Found:
    """For places that are coarser than the words: each stretch must stand there."""
    if there is None:
        return Found(Verdict.UNREAD)
    whole = bare(there)
    missing = next((one for one in stretches if bare(one.words) not in whole), None)
    if missing is not None:
        return Found(Verdict.WRONG, f"{missing.words[:60]!r} is not in {there[:200]!r}")
    if whole == bare("".join(one.words for one in stretches)):
        return Found(Verdict.EXACT, there)
    return Found(Verdict.INSIDE, there)


def in_order(words: str, there: str) -> bool:
    """Whether the letters of `words` come in `there` in their order."""
    letters = iter(there)
    return all(letter in letters for letter in words)


_CHARSET = re.compile(rb"(?:charset|encoding)\s*=\s*[\"']?\s*([\w.:-]+)", re.I)
_UNSEEN = re.compile(
    r"<!--.*?(?:-->|\Z)|<(script|style|template|noscript)\b.*?(?:</\1\s*>|\Z)"
    r"|<[/!?A-Za-z][^>]*(?:>|\Z)",
    re.I | re.S,
)


@lru_cache(maxsize=8)
def decoded(data: bytes) -> str:
    """Text by its byte order mark, the encoding it names, as UTF-8, or as browsers would."""
    for mark, encoding in (
        (b"\xef\xbb\xbf", "utf-8"),
        (b"\xff\xfe\x00\x00", "utf-32-le"),
        (b"\xff\xfe", "utf-16-le"),
        (b"\xfe\xff", "utf-16-be"),
    ):
        if data.startswith(mark):
            data = data[len(mark) :]
            try:
                return data.decode(encoding)
            except UnicodeDecodeError:
                break
    if data[1:100:2].count(0) > 30:
        return data.decode("utf-16-le", "replace")
    if data[0:100:2].count(0) > 30:
        return data.decode("utf-16-be", "replace")
    named = _CHARSET.search(data[:4096])
    for encoding in (named[1].decode("ascii") if named else "utf-8", "utf-8"):
        try:
            # A page that says so in single bytes is not in UTF-16.
            return data.decode("utf-8" if encoding.lower().startswith("utf-16") else encoding)
        except (UnicodeDecodeError, LookupError):
            continue
    return data.decode("cp1252", "replace")


@lru_cache(maxsize=4)
def archive_members(data: bytes) -> dict[str, bytes]:
    """The files in a ZIP or TAR archive, by their paths."""
    if data.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return {name: archive.read(name) for name in archive.namelist()}
    with tarfile.open(fileobj=io.BytesIO(data)) as tape:
        return {
            member.name: opened.read() for member in tape if (opened := tape.extractfile(member))
        }


def visible(markup: str) -> str:
    """The words of HTML or XML without tags, comments, scripts and styles."""
    return unescape(_UNSEEN.sub("", markup))
