"""What holds inside a group of an RTF file, and which groups are shown."""

from __future__ import annotations

from dataclasses import dataclass

from pincite.loaders.raised import Lean

SKIPPED = frozenset(
    (
        "author buptim colorschememapping comment company creatim datafield datastore"
        " defchp defpap doccomm docvar falt filetbl fldinst fname ftncn ftnsep ftnsepc aftncn"
        " aftnsep aftnsepc generator hlinkbase keycode keywords latentstyles listname"
        " listoverridetable listpicture listtable lsdlockedexcept manager mmathPr"
        " nextfile nonesttables nonshppict objalias objclass objdata objname objsect objtime"
        " operator panose passwordhash pgptbl pict pn pnseclvl private printim protusertbl"
        " revtbl revtim rsidtbl sp shprslt subject tc template themedata userprops wgrffmtfilter"
        " writereservhash xe xmlnstbl xform picprop atnid atnauthor atntime atndate atnref atnicn"
        " atnparent atrfstart atrfend bkmkstart bkmkend blipuid category levelnumbers leveltext"
        " background oldcprops oldpprops oldtprops"
    ).split()
)
MARGINS = {
    **dict.fromkeys(("header", "headerl", "headerr", "headerf"), "headers"),
    **dict.fromkeys(("footer", "footerl", "footerr", "footerf"), "footers"),
}
SHOWN = frozenset(
    "shpinst shptxt nesttableprops ud fldrslt result shp listtext pntext field object".split()
)
"""Destinations that a reader is to pass over unless it knows them (`\\*`), and that are known."""
CODES = ("ansicpg", "mac", "pc", "pca", "ansi")


@dataclass(slots=True)
class State:
    """What holds until the end of the group, and for the groups in it."""

    destination: str = ""
    """`""` for words that are shown; `skip`; or the table or text that is gathered."""
    is_optional: bool = False
    unicode_skip: int = 1
    font: int = 0
    hides: bool = False
    is_deleted: bool = False
    is_bold: bool = False
    is_struck: bool = False
    lean: Lean = Lean.LEVEL
    colour: int = 0
    is_shaded: bool = False
    style: int = -1
    outline: int = -1
    list_id: str = ""
    list_level: int = 0
    in_table: bool = False
    opens: str = ""
    """What this very group opened: a note, a margin, a text box."""


@dataclass(slots=True)
class Font:
    charset: int | None = None
    name: str = ""


@dataclass(slots=True)
class Style:
    name: str = ""
    outline: int = -1
