"""Documents that came with a request, and where in them the words of an answer stand."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from pincite.errors import UnreadableDocument
from pincite.exporting.anthropic import location
from pincite.given import Given, given_files, given_text
from pincite.records import Citation
from pincite.server.compat.asked import Rejected
from pincite.server.compat.said import BETWEEN, Json
from pincite.server.errors import NotReady
from pincite.server.settings import Limits


class Form(StrEnum):
    """How a document was sent, which says how places in it are named."""

    TEXT = "text"
    PDF = "pdf"
    BLOCKS = "blocks"
    SEARCH_RESULT = "search_result"


@dataclass(frozen=True, slots=True)
class Sent:
    """A document as it was sent."""

    form: Form
    where: str
    """In the request, `messages.0.content.1`."""
    number: int
    """Among the documents of the request, or among its search results."""
    is_cited: bool
    title: str = ""
    text: str = ""
    data: str = ""
    """Of a PDF, in base64."""
    blocks: tuple[str, ...] = ()
    source: str = ""
    """Of a search result, as the request names it."""


def read(sent: Sequence[Sent], limits: Limits) -> list[Given]:
    """The documents, in their order; `Rejected` for one that cannot be read, or too many."""
    names = [f"{number:06}" for number in range(len(sent))]
    pdfs = [
        (f"{name}.pdf", _bytes(one))
        for name, one in zip(names, sent, strict=True)
        if one.form is Form.PDF
    ]
    if len(pdfs) > limits.documents_sent:
        raise Rejected(
            f"There are {len(pdfs)} PDFs, and {limits.documents_sent} are read: send fewer.",
            param="messages",
        )
    try:
        from_files = iter(given_files(pdfs, seconds=limits.documents_seconds) if pdfs else ())
    except UnreadableDocument as error:
        number = int(error.path.partition(".")[0])
        raise Rejected(
            f"The document cannot be read: {error.reason}", param=sent[number].where
        ) from error
    except OSError as error:
        raise NotReady("there is no room to read documents that come with a question") from error
    return [
        next(from_files)
        if one.form is Form.PDF
        else given_text(one.text, name=name, title=one.title)
        for name, one in zip(names, sent, strict=True)
    ]


def words(given: Sequence[Given]) -> list[str]:
    """All that is read of the documents."""
    return [one.document.text for one in given]


def place(citation: Citation, sent: Sequence[Sent]) -> Json:
    """The citation of one of the documents, as its form has it."""
    one = sent[int(citation.document.path.partition(".")[0])]
    if one.form in (Form.TEXT, Form.PDF):
        cited = location(citation, number=one.number, offset=lambda place: place)
        return {**cited, "document_title": one.title or None}
    first, end = _blocks(one, citation)
    blocks: Json = {
        "cited_text": "".join(one.blocks[first:end]),
        "start_block_index": first,
        "end_block_index": end,
    }
    if one.form is Form.SEARCH_RESULT:
        return {
            "type": "search_result_location",
            **blocks,
            "search_result_index": one.number,
            "source": one.source,
            "title": one.title or None,
        }
    return {
        "type": "content_block_location",
        **blocks,
        "document_index": one.number,
        "document_title": one.title or None,
    }


def text_of_blocks(blocks: Sequence[str]) -> str:
    """The blocks as one text, in which each is a paragraph of its own."""
    return BETWEEN.join(blocks)


def _blocks(sent: Sent, citation: Citation) -> tuple[int, int]:
    """The first block that the quote is in, and the one behind its last."""
    touched = []
    start = 0
    for number, block in enumerate(sent.blocks):
        if start < citation.position.end and citation.position.start < start + len(block):
            touched.append(number)
        start += len(block) + len(BETWEEN)
    return touched[0], touched[-1] + 1


def _bytes(sent: Sent) -> bytes:
    try:
        return base64.b64decode(sent.data, validate=True)
    except (binascii.Error, ValueError) as error:
        raise Rejected("The data are not base64.", param=f"{sent.where}.source.data") from error
