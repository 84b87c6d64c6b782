"""Says of a file that it gave suspiciously little text for its size."""

from __future__ import annotations

_OVERHEAD = 100_000
"""Bytes; what styles, fonts and a picture or two take in files that say little."""
_BYTES_A_CHARACTER = 1_000
_EXPLANATIONS = {
    "xlsx": "it may hold pictures or drawings, which are not read",
}
_EXPLANATION = "it may hold pictures, or letters in an encoding of its own: look into it"


def brevity_note(kind: str, size: int, text: str) -> str | None:
    """The note on a file of `size` bytes of the format `kind` that holds `text`, if it needs one.

    Over 163 real files of many formats and makers no other than pictures of pages had as little.
    """
    if size <= _OVERHEAD + _BYTES_A_CHARACTER * len(text):
        return None
    count = len("".join(text.split()))
    return (
        f"only {count:,} characters of text in {size // 1_000:,} kB: "
        f"{_EXPLANATIONS.get(kind, _EXPLANATION)}"
    )
