"""The elements of a web page as a browser nests them, tags that may be left out included.

Elements know their place as an XPath. They are kept on a stack, without recursion, however deep.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass

from pincite.loaders.web.html_flow import Flow

DEEPEST_PATH = 100
"""Steps of a path, most; what is deeper has the path of the element around it."""
_FURTHEST = 512
"""Elements on the stack that are looked through for one to close, as in browsers."""
_PLAIN_NAME = re.compile(r"[a-z][a-z0-9-]*")

_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_FRAME = frozenset({"html", "head", "body"})
_BLOCKS = frozenset(
    "address article aside blockquote body center dd details dialog dir div dl dt fieldset"
    " figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing"
    " main menu nav ol p plaintext pre search section summary table tbody td"
    " tfoot th thead tr ul caption colgroup xmp frameset".split()
)
_VOID = frozenset(
    "area base basefont bgsound br col embed frame hr img input keygen link meta param source"
    " track wbr".split()
)
_CLOSES_PARAGRAPH = frozenset(
    "address article aside blockquote center details dialog dir div dl fieldset figcaption figure"
    " footer form h1 h2 h3 h4 h5 h6 header hgroup hr main menu nav ol p pre search section"
    " summary table ul dd dt li listing plaintext xmp".split()
)
_SCOPE = frozenset("applet caption html table td th marquee object template".split())
"""What an end tag does not reach out of."""
_BUTTON_SCOPE = _SCOPE | {"button"}
_TABLE_SCOPE = frozenset({"html", "table", "template"})
_ALL_BLOCKS = _BLOCKS | _SCOPE
_ITEM_LIMITS = _ALL_BLOCKS - {"address", "div", "p"}
_TABLE_ONLY = frozenset({"table", "tbody", "thead", "tfoot", "tr"})
_CLOSE_OWN: dict[str, tuple[str, ...]] = {
    "li": ("li",),
    "dd": ("dd", "dt"),
    "dt": ("dd", "dt"),
    "option": ("option",),
    "optgroup": ("option", "optgroup"),
    "a": ("a",),
    "button": ("button",),
}
"""What an element closes that it cannot be inside of."""
_LIMITS_OF: dict[str, frozenset[str]] = {
    "li": _ITEM_LIMITS - {"li"},
    "dd": _ITEM_LIMITS - {"dd", "dt"},
    "dt": _ITEM_LIMITS - {"dd", "dt"},
    "option": _ITEM_LIMITS - {"option", "optgroup"},
    "optgroup": _ITEM_LIMITS - {"option", "optgroup"},
    "a": _ALL_BLOCKS,
    "button": _SCOPE,
}
_BODIES = frozenset({"tbody", "thead", "tfoot", "table"})
_PARENTS: dict[str, frozenset[str]] = {
    "td": _BODIES | {"tr"},
    "th": _BODIES | {"tr"},
    "tr": _BODIES,
    **dict.fromkeys(("tbody", "thead", "tfoot", "caption", "colgroup"), frozenset({"table"})),
}
_HEAD_ONLY = frozenset(
    "base basefont bgsound link meta noframes noscript script style template title".split()
)
_UNSHOWN = frozenset(
    "script style template noscript iframe noembed noframes title select datalist textarea"
    " audio video canvas rp annotation annotation-xml head desc object mphantom".split()
)


@dataclass(frozen=True, slots=True)
class Rule:
    """What an element's name says of it."""

    name: str
    is_block: bool
    is_void: bool
    closes_paragraph: bool
    is_unshown: bool
    in_head: bool
    of_table: bool
    is_phrase: bool
    """It stands in a line with words, whatever is open, and changes nothing for those in it."""
    is_plain: bool
    """A path can name it: not so drawings, formulas and names with colons."""


