"""The words of a web page as a reader sees them, in blocks, with where they stand in the source."""

from __future__ import annotations

import re
from collections.abc import Mapping

from pincite.loaders.raised import NEAR, Lean, beside
from pincite.loaders.web.html_flow import BETWEEN, Flow, Item, PageBlock, Run, Shown, Words
from pincite.loaders.web.html_formulas import HOLDERS, TOKENS, Formulas
from pincite.loaders.web.html_numbers import number_of, ordinal
from pincite.loaders.web.html_sheets import Styles, is_on_screens
from pincite.loaders.web.html_style import (
    INHERITED,
    NOTHING_SAID,
    STRUCK_NAMES,
    Said,
    has_white_ground,
    said_by,
)
from pincite.loaders.web.html_tables import WIDEST, Cell, Row, Table, table_blocks
from pincite.loaders.web.html_tokens import COMMENT, EMPTY, END, LEAF, RAW, TEXT, tokens
from pincite.loaders.web.html_tree import RULES, Element, Rule, Tree
from pincite.loaders.web.html_words import SPACES, collapsed, decoded, preformatted, trimmed
from pincite.records import BlockKind

MOST_STRETCHES = 500_000
"""Stretches of text between tags, in blocks, that are read of one page: some 30 MB of most pages,
and up to ten seconds and 600 MB."""
DEEPEST_TABLE = 30
"""Tables inside each other; those inside are read as what their cells hold."""

_BREAK = ("  \n", BETWEEN, BETWEEN)
"""The two spaces say that the line end is meant, as in Markdown."""
_LISTS = frozenset({"ul", "ol", "menu", "dir", "dl"})
_HEADING_NAME = re.compile(r"h[1-6]")
_TELLING = _LISTS | frozenset(
    "li dt dd table caption thead tr td th h1 h2 h3 h4 h5 h6 blockquote pre listing xmp".split()
)
"""Names that say something of the words inside."""
_SAYING = ("style", "hidden", "color", "popover")
"""Attributes by which an element may hide its words, or show them again."""
_LEANS = {"sup": Lean.RAISED, "sub": Lean.LOWERED}
_LONGEST_TERM = 200
# Names of their own: looking a member up takes Python 3.11 as long as much of what is done here.
_YES, _HIDDEN = Shown.YES, Shown.HIDDEN
_PARAGRAPH, _HEADING, _ITEM = BlockKind.PARAGRAPH, BlockKind.HEADING, BlockKind.LIST_ITEM
_CODE, _MARKUP = BlockKind.CODE, BlockKind.MARKUP
_SKIPPED_BREAKS = (_HEADING, _MARKUP)


