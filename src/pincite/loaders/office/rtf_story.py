"""The content of an RTF file as it is read: paragraphs and tables, group by group."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from pincite.loaders.office import docx_symbols
from pincite.loaders.office.rtf_level import CellKind, Level
from pincite.loaders.office.rtf_state import CODES, MARGINS, SHOWN, SKIPPED, Font, State, Style
from pincite.loaders.office.rtf_tokens import (
    CHARACTERS,
    SIGNS,
    SYMBOL_CHARSET,
    encoding_of_charset,
    encoding_of_page,
)
from pincite.loaders.office.running_text import (
    MOST_PARAGRAPHS,
    OBJECT,
    Item,
    LeftOut,
    Paragraph,
    TableCell,
    shown,
)
from pincite.loaders.office.style_names import heading_level, is_contents
from pincite.loaders.raised import Lean, beside
from pincite.places import ParagraphPlace

_LONGEST_MARKER = 40


class Story:
    """Takes groups, control words and text; gives paragraphs and tables to `add` as they end.

    `notes` holds footnotes and endnotes by (part, id), `margins` headers and footers.
    """

    def __init__(self, add: Callable[[Item], None]) -> None:
        self.notes: dict[tuple[str, str], list[Item]] = {}
        self.margins: list[Item] = []
        self.left_out = LeftOut()
        self.title = ""
        self.is_too_long = False
        self._levels = [Level("body", add)]
        self._state = State()
        self._stack: list[State] = []
        self._fonts: dict[int, Font] = {}
        self._styles: dict[int, Style] = {}
        self._colours: list[tuple[int, int, int]] = []
        self._colour = [0, 0, 0]
        self._default_font = 0
        self._encoding = "cp1252"
        self._bytes = bytearray()
        self._to_skip = 0
        self._high = ""
        self._counts: dict[str, list[int]] = {}

    def start_group(self) -> None:
        self._flush()
        self._to_skip = 0
        self._stack.append(self._state)
        self._state = replace(self._state, is_optional=False, opens="")

    def end_group(self) -> None:
        self._flush()
        self._to_skip = 0
        if self._state.opens:
            self._end_paragraph(is_last=True)
            self._levels[-1].close_table()
            self._levels.pop()
        if self._stack:
            self._state = self._stack.pop()

    def finish(self) -> None:
        """Give what is still open at the end."""
        self._flush()
        while self._levels:
            self._end_paragraph(is_last=True)
            self._levels[-1].close_table()
            self._levels.pop()

    def take_bytes(self, words: bytes) -> None:
        """Take text, in the code page of its font."""
        skipped = min(self._to_skip, len(words))
        self._to_skip -= skipped
        self._bytes += words[skipped:]

    def take_word(self, word: str, number: int | None) -> bool:
        """Take a control word or sign; False where no more is to be read."""
        if word == "'":
            if self._to_skip:
                self._to_skip -= 1
            elif number is not None:
                self._bytes.append(number)
            return True
        self._flush()
        self._to_skip = 0
        state = self._state
        if word == "*":
            state.is_optional = True
        elif word == "u":
            code = (number or 0) % 0x10000
            self._to_skip = state.unicode_skip
            self._take_unit(code)
        elif word == "ud":
            state.destination = ""
        elif state.destination == "skip":
            pass
        elif word in SKIPPED or (state.is_optional and not self._is_known(word)):
            self.left_out.embedded += word in ("objdata", "moMath")
            if word == "moMath":
                self._take(OBJECT)
            state.destination = "skip"
        elif word in CHARACTERS:
            self._take(CHARACTERS[word])
        elif word in SIGNS:
            self._take(SIGNS[word])
        elif state.destination in ("fonttbl", "colortbl", "stylesheet"):
            self._take_definition(word, number)
        else:
            self._take_structure(word, number)
        state.is_optional &= word == "*"
        return not self.is_too_long

    def _is_known(self, word: str) -> bool:
        return word in SHOWN or word in MARGINS or word in ("footnote", "annotation", "cs")

    def _take_definition(self, word: str, number: int | None) -> None:
        """Take a word in the tables of fonts, colours and styles."""
        state = self._state
        value = 0 if number is None else number
        match word:
            case "f" if state.destination == "fonttbl":
                state.font = value
                self._fonts[value] = Font()
            case "fcharset" if state.font in self._fonts:
                self._fonts[state.font].charset = value
            case "red" | "green" | "blue":
                self._colour[("red", "green", "blue").index(word)] = value
            case "s" if state.destination == "stylesheet":
                state.style = value
                self._styles[value] = Style()
            case "cs" | "ds" | "ts":
                state.style = -1
            case "outlinelevel" if state.style in self._styles:
                self._styles[state.style].outline = value

    def _take_structure(self, word: str, number: int | None) -> None:
        state, level = self._state, self._levels[-1]
        value = 0 if number is None else number
        match word:
            case "par" | "sect" | "\n" | "\r":
                self._end_paragraph()
            case "cell":
                if not state.destination:
                    self._end_paragraph(in_cell=True)
                    level.end_cell()
            case "nestcell":
                self._end_paragraph()
            case "row":
                level.end_row()
            case "trowd":
                level.kinds, level.kind, level.is_header_row = [], CellKind(), False
            case "trhdr":
                level.is_header_row = True
            case "clvmrg":
                level.kind.continues = True
            case "clmrg":
                level.kind.is_covered = True
            case "cellx":
                level.kinds.append(level.kind)
                level.kind = CellKind()
            case "fonttbl" | "colortbl" | "stylesheet" | "title" | "info":
                state.destination = word if word != "info" else "skip-unless-title"
            case "listtext" | "pntext":
                state.destination = "marker"
            case "upr":
                state.destination = "skip"
            case "footnote":
                self._open_note()
            case "ftnalt":
                self._levels[-1].part = "endnotes"
            case "annotation":
                self.left_out.comments += 1
                state.destination = "skip"
            case "shptxt":
                self._open(Level("text boxes", level.boxes.append))
            case _ if word in MARGINS:
                self._open(Level(MARGINS[word], self.margins.append))
            case _ if word in CODES:
                pages = {"mac": "mac_roman", "pc": "cp437", "pca": "cp850"}
                page = encoding_of_page(number) if word == "ansicpg" else None
                self._encoding = page or pages.get(word, self._encoding)
            case _:
                self._take_property(word, number, value)

    def _take_property(self, word: str, number: int | None, value: int) -> None:
        state = self._state
        is_on = number != 0
        match word:
            case "pard":
                state.style, state.outline, state.in_table = -1, -1, False
                state.list_id, state.list_level = "", 0
            case "plain":
                state.hides = state.is_deleted = state.is_bold = state.is_shaded = False
                state.is_struck, state.lean = False, Lean.LEVEL
                state.font, state.colour = self._default_font, 0
            case "deff":
                self._default_font = state.font = value
            case "f":
                state.font = value
            case "uc":
                state.unicode_skip = max(0, min(value, 100))
            case "v":
                state.hides = is_on
            case "deleted":
                self.left_out.deletions += is_on and not state.is_deleted
                state.is_deleted = is_on
            case "b":
                state.is_bold = is_on
            case "strike" | "striked":
                state.is_struck = is_on
            case "super" | "up":
                state.lean = Lean.RAISED if is_on else Lean.LEVEL
            case "sub" | "dn":
                state.lean = Lean.LOWERED if is_on else Lean.LEVEL
            case "nosupersub":
                state.lean = Lean.LEVEL
            case "cf":
                state.colour = value
            case "highlight" | "chcbpat" | "cbpat" | "chshdng" | "shading":
                state.is_shaded = value > 0
            case "s":
                state.style = value
            case "outlinelevel":
                state.outline = value
            case "ls":
                state.list_id = str(value)
            case "ilvl":
                state.list_level = max(0, min(value, 8))
            case "intbl":
                state.in_table = True

    def _open(self, level: Level) -> None:
        self._state.opens = level.part
        self._state.destination = ""
        self._levels.append(level)

    def _open_note(self) -> None:
        key = ("footnotes", str(len(self.notes)))
        items: list[Item] = []
        self.notes[key] = items
        self._levels[-1].notes.append(key)
        self._open(Level("footnotes", items.append))

    def _flush(self) -> None:
        """Decode the bytes gathered, which are all of one font."""
        if not self._bytes:
            return
        data = bytes(self._bytes)
        self._bytes.clear()
        font = self._fonts.get(self._state.font)
        is_plain = self._state.destination in ("fonttbl", "colortbl", "stylesheet", "skip")
        if font is None or is_plain or font.charset in (None, 0, 1):
            words = data.decode(self._encoding, "replace")
        elif font.charset == SYMBOL_CHARSET:
            words = "".join(
                docx_symbols.character(font.name, f"{0xF000 + byte:X}") if byte > 32 else chr(byte)
                for byte in data
            )
        else:
            charset = font.charset or 0
            words = data.decode(encoding_of_charset(charset, self._encoding), "replace")
        self._take(words)

    def _take_unit(self, code: int) -> None:
        """Take a UTF-16 code unit."""
        if 0xD800 <= code < 0xDC00:
            self._high = chr(code)
            return
        high, self._high = self._high, ""
        if 0xDC00 <= code < 0xE000:
            if high:
                pair = (high + chr(code)).encode("utf-16-le", "surrogatepass")
                self._take(pair.decode("utf-16-le"))
            return
        font = self._fonts.get(self._state.font)
        if 0xF000 <= code < 0xF100 and font is not None:
            self._take(docx_symbols.character(font.name, f"{code:X}"))
        else:
            self._take(chr(code))

    def _take(self, words: str) -> None:
        state, level = self._state, self._levels[-1]
        match state.destination:
            case "":
                pass
            case "fonttbl":
                font = self._fonts.get(state.font)
                if font is not None and not font.name:
                    font.name = words.partition(";")[0].strip()
                return
            case "colortbl":
                if ";" in words:
                    self._end_colours(words.count(";"))
                return
            case "stylesheet":
                if state.style in self._styles:
                    style = self._styles[state.style]
                    style.name = (style.name + words).partition(";")[0][:100]
                return
            case "title":
                self.title = (self.title + words)[:1_000]
                return
            case "marker":
                level.marker = (level.marker + words)[:_LONGEST_MARKER]
                return
            case _:
                return
        words = shown(words)
        if state.is_deleted:
            return
        if state.hides or self._is_white_on_white():
            self.left_out.hidden += sum(not letter.isspace() for letter in words)
            return
        if state.is_struck:
            self.left_out.struck += sum(not letter.isspace() for letter in words)
            return
        if level.words and (state.lean or level.lean):
            level.words[-1], words = beside(level.words, level.lean, words, state.lean)
        level.lean = state.lean
        level.words.append(words)
        if words.strip():
            level.bold.append(state.is_bold)

    def _is_white_on_white(self) -> bool:
        state = self._state
        if state.in_table or state.is_shaded or len(self._levels) > 1:
            return False
        return 0 < state.colour < len(self._colours) and self._colours[state.colour] == (
            255,
            255,
            255,
        )

    def _end_colours(self, count: int) -> None:
        for _ in range(min(count, 1_000)):
            self._colours.append((self._colour[0], self._colour[1], self._colour[2]))
            self._colour = [0, 0, 0]

    def _end_paragraph(self, *, is_last: bool = False, in_cell: bool = False) -> None:
        level, state = self._levels[-1], self._state
        if state.destination and not is_last:
            return
        if is_last and not (level.words or level.notes or level.boxes):
            return
        in_table = in_cell or state.in_table
        if level.table is not None and not in_table:
            self._levels[-1].close_table()
        counts = self._counts.setdefault(level.part, [0, 0])
        counts[0] += 1
        self.is_too_long = counts[0] > MOST_PARAGRAPHS
        number = counts[0]
        place = ParagraphPlace(number, number, level.part)
        cell: TableCell | None = None
        if in_table:
            counts[1] += level.table is None
            cell = level.open_cell(counts[1])
            row = len(level.table.rows) + 1 if level.table is not None else 0
            place = ParagraphPlace(number, number, level.part, counts[1], row, cell.column)
        paragraph = Paragraph(
            place,
            pieces=[("".join(level.words), place)] if level.words else [],
            is_bold=bool(level.bold) and all(level.bold),
            boxes=level.boxes[:],
            notes=level.notes,
        )
        self._resolve(paragraph, level.marker)
        level.words, level.bold, level.notes, level.marker = [], [], [], ""
        level.boxes.clear()
        if cell is not None:
            cell.items.append(paragraph)
        else:
            level.add(paragraph)

    def _resolve(self, paragraph: Paragraph, marker: str) -> None:
        """Say what the style and the list make of a paragraph."""
        state = self._state
        style = self._styles.get(state.style, Style())
        outline = state.outline if state.outline >= 0 else style.outline
        level = heading_level(style.name)
        if outline < 0 and level:
            outline = level - 1
        paragraph.is_title = style.name.strip().lower() == "title"
        paragraph.is_layout = is_contents(style.name)
        if paragraph.is_title or 0 <= outline < 9:
            paragraph.heading = max(outline, 0) + 1
        marker = " ".join(marker.split())
        if marker:
            is_number = any(letter.isalnum() for letter in marker) and marker != "o"
            paragraph.marker = f"{marker} " if is_number else "- "
            paragraph.level = state.list_level + 1
            paragraph.list_id = state.list_id
