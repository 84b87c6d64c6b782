"""Tiny office files for tests, made of the XML a test gives."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_RELATIONSHIPS = "http://schemas.openxmlformats.org/package/2006/relationships"
_TYPES = '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>'
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


def docx(body: str, media: Mapping[str, bytes] = {}, **parts: str) -> bytes:
    """A Word document; `parts` (`styles`, `numbering`, `footnotes`, …) are the XML inside them."""
    roots = {"numbering": "numbering", "styles": "styles", "header": "hdr", "footer": "ftr"}
    return archive(
        {
            "[Content_Types].xml": _TYPES,
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
            **media,
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


SLIDE = (
    'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'
    ' xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
    f' xmlns:r="{_OFFICE}"'
    ' xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"'
)


def pptx(
    slides: list[str],
    *,
    order: list[int] | None = None,
    hidden: tuple[int, ...] = (),
    notes: Mapping[int, str] = {},
    parts: Mapping[str, tuple[str, str]] = {},
) -> bytes:
    """A PowerPoint file: the shapes of each slide, and what else slide 1 refers to.

    `order` is how they are shown, `hidden` and `notes` go by the numbers of the files; `parts`
    are the XML of a kind, by relationship id.
    """
    numbers = range(1, len(slides) + 1)
    shown = "".join(f'<p:sldId r:id="rId{number}"/>' for number in order or numbers)
    made = {
        "[Content_Types].xml": _TYPES,
        "_rels/.rels": relationships({"rId1": ("officeDocument", "ppt/presentation.xml")}),
        "ppt/_rels/presentation.xml.rels": relationships(
            {f"rId{number}": ("slide", f"slides/slide{number}.xml") for number in numbers}
        ),
        "ppt/presentation.xml": f"<p:presentation {SLIDE}>{shown}</p:presentation>",
    }
    for number, shapes in enumerate(slides, 1):
        show = ' show="0"' if number in hidden else ""
        made[f"ppt/slides/slide{number}.xml"] = (
            f"<p:sld {SLIDE}{show}><p:cSld><p:spTree>{shapes}</p:spTree></p:cSld></p:sld>"
        )
        related = {}
        if number in notes:
            related["rIdN"] = ("notesSlide", f"../notes{number}.xml")
            made[f"ppt/notes{number}.xml"] = f"<p:notes {SLIDE}>{notes[number]}</p:notes>"
        for key, (kind, content) in parts.items() if number == 1 else ():
            related[key] = (kind, f"../{key}.xml")
            made[f"ppt/{key}.xml"] = content
        made[f"ppt/slides/_rels/slide{number}.xml.rels"] = relationships(related)
    return archive(made)


def shape(*lines: str, kind: str = "", at: tuple[int, int, int, int] | None = None) -> str:
    """A shape with a paragraph for each line, which may begin with its properties."""
    place = ""
    if at is not None:
        left, top, width, height = at
        place = f'<a:xfrm><a:off x="{left}" y="{top}"/><a:ext cx="{width}" cy="{height}"/></a:xfrm>'
    paragraphs = ""
    for line in lines:
        properties, _, words = line.rpartition(">")
        mark = properties + ">" if properties else ""
        paragraphs += f"<a:p>{mark}<a:r><a:t>{words}</a:t></a:r></a:p>"
    holder = f'<p:nvPr><p:ph type="{kind}"/></p:nvPr>' if kind else ""
    return (
        f"<p:sp><p:nvSpPr>{holder}</p:nvSpPr><p:spPr>{place}</p:spPr>"
        f"<p:txBody>{paragraphs}</p:txBody></p:sp>"
    )


_OASIS = "urn:oasis:names:tc:opendocument:xmlns"
OPEN_DOCUMENT = " ".join(
    f'xmlns:{short}="{_OASIS}:{name}:1.0"'
    for short, name in (
        ("office", "office"), ("text", "text"), ("table", "table"), ("style", "style"),
        ("draw", "drawing"), ("presentation", "presentation"), ("svg", "svg-compatible"),
        ("fo", "xsl-fo-compatible"), ("manifest", "manifest"),
    )
)  # fmt: skip


def odf(
    body: str, styles: str = "", *, kind: str = "text", master: str = "", manifest: str = ""
) -> bytes:
    """An OpenDocument file; `master` is in the page's style, `kind` also `presentation`."""
    return archive(
        {
            "mimetype": f"application/vnd.oasis.opendocument.{kind}",
            "META-INF/manifest.xml": (
                f"<manifest:manifest {OPEN_DOCUMENT}>{manifest}</manifest:manifest>"
            ),
            "styles.xml": (
                f"<office:document-styles {OPEN_DOCUMENT}>{master}</office:document-styles>"
            ),
            "content.xml": (
                f"<office:document-content {OPEN_DOCUMENT}><office:automatic-styles>{styles}"
                f"</office:automatic-styles><office:body><office:{kind}>{body}</office:{kind}>"
                "</office:body></office:document-content>"
            ),
        }
    )
