"""How fast files are read, against the bare libraries: `python -m bench.format_speed DIR`.

Prints one JSON object. Times are processor time of this process, so that a busy machine counts
less; each side reads the same bytes in turn.
"""

from __future__ import annotations

import ctypes
import gc
import json
import sys
import time
from collections.abc import Callable, Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt

from pincite.errors import UnreadableDocument
from pincite.loaders import document_of_bytes

ROUNDS = 5
LEAST_SECONDS = 1.5
_LARGEST = 3
_MARKDOWN = MarkdownIt("commonmark").enable("table")


def main() -> None:
    directory = Path(sys.argv[1])
    # As the processes do that read for an index.
    gc.freeze()
    gc.set_threshold(200_000)
    record: dict[str, Any] = {"pdf": pdf_figures(sorted(directory.rglob("*.pdf")))}
    for name, suffixes in (("markdown", {".md"}), ("html", {".html", ".htm"})):
        record[name] = text_figures(directory, suffixes, name)
    print(json.dumps(record))


def pdf_figures(paths: Sequence[Path]) -> dict[str, Any]:
    """Pages a second of the PDFs with text that can be read, and of pdfium alone."""
    files = [data for path in paths if _characters(data := path.read_bytes(), path.name) > 500]
    pages = sum(map(_bare_pdf, files))
    if not pages:
        return {}
    own, bare = [], []
    for _ in range(ROUNDS):
        own.append(_seconds(lambda: [document_of_bytes(data, name="a.pdf") for data in files]))
        bare.append(_seconds(lambda: [_bare_pdf(data) for data in files]))
    return {
        "files": len(files),
        "pages": pages,
        "pages_per_second": round(pages / min(own), 1),
        "bare_pages_per_second": round(pages / min(bare), 1),
        "share_of_bare": round(100 * min(bare) / min(own), 1),
    }


def text_figures(directory: Path, suffixes: set[str], extractor: str) -> dict[str, Any]:
    """MB a second over the largest files, each read again and again."""
    paths = [path for path in directory.rglob("*") if path.suffix.lower() in suffixes]
    paths = sorted(paths, key=lambda path: (-path.stat().st_size, path))[:_LARGEST]
    measured = [
        (path.name, data) for path in paths if _characters(data := path.read_bytes(), path.name)
    ]
    if extractor == "markdown" and paths:
        # The largest is a page or two: what a file costs by itself would be measured.
        data = b"\n\n".join(path.read_bytes() for path in paths)
        data *= max(1, 500_000 // len(data))
        measured.append((f"the {len(paths)} of them repeated to {len(data) // 1000} kB", data))
    suffix = ".md" if extractor == "markdown" else ".html"
    bare = _bare_markdown if extractor == "markdown" else _bare_html
    found, share = {}, {}
    for name, data in measured:
        own, alone = _rates(data, f"a{suffix}", bare)
        found[name] = round(own, 2)
        share[name] = round(100 * own / alone)
    return {"megabytes_per_second": found, "share_of_bare": share}


def _rates(data: bytes, name: str, bare: Callable[[bytes], object]) -> tuple[float, float]:
    """MB a second of reading `data`, and of `bare`, in turn; the best round of each."""
    best = [0.0, 0.0]
    for _ in range(ROUNDS):
        for side, job in enumerate(
            (lambda: document_of_bytes(data, name=name), lambda: bare(data))
        ):
            count, spent = 0, 0.0
            while spent < LEAST_SECONDS / ROUNDS:
                spent += _seconds(job)
                count += 1
            best[side] = max(best[side], count * len(data) / spent / 1e6)
    return best[0], best[1]


def _bare_markdown(data: bytes) -> object:
    """The tokens of markdown-it, those inside of lines included, as it gives them."""
    return _MARKDOWN.parse(data.decode("utf-8", "replace"))


def _bare_html(data: bytes) -> object:
    """The events of the standard library's parser, which builds nothing from them."""
    parser = HTMLParser()
    parser.feed(data.decode("utf-8", "replace"))
    return parser.close()


def _seconds(job: Callable[[], object]) -> float:
    started = time.process_time()
    job()
    return time.process_time() - started


def _characters(data: bytes, name: str) -> int:
    try:
        return len(document_of_bytes(data, name=name).text)
    except UnreadableDocument:
        return 0


def _bare_pdf(data: bytes) -> int:
    """The number of pages; the text and a box for every character of each are read."""
    import pypdfium2
    import pypdfium2.raw as pdfium

    document = pypdfium2.PdfDocument(data)
    sides = [ctypes.c_double() for _ in range(4)]
    count = len(document)
    for index in range(count):
        try:
            page = document[index]
        except pypdfium2.PdfiumError:
            continue
        text = page.get_textpage()
        text.get_text_range()
        for letter in range(text.count_chars()):
            pdfium.FPDFText_GetCharBox(text.raw, letter, *sides)
        text.close()
        page.close()
    document.close()
    return count


if __name__ == "__main__":
    main()
