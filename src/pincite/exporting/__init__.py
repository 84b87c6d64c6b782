"""Answers in the formats of others, a module a format.

To add one: a module with `export(answer) -> str | Json`, and a line in `FORMATS`.
"""

from collections.abc import Callable

from pincite.exporting import (
    anthropic,
    csl,
    footnotes,
    links,
    openai,
    ris,
    web_annotation,
)
from pincite.exporting.exported import Exported, Json

__all__ = ["FORMATS", "Exported"]

FORMATS: dict[str, Callable[[Exported], str | Json]] = {
    "web-annotation": web_annotation.export,
    "anthropic": anthropic.export,
    "openai": openai.export,
    "links": links.export,
    "csl-json": csl.export,
    "ris": ris.export,
    "markdown": footnotes.markdown,
    "html": footnotes.html,
}
"""What JSON is made of, or text."""
