"""What a bundle shows of each citation: the text around it, the pages, and whether it holds now."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pincite.errors import FolderNotFound
from pincite.loaders import DEFAULT, LoadSettings, document_of_text
from pincite.places import Box, PagePlace
from pincite.rechecking import read_in, rechecked
from pincite.records import Citation, Document, Passage, Span, Stretch
from pincite.render.leaf import Leaf, leaf, stretch_of
from pincite.render.saved import SavedAnswer
from pincite.verifications import Status, Verification

TEXT_LIMIT = 1_000_000
"""Code points; of a longer text only the passages around a quote are put into a bundle."""
_REACH = 300
_PAGE_WIDTH = 1_000
_MOST_PAGES = 4
"""Pictures for one quote."""


@dataclass(frozen=True, slots=True)
class HeldText:
    """The extracted text of a document, or a part of it, as a bundle holds it."""

    path: str
    start: int
    """In the document."""
    text: str
    is_whole: bool
    from_record: bool
    """It is what the record says, and was not read from the document."""


@dataclass(frozen=True, slots=True)
class ShownPage:
    """The picture of a page, and where the quote is printed on it."""

    number: int
    label: str
    png: bytes
    width: int
    height: int
    boxes: tuple[Box, ...]


@dataclass(frozen=True, slots=True)
class Evidence:
    """A citation with what it can be checked by."""

    citation: Citation
    verification: Verification | None
    """What has become of it; None where no folder was given."""
    held: HeldText
    leaf: Leaf
    """The passages around the quote, in which it is marked as quote 1."""
    pages: tuple[ShownPage, ...]


def gathered(
    saved: SavedAnswer,
    root: Path | None,
    settings: LoadSettings = DEFAULT,
    *,
    text_limit: int = TEXT_LIMIT,
) -> list[Evidence]:
    """The evidence of each citation, in order.

    Documents are read in the folder `root`; `FolderNotFound` without it. Where there is no folder,
    or the document there is not the one that was cited, it is the passages that the record holds.
    """
    if root is not None and not root.is_dir():
        raise FolderNotFound(root)
    found: dict[int, Evidence] = {}
    by_path: dict[str, list[int]] = {}
    for number, citation in enumerate(saved.citations):
        by_path.setdefault(citation.document.path, []).append(number)
    for path, numbers in by_path.items():
        read = None if root is None else read_in(root, path, settings)
        cited = [saved.citations[number] for number in numbers]
        told: Sequence[Verification | None] = [None] * len(cited)
        if read is not None:
            told = rechecked(cited, read, [saved.version] * len(cited))
        for number, citation, verification in zip(numbers, cited, told, strict=True):
            if isinstance(read, Document) and read.extraction.sha256 == citation.text.sha256:
                stretch, held = _read(citation, read, text_limit)
            else:
                stretch, held = _recorded(citation, saved.record)
            pages: tuple[ShownPage, ...] = ()
            if root is not None and isinstance(read, Document):
                pages = tuple(_pages(citation, read, root / path, settings.passwords))
            found[number] = Evidence(
                citation, verification, held, leaf(stretch, [citation.position]), pages
            )
    return [found[number] for number in range(len(saved.citations))]


def _read(citation: Citation, document: Document, limit: int) -> tuple[Stretch, HeldText]:
    stretch = stretch_of(document, citation.position, reach=_REACH)
    is_whole = len(document.text) <= limit and _is_holdable(document.text)
    span = Span(0, len(document.text)) if is_whole else stretch.span
    path = document.source.path
    return stretch, HeldText(path, span.start, span.of(document.text), is_whole, False)


def _is_holdable(text: str) -> bool:
    """Whether JavaScript can have the same text: two halves of a pair side by side become one."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass") == text


def _recorded(citation: Citation, record: Mapping[str, Any]) -> tuple[Stretch, HeldText]:
    """The passage that the record itself gives, or the quote between the words beside it."""
    quote = citation.quote
    start = max(0, citation.position.start - len(quote.prefix))
    text = quote.prefix + quote.exact + quote.suffix
    line = max(1, citation.lines.start - quote.prefix.count("\n"))
    for one in record.get("retrieved", ()):
        match one:
            case {
                "document": {"path": citation.document.path},
                "position": {"start": int(first), "end": int(last)},
                "lines": {"start": int(first_line)},
                "text": str(words),
            } if first <= citation.position.start and citation.position.end <= last:
                start, line, text = first, first_line, words
                break
    path = citation.document.path
    document = document_of_text(text, name=path)
    inner = stretch_of(document)
    stretch = replace(
        inner,
        document=citation.document,
        text=citation.text,
        passages=tuple(_moved(one, start, line - 1) for one in inner.passages),
        length=start + len(text),
    )
    return stretch, HeldText(path, start, text, is_whole=False, from_record=True)


def _moved(passage: Passage, by: int, lines: int) -> Passage:
    """A passage of a part as one of the whole, from `by` and that many lines on."""
    return replace(
        passage,
        span=Span(passage.span.start + by, passage.span.end + by),
        first_line=passage.first_line + lines,
        sentences=tuple(
            replace(
                one,
                start=one.start + by,
                end=one.end + by,
                quote=Span(one.quote.start + by, one.quote.end + by),
            )
            for one in passage.sentences
        ),
    )


def _pages(
    citation: Citation, document: Document, file: Path, passwords: Sequence[str]
) -> Iterator[ShownPage]:
    """The pages of a PDF file that the quote is printed on, if the file is the one cited."""
    place = citation.place
    if not isinstance(place, PagePlace) or document.source.sha256 != citation.document.sha256:
        return
    # Drawing needs what no other document does.
    from pincite.loaders.pdf.pdf_picture import page_picture

    with contextlib.suppress(OSError):
        data = file.read_bytes()
        if hashlib.sha256(data).hexdigest() != citation.document.sha256:
            return
        for page in place.pages[:_MOST_PAGES]:
            picture = page_picture(data, page.number, width=_PAGE_WIDTH, passwords=passwords)
            if picture is not None:
                yield ShownPage(
                    page.number, page.label, picture.png, picture.width, picture.height, page.boxes
                )


def warnings_of(evidence: Sequence[Evidence]) -> list[str]:
    """What whoever makes a bundle should know, a line each; none where all hold."""
    found = []
    for number, one in enumerate(evidence, start=1):
        verification, path = one.verification, one.citation.document.path
        if verification is None:
            continue
        if verification.status is not Status.VALID:
            status = verification.status.value.replace("_", " ")
            found.append(f"quote {number} of {path} is {status}: {verification.reason}")
        elif one.held.from_record:
            found.append(
                f"{path} was changed elsewhere since: the bundle holds the passage of the record"
            )
    return found
