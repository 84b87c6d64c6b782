"""A leaf as HTML in which nothing of a document can act: its words are text, and no attribute.

The text content of what is made is that of the leaf, code point for code point; only what HTML
cannot hold (NUL, halves of surrogate pairs) is shown as U+FFFD. White space that counts is kept by
the style, so use `LEAF_STYLE` or the like with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from html import escape
from itertools import groupby

from pincite.records import BlockKind
from pincite.render.inline_signs import Style
from pincite.render.leaf import Leaf, LeafBlock, LeafCell, Run

LEAF_STYLE = """\
.leaf { position: relative; padding-left: 3.5rem; overflow-wrap: anywhere; line-height: 1.55; }
.leaf > *, .leaf li, .leaf td, .leaf th, .leaf .line { unicode-bidi: isolate; }
.leaf h2, .leaf h3, .leaf h4, .leaf h5, .leaf h6, .leaf p, .leaf li, .leaf pre, .leaf blockquote,
.leaf .markup, .leaf td, .leaf th { white-space: pre-wrap; margin: .5rem 0; text-align: start; }
.leaf h2 { font-size: 1.3rem; } .leaf h3 { font-size: 1.15rem; }
.leaf h4, .leaf h5, .leaf h6 { font-size: 1rem; }
.leaf ul { list-style: none; margin: .5rem 0; padding: 0; } .leaf li { margin: .15rem 0; }
.leaf pre { font: .9em/1.45 ui-monospace, monospace; overflow-x: auto; white-space: pre; }
.leaf blockquote { border-inline-start: 3px solid currentColor; padding-inline-start: .8rem; }
.leaf .markup { opacity: .65; font: .85em ui-monospace, monospace; }
.leaf .wide { overflow-x: auto; } .leaf table { border-collapse: collapse; }
.leaf td, .leaf th { border: 1px solid #8888; padding: .25rem .5rem; vertical-align: top; }
.leaf table.headed .aside { position: absolute; width: 1px; height: 1px; overflow: hidden;
  clip-path: inset(50%); white-space: nowrap; }
.leaf table.headed tr.rule, .leaf .sign { display: none; }
.leaf [data-n]::before { content: attr(data-n); position: absolute; left: 0; width: 3rem;
  text-align: right; font: .75rem/1.9 system-ui, sans-serif; opacity: .7; white-space: nowrap;
  unicode-bidi: isolate; }
.leaf td[data-n]::before, .leaf th[data-n]::before { margin-top: -.15rem; }
.leaf mark { background: #ffe08a; color: #111; border-bottom: 2px solid #9a6700; }
@media (prefers-color-scheme: dark) {
  .leaf mark { background: #6b5200; color: #fff; border-bottom-color: #ffd54d; }
}
@media print { .leaf mark { background: none; color: inherit; text-decoration: underline; } }
"""

_LANGUAGE = re.compile(r"[a-z]{2,3}")
_UNHELD = re.compile("[\x00\ud800-\udfff]")
_TABLE = frozenset({BlockKind.TABLE_HEADER, BlockKind.TABLE_ROW})
_OPENING = {
    Style.STRONG: "strong",
    Style.EMPHASIS: "em",
    Style.CODE: "code",
    Style.SIGN: 'span class="sign"',
}
_UNITS = {"page": "p. ", "slide": "slide ", "row": ""}


def leaf_html(leaf: Leaf, *, prefix: str = "quote-", top: int = 2) -> str:
    """`<div class="leaf">` with the blocks in it.

    The first `<mark>` of a quote has the id `prefix` and its number. Numbers of pages, rows or
    slides, else of lines, are in `data-n` where they change. `top` is the rank of the highest
    heading, 2 for `<h2>`.
    """
    visible = {n for run in _runs_of(leaf) if _is_seen(run) for n in run.quotes}
    writer = _Writer(prefix, top, visible)
    language = f' lang="{leaf.language}"' if _LANGUAGE.fullmatch(leaf.language) else ""
    if leaf.language == "und":
        language = ""
    parts = [f'<div class="leaf"{language}>']
    for _, group in groupby(enumerate(leaf.blocks), lambda one: one[1].group or -1 - one[0]):
        parts += writer.group([block for _, block in group])
    return "".join([*parts, text_html(leaf.rest), "</div>"])


def text_html(text: str) -> str:
    """`text` as the content of an element, so that a browser reads back the same."""
    # A parser would make line feeds of carriage returns.
    return escape(_UNHELD.sub("\ufffd", text)).replace("\r", "&#13;")


def _runs_of(leaf: Leaf) -> Iterator[Run]:
    for block in leaf.blocks:
        yield from block.runs
        for cell in block.cells:
            yield from cell.runs


def _is_seen(run: Run) -> bool:
    return not run.is_aside and run.style is not Style.SIGN


class _Writer:
    """Knows which numbers and which marks were written already."""

    def __init__(self, prefix: str, top: int, visible: Set[int]) -> None:
        self._prefix = escape(prefix)
        self._top = top
        self._unnamed = set(visible)
        """The quotes whose id is not given yet; those that cannot be seen have none."""
        self._number = ("", 0)

    def group(self, blocks: Sequence[LeafBlock]) -> Iterator[str]:
        """Blocks of one table or one list, or a single one of another kind."""
        first = blocks[0]
        yield text_html(first.lead)
        if first.group and first.kind is BlockKind.LIST_ITEM:
            yield '<ul role="list">'
            for block in blocks:
                yield text_html(block.lead) if block is not first else ""
                yield f'<li dir="auto"{self._counted(block)}>{self._runs(block.runs)}</li>'
            yield "</ul>"
        elif first.group:
            yield from self._table(blocks)
        else:
            yield self._block(first)

    def _block(self, block: LeafBlock) -> str:
        opening = f'dir="auto"{self._counted(block)}'
        words = self._runs(block.runs)
        match block.kind:
            case BlockKind.HEADING:
                rank = min(6, self._top + max(1, block.level) - 1)
                return f"<h{rank} {opening}>{words}</h{rank}>"
            case BlockKind.CODE:
                return (
                    f'<pre {opening.replace("auto", "ltr")} tabindex="0"><code>{words}</code></pre>'
                )
            case BlockKind.QUOTATION:
                return f"<blockquote {opening}>{words}</blockquote>"
            case BlockKind.MARKUP:
                return f'<div class="markup" {opening}>{words}</div>'
        return f"<p {opening}>{words}</p>"

    def _table(self, blocks: Sequence[LeafBlock]) -> Iterator[str]:
        is_headed = any(block.kind is BlockKind.TABLE_HEADER for block in blocks)
        width = max((cell.column for block in blocks for cell in block.cells), default=1)
        named = ' class="headed"' if is_headed else ""
        yield f'<div class="wide" tabindex="0" role="group" aria-label="Table"><table{named}>'
        for block in blocks:
            yield text_html(block.lead) if block is not blocks[0] else ""
            if block.kind not in _TABLE:
                yield f'<tr class="rule"><td colspan="{width}">{self._runs(block.runs)}</td></tr>'
                continue
            is_head = block.kind is BlockKind.TABLE_HEADER
            yield "<tr>"
            yield from self._cells(block, is_head)
            yield "</tr>"
        yield "</table></div>"

    def _cells(self, block: LeafBlock, is_head: bool) -> Iterator[str]:
        name, scope = ("th", ' scope="col"') if is_head else ("td", "")
        counted = self._counted(block)
        at = 1
        for cell in block.cells:
            for _ in range(at, cell.column):
                yield f"<td{counted}></td>"
                counted = ""
            yield f'<{name}{scope} dir="auto"{counted}{self._is_marked(cell)}>'
            yield f"{self._runs(cell.runs)}</{name}>"
            counted = ""
            at = cell.column + 1

    def _is_marked(self, cell: LeafCell) -> str:
        return ' class="marked"' if any(run.quotes and _is_seen(run) for run in cell.runs) else ""

    def _counted(self, block: LeafBlock) -> str:
        number = (block.unit, block.number) if block.unit else ("line", block.line)
        if number == self._number:
            return ""
        self._number = number
        return f' data-n="{_UNITS.get(number[0], "")}{number[1]}"'

    def _runs(self, runs: Sequence[Run]) -> str:
        return "".join(map(self._run, runs))

    def _run(self, run: Run) -> str:
        words = text_html(run.text)
        if opening := _OPENING.get(run.style):
            words = f"<{opening}>{words}</{opening.split()[0]}>"
        for number in reversed(run.quotes):
            # An id is given once; what goes on elsewhere has the class alone.
            name = f"{self._prefix}{number}"
            named = f' id="{name}"' if number in self._unnamed and _is_seen(run) else ""
            words = f'<mark{named} class="{name}">{words}</mark>'
        if _is_seen(run):
            self._unnamed.difference_update(run.quotes)
        return f'<span class="aside">{words}</span>' if run.is_aside else words
