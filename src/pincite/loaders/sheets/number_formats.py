"""Numbers of a workbook as a cell shows them: decimals, per cent, currency; dates in ISO 8601.

A format that says more than these rules know gives the plain number: never wrong digits.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation

from pincite.loaders.sheets.cells import plain_number

BUILT_IN: dict[int, str] = {
    1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 5: '"$"#,##0;-"$"#,##0',
    6: '"$"#,##0;-"$"#,##0', 7: '"$"#,##0.00;-"$"#,##0.00', 8: '"$"#,##0.00;-"$"#,##0.00',
    9: "0%", 10: "0.00%", 14: "yyyy-mm-dd", 15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy",
    18: "h:mm", 19: "h:mm:ss", 20: "h:mm", 21: "h:mm:ss", 22: "yyyy-mm-dd h:mm",
    37: "#,##0;(#,##0)", 38: "#,##0;(#,##0)", 39: "#,##0.00;(#,##0.00)",
    40: "#,##0.00;(#,##0.00)", 41: "#,##0;(#,##0)", 42: '"$"#,##0;("$"#,##0)',
    43: "#,##0.00;(#,##0.00)", 44: '"$"#,##0.00;("$"#,##0.00)', 45: "mm:ss", 46: "[h]:mm:ss",
    47: "mm:ss",
    **dict.fromkeys((27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58), "yyyy-mm-dd"),
}  # fmt: skip
"""The formats that files name by number alone (ECMA-376, 18.8.30); others show the plain number."""

_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"|\\(?P<escaped>.)|_.|\*.|\[\$(?P<currency>[^\]-]*)(?:-[^\]]*)?\]'
    r"|\[(?P<elapsed>h+|m+|s+)\]|\[[^\]]*\]|(?P<pattern>[#0?.,]+)|(?P<percent>%)"
    r"|(?P<half>am/pm|a/p)|(?P<date>[ymdhs]+)|(?P<plain>[-+()$€£¥ :/])|(?P<other>.)",
    re.I | re.S,
)
_FRACTION_DIGITS = re.compile(r"\.([0#?]*)")


@dataclass(frozen=True, slots=True)
class _Shape:
    """How one section of a format shows a number."""

    before: str
    after: str
    decimals: int
    least_decimals: int
    has_groups: bool
    thousands: int
    """By how many thousands it is divided."""
    is_percent: bool
    least_whole: int
    """Digits before the point at least: 501 is shown as 00501."""


@dataclass(frozen=True, slots=True)
class _Moment:
    """Which parts of a point in time a format shows."""

    has_year: bool
    has_month: bool
    has_day: bool
    has_time: bool
    has_seconds: bool
    is_elapsed: bool


def shown(value: float, code: str, *, since_1904: bool = False) -> str:
    """`value` as a cell with the number format `code` shows it; all its digits for no format."""
    value = float(value)
    kinds = _read(code)
    if isinstance(kinds, _Moment):
        return _moment(value, kinds, since_1904) or plain_number(value)
    if not kinds:
        return plain_number(value)
    is_negative = value < 0
    section = kinds[1] if is_negative and len(kinds) > 1 else kinds[0]
    if value == 0 and len(kinds) > 2:
        section = kinds[2]
    if section is None:
        return plain_number(value)
    digits = _digits(abs(value), section)
    sign = "-" if is_negative and len(kinds) == 1 and digits.strip("0.,") else ""
    return f"{sign}{section.before}{digits}{section.after}".strip()


def is_date(code: str) -> bool:
    """Whether a cell with the number format `code` shows a date or a time."""
    return isinstance(_read(code), _Moment)


@functools.lru_cache(maxsize=4096)
def _read(code: str) -> _Moment | tuple[_Shape | None, ...]:
    if code.strip().lower() in ("", "general", "@", "standard"):
        return ()
    sections = _sections(code)
    tokens = [(match.lastgroup or "", match.group()) for match in _TOKEN.finditer(sections[0])]
    letters = "".join(text.lower() for group, text in tokens if group in ("date", "elapsed"))
    if letters:
        return _moment_parts(letters, is_elapsed=any(group == "elapsed" for group, _ in tokens))
    if "[" in code and re.search(r"\[[<>=]", code):
        return ()
    return tuple(map(_shape, sections[:3]))


def _sections(code: str) -> list[str]:
    """`code` cut at the semicolons that are not quoted."""
    sections = [""]
    for match in re.finditer(r'"[^"]*"|\\.|\[[^\]]*\]|;|.', code, re.S):
        if match.group() == ";":
            sections.append("")
        else:
            sections[-1] += match.group()
    return sections


def _moment_parts(letters: str, *, is_elapsed: bool) -> _Moment:
    has_time = "h" in letters or "s" in letters
    # `m` beside hours or seconds is minutes; a date with its own month writes more of them.
    return _Moment(
        has_year="y" in letters,
        has_month="m" in letters and (not has_time or "y" in letters or "d" in letters),
        has_day="d" in letters,
        has_time=has_time,
        has_seconds="s" in letters,
        is_elapsed=is_elapsed,
    )


def _shape(section: str) -> _Shape | None:
    before = after = ""
    pattern = None
    is_percent = False
    for match in _TOKEN.finditer(section):
        group = match.lastgroup
        if group == "pattern":
            if pattern is not None:
                return None
            pattern = match.group()
            continue
        if group in ("other", "half"):
            return None
        words = match.group(group) if group is not None else " " if match.group()[0] == "_" else ""
        is_percent = is_percent or group == "percent"
        if pattern is None:
            before += words
        else:
            after += words
    if pattern is None or "/" in before + after:
        return None
    whole = pattern.split(".")[0]
    fraction = _FRACTION_DIGITS.search(pattern)
    digits = fraction.group(1) if fraction else ""
    scaling = len(pattern) - len(pattern.rstrip(","))
    return _Shape(
        " ".join(before.split()) + (" " if before[-1:] == " " and before.strip() else ""),
        (" " if after[:1] == " " else "") + " ".join(after.split()),
        len(digits),
        digits.count("0"),
        "," in whole.rstrip(","),
        scaling,
        is_percent,
        whole.count("0"),
    )


def _digits(value: float, shape: _Shape) -> str:
    number = Decimal(format(value, ".15g"))
    if shape.is_percent:
        number *= 100
    number = number.scaleb(-3 * shape.thousands)
    try:
        number = number.quantize(Decimal(1).scaleb(-shape.decimals), rounding=ROUND_HALF_UP)
    except InvalidOperation:  # More digits than are counted with: as it is.
        return plain_number(value)
    digits = format(number, ",f" if shape.has_groups else "f")
    if shape.least_whole > 1 and not shape.has_groups:
        missing = shape.least_whole - len(digits.split(".")[0])
        digits = "0" * missing + digits
    for _ in range(shape.decimals - shape.least_decimals):
        if not digits.endswith("0"):
            break
        digits = digits[:-1]
    return digits.rstrip(".") if "." in digits else digits


def _moment(value: float, parts: _Moment, since_1904: bool) -> str:
    """The date or time, empty where there is none for this number."""
    if not 0 <= value < 2_958_466:  # The end of the year 9999.
        return ""
    seconds = round(value * 86_400)
    if parts.is_elapsed:
        minutes, second = divmod(seconds, 60)
        hours, minute = divmod(minutes, 60)
        return f"{hours}:{minute:02}" + (f":{second:02}" if parts.has_seconds else "")
    if since_1904:
        start = datetime(1904, 1, 1)
    else:
        # Day 60 is 29 February 1900, which never was: the days before it count from a day later.
        start = datetime(1899, 12, 31) if value < 60 else datetime(1899, 12, 30)
    moment = start + timedelta(seconds=seconds)
    clock = moment.strftime("%H:%M:%S" if parts.has_seconds or moment.second else "%H:%M")
    if not (parts.has_year or parts.has_month or parts.has_day):
        return clock
    if parts.has_year and not parts.has_day:
        date = f"{moment.year:04}-{moment.month:02}" if parts.has_month else f"{moment.year:04}"
    else:
        date = f"{moment.year:04}-{moment.month:02}-{moment.day:02}"
    return f"{date} {clock}" if parts.has_time else date