class Rules(dict[str, Rule]):
    """Rules by name, made as they are asked for."""

    def __missing__(self, name: str) -> Rule:
        rule = Rule(
            name,
            is_block=name in _BLOCKS,
            is_void=name in _VOID,
            closes_paragraph=name in _CLOSES_PARAGRAPH,
            is_unshown=name in _UNSHOWN,
            in_head=name in _HEAD_ONLY,
            of_table=name in _PARENTS,
            is_phrase=not any(
                name in names
                for names in (_BLOCKS, _VOID, _UNSHOWN, _HEAD_ONLY, _PARENTS, _CLOSE_OWN)
            ),
            is_plain=name not in ("svg", "math") and _PLAIN_NAME.fullmatch(name) is not None,
        )
        # Names that someone made up must not fill the memory.
        if len(self) < 1000:
            self[name] = rule
        return rule


RULES = Rules()
"""What names (in small letters) say."""


class Element:
    """An element that is open, or that holds words; much of what it says holds for all in it."""

    __slots__ = (
        "_path", "block", "counts", "depth", "flow", "id", "index", "is_plain", "name", "parent",
        "rule",
    )  # fmt: skip

    def __init__(self, rule: Rule, parent: Element | None, flow: Flow) -> None:
        self.rule = rule
        self.name = rule.name
        self.parent = parent
        self.flow = flow
        self.counts: dict[str, int] | None = None
        self.id = ""
        self.is_plain = rule.is_plain
        self._path: str | None = None
        self.block: Element = self
        if parent is None:
            self.depth = 0
            self.index = 1
            return
        self.id = parent.id
        self.is_plain = rule.is_plain and parent.is_plain
        if not rule.is_block:
            self.block = parent.block
        self.depth = parent.depth + 1
        counts = parent.counts
        if counts is None:
            counts = parent.counts = {}
        self.index = counts[rule.name] = counts.get(rule.name, 0) + 1

    @property
    def path(self) -> str:
        """The XPath; right once the page is read, as only then it is known what has siblings."""
        pending: list[Element] = []
        element: Element | None = self
        while element is not None and element._path is None:
            pending.append(element)
            element = element.parent
        for one in reversed(pending):
            one._path = one._own_path()
        return self._path or ""

    def _own_path(self) -> str:
        if self.parent is None:
            return f"/{self.name}"
        above = self.parent._path or ""
        if self.depth > DEEPEST_PATH or not self.is_plain:
            return above
        several = self.parent.counts is not None and self.parent.counts[self.name] > 1
        return f"{above}/{self.name}[{self.index}]" if several else f"{above}/{self.name}"


