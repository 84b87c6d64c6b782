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
from pathlib import Path
from typing import Any

from pincite.errors import UnreadableDocument
from pincite.loaders import document_of_bytes

ROUNDS = 5
LEAST_SECONDS = 1.5
_LARGEST = 3


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
    found = {}
    for path in paths:
        data = path.read_bytes()
        if _characters(data, path.name):
            found[path.name] = round(_repeated(data, path.name), 2)
    if extractor == "markdown" and paths:
        # The largest is a page or two: what a file costs by itself would be measured.
        data = b"\n\n".join(path.read_bytes() for path in paths)
        data *= max(1, 500_000 // len(data))
        found[f"the {len(paths)} of them repeated to {len(data) // 1000} kB"] = round(
            _repeated(data, "all.md"), 2
        )
    return {"megabytes_per_second": found}


def _repeated(data: bytes, name: str) -> float:
    best = 0.0
    for _ in range(ROUNDS):
        count, spent = 0, 0.0
        while spent < LEAST_SECONDS / ROUNDS:
            spent += _seconds(lambda: document_of_bytes(data, name=name))
            count += 1
        best = max(best, count * len(data) / spent / 1e6)
    return best


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
