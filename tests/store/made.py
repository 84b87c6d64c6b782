"""Documents made from a few words, for tests of the store: passages at blank lines."""

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from pincite.records import (
    BlockKind,
    Document,
    Extraction,
    IndexState,
    Passage,
    Sentence,
    Source,
    Span,
)
from pincite.store.files import Stamp
from pincite.store.writer import open_writer

STAMP = Stamp(size=1, mtime_ns=1, ctime_ns=1, inode=1, settled=True)


def document(path: str, text: str, *, language: str = "en", title: str | None = None) -> Document:
    data = text.encode("utf-8", "surrogatepass")
    digest = hashlib.sha256(data).hexdigest()
    return Document(
        source=Source(
            path=path,
            title=PurePosixPath(path).stem if title is None else title,
            media_type="text/plain",
            sha256=digest,
            modified="2024-05-01T10:00:00Z",
        ),
        extraction=Extraction("made", "1", digest),
        text=text,
        blocks=(),
        language=language,
    )


def passages(made: Document, *, heading_path: tuple[str, ...] = ()) -> list[Passage]:
    found = []
    for ordinal, match in enumerate(re.finditer(r"(?s).+?(?:\n\n+|\Z)", made.text)):
        sentences = []
        for part in re.finditer(r"(?s).+?(?:[.!?]\s+|\Z)", match.group()):
            start = match.start() + part.start()
            quote = Span(start, start + len(part.group().rstrip()))
            end = match.start() + part.end()
            sentences.append(Sentence(start, end, quote, BlockKind.PARAGRAPH))
        found.append(
            Passage(
                path=made.source.path,
                ordinal=ordinal,
                span=Span(match.start(), match.end()),
                text=match.group(),
                first_line=made.text.count("\n", 0, match.start()) + 1,
                heading_path=heading_path,
                language=made.language,
                sentences=tuple(sentences),
            )
        )
    return found


def write(store: Path, texts: Mapping[str, str], *, remove: tuple[str, ...] = ()) -> IndexState:
    """One finished run that puts `texts` by path and removes some paths."""
    with open_writer(store) as writer:
        writer.remove(remove)
        for path, text in texts.items():
            made = document(path, text)
            writer.put(made, passages(made), STAMP)
        return writer.finish()