class Tree:
    """The elements that are open; `closed` is told of each block once it is closed."""

    def __init__(self, flow: Flow, closed: Callable[[Element], None], *, is_xml: bool) -> None:
        self._closed = closed
        self._is_xml = is_xml
        self.root = Element(RULES["html"], None, flow)
        self.body: Element | None = None
        self.stack = [self.root]
        self._open: dict[str, int] = {}

    def start(self, rule: Rule) -> Element | None:
        """Open an element; None where the tag counts for nothing there."""
        if rule.is_phrase and self.body is not None:
            return self._push(rule)
        name = rule.name
        if name in _FRAME:
            return self._frame(rule)
        if self.body is None:
            self._leave_head(rule)
        opened = self._open
        if not self._is_xml:
            if rule.closes_paragraph and opened.get("p"):
                self._close_nearest("p", _BUTTON_SCOPE)
            if name in _CLOSE_OWN:
                for closing in _CLOSE_OWN[name]:
                    if opened.get(closing):
                        self._close_nearest(closing, _LIMITS_OF[name])
            elif name in _HEADINGS and self.stack[-1].name in _HEADINGS:
                self._pop_to(len(self.stack) - 1)
            elif name == "form" and self.stack[-1].name in _TABLE_ONLY:
                return None
        if rule.of_table and not self._reach(name):
            return None
        return self._push(rule)

    def pass_over(self, rule: Rule) -> bool:
        """Count an element that holds nothing but words, for the paths of others, and open none.

        False where it has to be opened: what it is says more of its words than that they are there.
        """
        if self.body is None or not (
            rule.is_phrase or (rule.name == "a" and not self._open.get("a"))
        ):
            return False
        parent = self.stack[-1]
        counts = parent.counts
        if counts is None:
            counts = parent.counts = {}
        counts[rule.name] = counts.get(rule.name, 0) + 1
        return True

    def end(self, name: str) -> None:
        """Close the nearest open element of this name; nothing where there is none in reach."""
        if name in _FRAME:
            if name == "head" and self.body is None:
                self._pop_to(1)
            return
        stack = self.stack
        if stack[-1].name == name:
            element = stack.pop()
            self._open[name] -= 1
            if element.rule.is_block:
                self._closed(element)
            return
        names: Collection[str] = (name,)
        if name in _HEADINGS:
            names = _HEADINGS
        if not any(map(self._open.get, names)):
            if name == "p" and self.body is not None and not self._is_xml:
                # As browsers do: an empty paragraph, which counts in the paths of its siblings.
                counts = stack[-1].counts = stack[-1].counts or {}
                counts["p"] = counts.get("p", 0) + 1
            return
        rule = RULES[name]
        limits = _TABLE_SCOPE if rule.of_table or name == "table" else _SCOPE
        if not rule.is_block and not self._is_xml:
            limits = _ALL_BLOCKS
        self._close_nearest(name, limits, names)

    def void(self, rule: Rule) -> None:
        """See an element that holds nothing."""
        self._leave_head(rule)
        if rule.closes_paragraph and self._open.get("p") and not self._is_xml:
            self._close_nearest("p", _BUTTON_SCOPE)

    def enter_body(self) -> None:
        """Open the body, whose tag may be left out."""
        if self.body is None:
            self._pop_to(1)
            self.body = self._push(RULES["body"])

    def _leave_head(self, rule: Rule) -> None:
        if self.body is None and not rule.in_head and self.stack[-1].name in _FRAME:
            self.enter_body()

    def close_all(self) -> None:
        """Close what is still open at the end of the page."""
        self._pop_to(0)

    def _frame(self, rule: Rule) -> Element | None:
        if rule.name == "html":
            return self.root
        if rule.name == "body":
            self.enter_body()
            return self.body
        return self._push(rule) if self.body is None and len(self.stack) == 1 else None

    def _push(self, rule: Rule) -> Element:
        parent = self.stack[-1]
        element = Element(rule, parent, parent.flow)
        self.stack.append(element)
        self._open[rule.name] = self._open.get(rule.name, 0) + 1
        return element

    def _pop_to(self, size: int) -> None:
        stack = self.stack
        while len(stack) > size:
            element = stack.pop()
            if element.parent is not None:
                self._open[element.name] -= 1
            if element.rule.is_block:
                self._closed(element)

    def _close_nearest(
        self, name: str, limits: Collection[str], names: Collection[str] = ()
    ) -> None:
        names = names or (name,)
        stack = self.stack
        for place in range(len(stack) - 1, max(0, len(stack) - _FURTHEST), -1):
            above = stack[place].name
            if above in names:
                self._pop_to(place)
                return
            if above in limits:
                return

    def _reach(self, name: str) -> bool:
        """Close and open what is between the nearest table and a part of it called `name`."""
        if not self._open.get("table"):
            return False
        wanted = _PARENTS[name]
        place = len(self.stack) - 1
        while self.stack[place].name not in wanted:
            place -= 1
        self._pop_to(place + 1)
        top = self.stack[-1].name
        if self._is_xml:
            return True
        if top == "table" and name in ("tr", "td", "th"):
            top = self._push(RULES["tbody"]).name
        if top != "tr" and name in ("td", "th"):
            self._push(RULES["tr"])
        return True