class PageReader:
    """Reads a page; afterwards it holds the blocks, the title and what is not shown."""

    def __init__(self, source: str, *, is_xml: bool) -> None:
        self.blocks: list[PageBlock] = []
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
        self._styles = Styles(is_white_ground=has_white_ground(source))
        self._is_sheet_read = True
        self._formulas = Formulas()
        self._has_title = False
        self._groups = 0
        self._run: list[Words] = []
        self._run_of: Element | None = None
        self._ends_in_space = True
        self._lean = Lean.LEVEL
        """Of the words that end the run."""
        self._anchor = ""
        """The first id on the words of a heading."""
        self._terms: list[PageBlock] = []
        self._ordinals: list[tuple[Element, int, str]] = []
        """The ordered lists that are open, with the next number and how it is written."""
        root = Flow(self.blocks)
        self._tree = Tree(root, self._close, is_xml=is_xml)

    def read(self) -> None:
        """Read all of the source."""
        tree, text = self._tree, self._text
        for kind, start, end, name, attributes in tokens(self._source, is_xml=self._is_xml):
            if kind is LEAF:
                self._leaf(start, end, name, attributes)
            elif kind is TEXT:
                text(start, end)
            elif kind is END:
                if name == "br":
                    self._break()
                else:
                    self._end(name)
            elif kind is COMMENT:
                if self._source.startswith("<!--", start):
                    self.comment_words += len(self._source[start + 4 : end - 3].split())
            elif kind is RAW:
                self._raw(start, end)
            else:
                is_open = self._start(RULES[name], attributes)
                if is_open and kind is EMPTY and self._is_xml:
                    tree.end(name)
            if self._stretches > MOST_STRETCHES:
                self.read_until = end + (len(f"</{name}>") if kind is LEAF else 0)
                break
        tree.close_all()
        self._flush()
        self._emit_terms()

    def _leaf(self, start: int, end: int, name: str, written: str) -> None:
        """Read an element that holds the text from `start` to `end` and nothing else."""
        rule = RULES[name]
        is_opened = name in TOKENS or self._tells(name, written) or not self._tree.pass_over(rule)
        if is_opened:
            self._start(rule, written)
        if end > start:
            self._text(start, end)
        if is_opened and name == "br":
            self._break()
        elif is_opened:
            self._end(name)

    def _end(self, name: str) -> None:
        top = self._tree.stack[-1]
        if not top.is_plain and top.name == name:
            self._formulas.end(top, self._run)
        self._tree.end(name)

    def _tells(self, name: str, written: str) -> bool:
        """Whether an element within a line may be hidden, or may name the heading it is in."""
        rules = self._styles.rules
        if name in STRUCK_NAMES or name in _LEANS:
            return True
        if not written:
            return name in rules
        written = written.lower()
        if any(said in written for said in _SAYING):
            return True
        if self._styles.says_something:
            return name in rules or "class" in written or "id" in written
        return self._tree.stack[-1].flow.kind is _HEADING and "id" in written

    def _start(self, rule: Rule, written: str) -> bool:
        """Whether an element is opened."""
        name = rule.name
        if rule.is_void:
            self._tree.void(rule)
            if name == "br":
                self._break()
            elif name == "hr":
                self._flush()
            elif name == "frame":
                self._frame(said_by(written))
            return False
        element = self._tree.start(rule)
        if element is None:
            return False
        if rule.is_block and name != "html":
            self._flush()
            said = said_by(written) if written else NOTHING_SAID
            if "id" in said.attributes:
                element.id = said.attributes["id"]
            self._enter(element, rule, said)
        elif rule.is_unshown:
            if name == "style":
                is_within = element.parent is not None and element.parent.rule.is_unshown
                self._is_sheet_read = not is_within and is_on_screens(said_by(written).attributes)
            if name == "iframe" and element.flow.shown is _YES:
                self._frame(said_by(written))
            self._unshow(element)
        elif self._tells(name, written):
            said = said_by(written)
            if element.flow.kind is _HEADING and not self._anchor:
                self._anchor = said.attributes.get("id", "")
            lean, is_apart = self._hide(element, said)
            if is_apart and self._run and not self._ends_in_space:
                self._run.append((" ", BETWEEN, BETWEEN))
                self._ends_in_space = True
            lean = lean or _LEANS.get(name)
            if lean:
                element.flow = element.flow._replace(lean=lean)
        if not element.is_plain and name.startswith("m") and element.flow.shown is _YES:
            if not self._run:
                self._run_of = element.block
            lean = self._formulas.start(element, self._run)
            if lean:
                element.flow = element.flow._replace(lean=lean)
            self._ends_in_space = not self._run or self._run[-1][0].endswith((" ", "\n"))
        return True

    def _unshow(self, element: Element) -> None:
        flow = element.flow
        shown = Shown.NEVER if flow.faint else max(flow.shown, Shown.NEVER)
        element.flow = flow._replace(shown=shown, faint=frozenset())

    def _frame(self, said: Said) -> None:
        if "src" in said.attributes and not said.is_hidden:
            self.frames.append(said.attributes["src"])

    def _hide(self, element: Element, said: Said) -> tuple[Lean | None, bool]:
        """Hide its words, or show them again, if that is said.

        How high they stand, if that is, and whether they stand apart from those before.
        """
        flow = element.flow
        if flow.shown is not _YES and not flow.faint:
            return None, False
        told, lean, is_apart = self._styles.told_of(element.name, said)
        hiding = {which for which, hides in told.items() if hides}
        if not hiding <= INHERITED:
            element.flow = flow._replace(shown=_HIDDEN, faint=frozenset())
            return None, False
        faint = flow.faint.difference(told).union(hiding)
        if faint != flow.faint:
            element.flow = flow._replace(shown=_HIDDEN if faint else _YES, faint=faint)
        return lean, is_apart

    def _enter(self, element: Element, rule: Rule, said: Said) -> None:
        """What the beginning of a block changes for the words in it."""
        if rule.is_unshown:
            self._unshow(element)
            return
        name = rule.name
        if (
            said.told
            or "hidden" in said.attributes
            or "popover" in said.attributes
            or self._styles.says_something
            or name == "dialog"
        ):
            self._hide(element, said)
        attributes, flow = said.attributes, element.flow
        if flow.shown is not _YES and not flow.faint:
            return
        is_navigation = flow.kind is _MARKUP
        if not is_navigation and (said.is_navigation or name in ("nav", "search")):
            element.flow = flow._replace(kind=_MARKUP, group=0, item=None)
        elif name not in _TELLING:
            return
        elif name in _LISTS:
            self._enter_list(element, flow, attributes)
        elif name in ("li", "dt", "dd"):
            kind = flow.kind if is_navigation else _ITEM
            level = max(1, flow.level) if flow.kind is not _HEADING else 1
            item = Item(name, self._marker(element, attributes) if name == "li" else "")
            element.flow = flow._replace(kind=kind, level=level, item=item)
        elif name in ("table", "caption", "thead", "tr", "td", "th"):
            self._enter_table(element, flow, attributes)
        elif not is_navigation:
            if _HEADING_NAME.fullmatch(name):
                self._anchor = ""
                element.flow = flow._replace(kind=_HEADING, level=int(name[1]), group=0, item=None)
            elif name == "blockquote":
                element.flow = flow._replace(kind=BlockKind.QUOTATION, level=0, group=0, item=None)
            elif name in ("pre", "listing", "xmp"):
                element.flow = flow._replace(kind=_CODE, is_preformatted=True)

    def _enter_list(self, element: Element, flow: Flow, attributes: Mapping[str, str]) -> None:
        group, level = flow.group, flow.level + 1
        if not group:
            self._groups += 1
            group, level = self._groups, 1
        element.flow = flow._replace(group=group, level=level)
        if element.name == "ol":
            first = number_of(attributes.get("start", ""), 1)
            self._ordinals.append((element, first, attributes.get("type", "1")))

    def _marker(self, element: Element, attributes: Mapping[str, str]) -> str:
        if not self._ordinals or self._ordinals[-1][0] is not element.parent:
            return "- "
        ordered, number, style = self._ordinals[-1]
        number = number_of(attributes.get("value", ""), number)
        self._ordinals[-1] = ordered, number + 1, style
        return f"{ordinal(number, style)}. "

    def _enter_table(self, element: Element, flow: Flow, attributes: Mapping[str, str]) -> None:
        name, table = element.name, flow.table
        if name == "table":
            inner = None
            if flow.tables < DEEPEST_TABLE:
                self._groups += 1
                inner = Table(flow.sink, self._groups)
                inner.is_layout = attributes.get("role") in ("presentation", "none")
            kind = flow.kind if flow.kind is _MARKUP else _PARAGRAPH
            element.flow = flow._replace(
                kind=kind, level=0, group=0, item=None, table=inner, tables=flow.tables + 1
            )
        elif table is None:
            return
        elif name == "caption":
            element.flow = flow._replace(sink=table.caption)
        elif name == "tr":
            parent = element.parent
            is_head = parent is not None and parent.name == "thead"
            table.rows.append(Row(is_head))
        elif name in ("td", "th"):
            if not table.rows:
                table.rows.append(Row())
            cell = Cell(
                name == "th",
                max(1, min(number_of(attributes.get("colspan", ""), 1), WIDEST)),
                max(1, number_of(attributes.get("rowspan", ""), 1)),
            )
            table.rows[-1].cells.append(cell)
            element.flow = flow._replace(sink=cell.blocks)

    def _close(self, element: Element) -> None:
        self._flush()
        name, flow = element.name, element.flow
        if name == "table" and flow.table is not None and (flow.shown is _YES or flow.faint):
            self._emit_terms()
            flow.table.sink.extend(table_blocks(flow.table))
        elif name in ("dl", "td", "th"):
            self._emit_terms()
        elif name == "ol" and self._ordinals and self._ordinals[-1][0] is element:
            self._ordinals.pop()

    def _break(self) -> None:
        top = self._tree.stack[-1].flow
        if top.shown is not _YES or not self._run:
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
            if not self._is_sheet_read:
                return
            self._styles.read(self._source[start:end])
        elif top.flow.shown is _YES and start < end:
            if not self._run:
                self._run_of = top.block
            self._run.append((self._source[start:end], start, end))
            self._ends_in_space = False

    def _text(self, start: int, end: int) -> None:
        words = self._source[start:end]
        tree = self._tree
        top = tree.stack[-1]
        flow = top.flow
        if tree.body is None or flow.shown is not _YES:
            if not self._is_shown(words, start, top):
                return
            top = tree.stack[-1]
            flow = top.flow
        if flow.is_preformatted:
            found = preformatted(words, start)
        elif (self._ends_in_space or top.name in HOLDERS) and not words.strip(SPACES):
            return
        else:
            found = collapsed(words, start, end, after_space=self._ends_in_space)
        if found:
            if not self._run:
                self._run_of = top.block
            elif flow.lean is not self._lean or flow.lean:
                found = self._beside(found, flow.lean)
            space = self._formulas.between(top, self._run, found[0][0])
            if space:
                self._run.append((space, BETWEEN, BETWEEN))
            self._lean = flow.lean
            self._run += found
            self._ends_in_space = found[-1][0].endswith(" ")

    def _beside(self, found: list[Words], lean: Lean) -> list[Words]:
        """Words behind others that stand higher or lower, with no number made of both."""
        before = [one[0] for one in self._run[-NEAR:]]
        end, words = beside(before, self._lean, found[0][0], lean)
        self._run[-1] = end, *self._run[-1][1:]
        return [(words, *found[0][1:]), *found[1:]]

    def _is_shown(self, words: str, start: int, top: Element) -> bool:
        """Whether words in `top` are seen, where it does not say that they are."""
        if self._tree.body is None and top.name in ("html", "head"):
            if not words.strip(SPACES):
                return False
            self._tree.enter_body()
            return True
        if top.flow.shown is _HIDDEN:
            count = len(words.split())
            if count and self.hidden_at < 0:
                self.hidden_at = start
            self.hidden_words += count
        elif top.name == "title" and not self._has_title and top.is_plain:
            self._has_title = True
            self.title = " ".join(decoded(words).split())
        return top.flow.shown is _YES

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
            if flow.kind is _HEADING and not element.id:
                element.id = self._anchor
            self._anchor = ""
        block = PageBlock(flow.kind, [Run(element, words)], flow.level, flow.group)
        if flow.kind is _PARAGRAPH:
            block.level = block.group = 0
        elif flow.kind is _CODE:
            block.level = 0
        item = flow.item
        if item is not None:
            if flow.kind is _ITEM and item.marker:
                block.marker, item.marker = item.marker, ""
            if item.name == "dt" and flow.kind is _ITEM:
                if self._terms or len(block.runs[0].text()) > _LONGEST_TERM:
                    self._emit_terms()
                self._terms.append(block)
                return
            if item.name == "dd" and flow.kind is _ITEM and self._terms:
                runs = self._terms.pop().runs
                colon = " " if runs[-1].text().rstrip().endswith((":", "?")) else ": "
                block.runs = [*runs, Run(None, [(colon, BETWEEN, BETWEEN)]), *block.runs]
        if self._terms:
            self._emit_terms()
        flow.sink.append(block)

    def _emit_terms(self) -> None:
        """Terms whose description is not one line of words stand by themselves."""
        for block in self._terms:
            element = block.runs[0].element
            if element is not None:
                element.flow.sink.append(block)
        self._terms = []
