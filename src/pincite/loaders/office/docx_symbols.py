"""Characters of symbol fonts, which files name by their place in the font, in Unicode."""

from __future__ import annotations

_PRIVATE = 0xF000
_GREEK = dict(
    zip(
        "ABGDEZHQIKLMNXOPRSTUFCYWabgdezhqiklmnxoprVstufcyw",
        "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩαβγδεζηθικλμνξοπρςστυφχψω",
        strict=True,
    )
)
_SYMBOL = {
    0xA3: "≤", 0xA5: "∞", 0xAC: "←", 0xAD: "↑", 0xAE: "→", 0xAF: "↓", 0xB0: "°", 0xB1: "±",
    0xB3: "≥", 0xB4: "×", 0xB6: "∂", 0xB7: "•", 0xB8: "÷", 0xB9: "≠", 0xBA: "≡", 0xBB: "≈",
    0xBC: "…", 0xC5: "⊕", 0xC6: "∅", 0xC7: "∩", 0xC8: "∪", 0xCC: "⊂", 0xCE: "∈", 0xCF: "∉",
    0xD0: "∠", 0xD2: "®", 0xD3: "©", 0xD4: "™", 0xD5: "∏", 0xD6: "√", 0xD7: "⋅", 0xD8: "¬",
    0xD9: "∧", 0xDA: "∨", 0xDB: "⇔", 0xDE: "⇒", 0xE2: "®", 0xE3: "©", 0xE4: "™", 0xE5: "∑",
    0xF2: "∫", 0x22: "∀", 0x24: "∃", 0x2D: "−", 0x40: "≅", 0xA2: "′", 0xB2: "″",
}  # fmt: skip
_WINGDINGS = {
    0x28: "☎", 0x2A: "✉", 0x4A: "☺", 0x4C: "☹", 0x6C: "●", 0x6E: "■", 0x6F: "□", 0x71: "❑",
    0x72: "❒", 0x76: "❖", 0xA7: "▪", 0xA8: "◻", 0xD8: "➢", 0xDF: "←", 0xE0: "→", 0xE1: "↑",
    0xE2: "↓", 0xE8: "➔", 0xF0: "⇨", 0xFB: "✗", 0xFC: "✓", 0xFD: "☒", 0xFE: "☑",
}  # fmt: skip
_WINGDINGS_2 = {0x4F: "✗", 0x50: "✓", 0x51: "☒", 0x52: "☑", 0xA3: "□"}


def character(font: str, code: str) -> str:
    """The character at `code` (hexadecimal) of `font`; what is not known stays as it is coded.

    `""` where `code` is none.
    """
    try:
        number = int(code, 16)
    except ValueError:
        return ""
    if not 0 < number < 0xD800 and not 0xE000 <= number < 0x110000:
        return ""
    place = number - _PRIVATE if _PRIVATE <= number <= _PRIVATE + 0xFF else number
    match font.lower():
        case "symbol":
            known = _SYMBOL.get(place) or _GREEK.get(chr(place))
            if known is None and 0x20 <= place < 0x40:
                known = chr(place)
        case "wingdings":
            known = _WINGDINGS.get(place)
        case "wingdings 2":
            known = _WINGDINGS_2.get(place)
        case _:
            known = None
    return known or chr(number)
