"""The words of a web page as a reader sees them, in blocks, with where they stand in the source."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from pincite.loaders.office.numerals import roman
from pincite.loaders.web.html_flow import BETWEEN, Flow, Item, PageBlock, Run, Shown, Words
from pincite.loaders.web.html_style import Styles, declarations, hides
from pincite.loaders.web.html_tables import WIDEST, Cell, Row, Table, table_blocks
from pincite.loaders.web.html_tokens import TokenKind, attributes_of, tokens
from pincite.loaders.web.html_tree import Element, Rule, Tree, rule_of
from pincite.loaders.web.html_words import SPACES, collapsed, decoded, preformatted, trimmed
from pincite.records import BlockKind

MOST_STRETCHES = 500_000
"""Stretches of text between tags, in blocks, that are read of one page: some 30 MB of most pages,
and up to ten seconds and 600 MB."""
DEEPEST_TABLE = 30
"""Tables inside each other; those inside are read as what their cells hold."""

_BREAK = ("  \n", BETWEEN, BETWEEN)
"""The two spaces say that the line end is meant, as in Markdown."""
_MAY_HIDE = re.compile(r"hidden|style|class|id\s*=", re.I)
_HIDING = frozenset({"display", "visibility"})
_NAVIGATION_ROLES = frozenset(
    {"navigation", "menu", "menubar", "toolbar", "search", "doc-toc", "tablist"}
)
_NAVIGATION_NAMES = frozenset({"navbar", "navigation", "breadcrumb", "breadcrumbs"})
_LISTS = frozenset({"ul", "ol", "menu", "dir", "dl"})
_HEADING = re.compile(r"h[1-6]")
_LONGEST_TERM = 200
_SKIPPED_BREAKS = (BlockKind.HEADING, BlockKind.MARKUP)


class PageReader:
    """Reads a page; afterwards it holds the blocks, the title and what is not shown."""

    def __init__(self, source: str, *, is_xml: bool) -> None:
        self.title = ""
        self.hidden_words = 0
        self.comment_words = 0
        self.frames: list[str] = []
        """The addresses of the pages in frames that are shown."""
        self.hidden_at = -1
        """Where in the source the first hidden words stand; -1 if there are none."""
        self.read_until = len(source)
        """Where in the source reading ended: before its end if there was too much."""
        self._source = source
        self._stretches = 0
        self._is_xml = is_xml
        self._styles = Styles()
        self._has_title = False
        self._groups = 0
        self._run: list[Words] = []
        self._run_of: Element | None = None
        self._ends_in_space = True
        self._anchor = ""
        """The first id on the words of a heading."""
        self._terms: list[PageBlock] = []
        self._ordinals: list[tuple[Element, int, str]] = []
        """The ordered lists that are open, with the next number and how it is written."""
        root = Flow()
        self.blocks = root.sink
        self._tree = Tree(root, self._close, is_xml=is_xml)

    def read(self) -> None:
        """Read all of the source."""
        tree, text = self._tree, self._text
        for kind, start, end, name, attributes in tokens(self._source, is_xml=self._is_xml):
            if kind is TokenKind.TEXT:
                text(start, end)
            elif kind is TokenKind.END:
                if name == "br":
                    self._break()
                else:
                    tree.end(name)
            elif kind is TokenKind.COMMENT:
                if self._source.startswith("<!--", start):
                    self.comment_words += len(self._source[start + 4 : end - 3].split())
            elif kind is TokenKind.RAW:
                self._raw(start, end)
            else:
                is_open = self._start(name, attributes)
                if is_open and kind is TokenKind.EMPTY and self._is_xml:
                    tree.end(name)
            if self._stretches > MOST_STRETCHES:
                self.read_until = end
                break
        tree.close_all()
        self._flush()
        self._emit_terms()

    def _start(self, name: str, written: str) -> bool:
        """Whether an element is opened."""
        rule = rule_of(name)
        if rule.is_void:
            self._tree.void(rule)
            if name == "br":
                self._break()
            elif name == "hr":
                self._flush()
            elif name == "frame":
                self._frame(attributes_of(written))
            return False
        element = self._tree.start(rule)
        if element is None:
            return False
        if rule.is_block and element.name != "html":
            self._flush()
            attributes = attributes_of(written) if written else {}
            if "id" in attributes:
                element.id = attributes["id"]
            self._enter(element, rule, attributes)
        elif rule.is_unshown:
            if name == "iframe" and element.flow.shown is Shown.YES:
                self._frame(attributes_of(written))
            element.flow = replace(element.flow, shown=max(element.flow.shown, Shown.NEVER))
        elif (written and _MAY_HIDE.search(written)) or self._styles:
            attributes = attributes_of(written)
            if element.flow.kind is BlockKind.HEADING and not self._anchor:
                self._anchor = attributes.get("id", "")
            self._hide(element, attributes)
        return True

    def _frame(self, attributes: Mapping[str, str]) -> None:
        declared = declarations(attributes.get("style", ""))
        if "src" in attributes and "hidden" not in attributes and not hides(declared):
            self.frames.append(attributes["src"])

    def _hide(self, element: Element, attributes: Mapping[str, str]) -> None:
        if element.flow.shown is not Shown.YES:
            return
        declared = declarations(attributes["style"]) if "style" in attributes else None
        is_hidden = "hidden" in attributes or (declared is not None and hides(declared))
        if not is_hidden and self._styles and not (declared and _HIDING & declared.keys()):
            is_hidden = self._styles.hide(element.name, attributes)
        if is_hidden or (element.name == "dialog" and "open" not in attributes):
            element.flow = replace(element.flow, shown=Shown.HIDDEN)

    def _enter(self, element: Element, rule: Rule, attributes: Mapping[str, str]) -> None:
        """What the beginning of a block changes for the words in it."""
        if rule.is_unshown:
            element.flow = replace(element.flow, shown=max(element.flow.shown, Shown.NEVER))
            return
        self._hide(element, attributes)
        flow, name = element.flow, element.name
        if flow.shown is not Shown.YES:
            return
        is_navigation = flow.kind is BlockKind.MARKUP
        if not is_navigation and (
            name in ("nav", "search")
            or attributes.get("role", "").lower() in _NAVIGATION_ROLES
            or attributes.get("id", "").lower() in _NAVIGATION_NAMES
            or not _NAVIGATION_NAMES.isdisjoint(attributes.get("class", "").lower().split())
        ):
            element.flow = replace(flow, kind=BlockKind.MARKUP, group=0, item=None)
        elif name in _LISTS:
            self._enter_list(element, flow, attributes)
        elif name in ("li", "dt", "dd"):
            kind = flow.kind if is_navigation else BlockKind.LIST_ITEM
            level = max(1, flow.level) if flow.kind is not BlockKind.HEADING else 1
            item = Item(name, self._marker(element, attributes) if name == "li" else "")
            element.flow = replace(flow, kind=kind, level=level, item=item)
        elif name in ("table", "caption", "thead", "tr", "td", "th"):
            self._enter_table(element, flow, attributes)
        elif not is_navigation:
            if _HEADING.fullmatch(name):
                self._anchor = ""
                element.flow = replace(
                    flow, kind=BlockKind.HEADING, level=int(name[1]), group=0, item=None
                )
            elif name == "blockquote":
                element.flow = replace(flow, kind=BlockKind.QUOTATION, level=0, group=0, item=None)
            elif name in ("pre", "listing", "xmp"):
                element.flow = replace(flow, kind=BlockKind.CODE, is_preformatted=True)

    def _enter_list(self, element: Element, flow: Flow, attributes: Mapping[str, str]) -> None:
        group, level = flow.group, flow.level + 1
        if not group:
            self._groups += 1
            group, level = self._groups, 1
        element.flow = replace(flow, group=group, level=level)
        if element.name == "ol":
            first = _number(attributes.get("start", ""), 1)
            self._ordinals.append((element, first, attributes.get("type", "1")))

    def _marker(self, element: Element, attributes: Mapping[str, str]) -> str:
        if not self._ordinals or self._ordinals[-1][0] is not element.parent:
            return "- "
        ordered, number, style = self._ordinals[-1]
        number = _number(attributes.get("value", ""), number)
        self._ordinals[-1] = ordered, number + 1, style
        return f"{_ordinal(number, style)}. "

    def _enter_table(self, element: Element, flow: Flow, attributes: Mapping[str, str]) -> None:
        name, table = element.name, flow.table
        if name == "table":
            inner = None
            if flow.tables < DEEPEST_TABLE:
                self._groups += 1
                inner = Table(flow.sink, self._groups)
                inner.is_layout = attributes.get("role") in ("presentation", "none")
            kind = flow.kind if flow.kind is BlockKind.MARKUP else BlockKind.PARAGRAPH
            element.flow = replace(
                flow, kind=kind, level=0, group=0, item=None, table=inner, tables=flow.tables + 1
            )
        elif table is None:
            return
        elif name == "caption":
            element.flow = replace(flow, sink=table.caption)
        elif name == "tr":
            parent = element.parent
            is_head = parent is not None and parent.name == "thead"
            table.rows.append(Row(is_head))
        elif name in ("td", "th"):
            if not table.rows:
                table.rows.append(Row())
            cell = Cell(
                name == "th",
                max(1, min(_number(attributes.get("colspan", ""), 1), WIDEST)),
                max(1, _number(attributes.get("rowspan", ""), 1)),
            )
            table.rows[-1].cells.append(cell)
            element.flow = replace(flow, sink=cell.blocks)

    def _close(self, element: Element) -> None:
        if not element.rule.is_block:
            return
        self._flush()
        name, flow = element.name, element.flow
        if name == "table" and flow.table is not None and flow.shown is Shown.YES:
            self._emit_terms()
            flow.table.sink.extend(table_blocks(flow.table))
        elif name in ("dl", "td", "th"):
            self._emit_terms()
        elif name == "ol" and self._ordinals and self._ordinals[-1][0] is element:
            self._ordinals.pop()

    def _break(self) -> None:
        top = self._tree.stack[-1].flow
        if top.shown is not Shown.YES or not self._run:
            return
        block = self._run_of
        kind = block.flow.kind if block is not None else top.kind
        if top.is_preformatted:
            self._run.append(("\n", BETWEEN, BETWEEN))
        elif kind in _SKIPPED_BREAKS:
            if not self._ends_in_space:
                self._run.append((" ", BETWEEN, BETWEEN))
        elif self._run[-1] is _BREAK:
            self._flush()
        else:
            self._run.append(_BREAK)
        self._ends_in_space = True

    def _raw(self, start: int, end: int) -> None:
        top = self._tree.stack[-1]
        if top.name == "style":
            self._styles.read(self._source[start:end])
        elif top.flow.shown is Shown.YES and start < end:
            if not self._run:
                self._run_of = top.block
            self._run.append((self._source[start:end], start, end))
            self._ends_in_space = False

    def _text(self, start: int, end: int) -> None:
        top = self._tree.stack[-1]
        words = self._source[start:end]
        shown = top.flow.shown
        if self._tree.body is None and top.name in ("html", "head"):
            if not words.strip(SPACES):
                return
            self._tree.enter_body()
            top = self._tree.stack[-1]
        elif shown is not Shown.YES:
            if shown is Shown.HIDDEN:
                count = len(words.split())
                if count and self.hidden_at < 0:
                    self.hidden_at = start
                self.hidden_words += count
            elif top.name == "title" and not self._has_title and top.is_plain:
                self._has_title = True
                self.title = " ".join(decoded(words).split())
            return
        if top.flow.is_preformatted:
            found = preformatted(words, start)
        else:
            found = collapsed(words, start, end, after_space=self._ends_in_space)
        if found:
            if not self._run:
                self._run_of = top.block
            self._run += found
            self._ends_in_space = found[-1][0].endswith(" ")

    def _flush(self) -> None:
        """Make a block of the words since the last one."""
        self._ends_in_space = True
        if not self._run:
            return
        words, element = trimmed(self._run), self._run_of
        self._stretches += len(words)
        self._run = []
        if not words or element is None:
            return
        flow = element.flow
        if self._anchor:
            if flow.kind is BlockKind.HEADING and not element.id:
                element.id = self._anchor
            self._anchor = ""
        block = PageBlock(flow.kind, [Run(element, words)], flow.level, flow.group)
        if flow.kind is BlockKind.PARAGRAPH:
            block.level = block.group = 0
        elif flow.kind is BlockKind.CODE:
            block.level = 0
        item = flow.item
        if item is not None:
            if flow.kind is BlockKind.LIST_ITEM and item.marker:
                block.marker, item.marker = item.marker, ""
            if item.name == "dt" and flow.kind is BlockKind.LIST_ITEM:
                if self._terms or len(block.runs[0].text()) > _LONGEST_TERM:
                    self._emit_terms()
                self._terms.append(block)
                return
            if item.name == "dd" and flow.kind is BlockKind.LIST_ITEM and self._terms:
                runs = self._terms.pop().runs
                colon = " " if runs[-1].text().rstrip().endswith((":", "?")) else ": "
                block.runs = [*runs, Run(None, [(colon, BETWEEN, BETWEEN)]), *block.runs]
        self._emit_terms()
        flow.sink.append(block)

    def _emit_terms(self) -> None:
        """Terms whose description is not one line of words stand by themselves."""
        for block in self._terms:
            element = block.runs[0].element
            if element is not None:
                element.flow.sink.append(block)
        self._terms = []


def _number(value: str, otherwise: int) -> int:
    value = value.strip()
    is_number = value.isascii() and value.removeprefix("-").isdigit() and len(value) < 10
    return int(value) if is_number else otherwise


def _ordinal(number: int, style: str) -> str:
    """`number` as a list shows it."""
    if style in ("a", "A") and number > 0:
        letters = ""
        while number > 0:
            number, letter = divmod(number - 1, 26)
            letters = chr(ord(style) + letter) + letters
        return letters
    if style in ("i", "I"):
        return roman(number) if style == "i" else roman(number).upper()
    return str(number)
