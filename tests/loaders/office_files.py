"""Tiny office files for tests, made of the XML a test gives."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_RELATIONSHIPS = "http://schemas.openxmlformats.org/package/2006/relationships"
WORD = (
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    f' xmlns:r="{_OFFICE}"'
    ' xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
    ' xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
)


def archive(parts: Mapping[str, str | bytes]) -> bytes:
    """A ZIP file of `parts`, in their order."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as package:
        for name, content in parts.items():
            package.writestr(name, content)
    return made.getvalue()


def relationships(targets: Mapping[str, tuple[str, str]]) -> str:
    """The part that says which (kind, target) each id stands for."""
    items = "".join(
        f'<Relationship Id="{key}" Type="{_OFFICE}/{kind}" Target="{target}"/>'
        for key, (kind, target) in targets.items()
    )
    return f'<Relationships xmlns="{_RELATIONSHIPS}">{items}</Relationships>'


def docx(body: str, **parts: str) -> bytes:
    """A Word document; `parts` (`styles`, `numbering`, `footnotes`, …) are the XML inside them."""
    roots = {"numbering": "numbering", "styles": "styles", "header": "hdr", "footer": "ftr"}
    return archive(
        {
            "[Content_Types].xml": "<Types/>",
            "_rels/.rels": relationships({"rId1": ("officeDocument", "word/document.xml")}),
            "word/_rels/document.xml.rels": relationships(
                {name: (name, f"{name}.xml") for name in parts}
            ),
            "word/document.xml": f"<w:document {WORD}><w:body>{body}</w:body></w:document>",
            **{
                f"word/{name}.xml": f"<w:{root} {WORD}>{content}</w:{root}>"
                for name, content in parts.items()
                for root in (roots.get(name, name),)
            },
        }
    )


def paragraph(words: str, properties: str = "", run: str = "") -> str:
    """A Word paragraph of one run."""
    return (
        f"<w:p><w:pPr>{properties}</w:pPr><w:r><w:rPr>{run}</w:rPr>"
        f'<w:t xml:space="preserve">{words}</w:t></w:r></w:p>'
    )


def table(*rows: list[str], header: bool = False) -> str:
    """A Word table; a cell that is not a paragraph yet becomes one."""
    made = ""
    for index, row in enumerate(rows):
        cells = "".join(
            f"<w:tc>{cell if cell.startswith('<') else paragraph(cell)}</w:tc>" for cell in row
        )
        mark = "<w:trPr><w:tblHeader/></w:trPr>" if header and index == 0 else ""
        made += f"<w:tr>{mark}{cells}</w:tr>"
    return f"<w:tbl>{made}</w:tbl>"
