"""Messages of Outlook (MSG) read anew: their properties, straight from the streams they are in."""

from __future__ import annotations

import io
from collections.abc import Iterator

from bench.reread_words import decoded, visible
from pincite.places import MessagePlace

_BODY, _PAGE = 0x1000, 0x1013
_NAMES = frozenset({0x3001, 0x3704, 0x3707})
"""Of an attachment: as shown, short and long."""


def outlook_words(data: bytes, place: MessagePlace) -> str | None:
    """The words of the part of the message that `place` names; None where none are kept as text."""
    properties = list(_properties(data))
    own = {code: words for folder, code, words in properties if not folder}
    body = [own[_BODY]] if _BODY in own else []
    if _PAGE in own:
        body.append(visible(own[_PAGE]))
    if place.part == "body":
        return "\n".join(body) or None
    attached = [one for one in properties if one[0].startswith("__attach")]
    if place.part == "attachment":
        folders = {
            folder for folder, code, words in attached if code in _NAMES and words == place.name
        }
        if place.within is not None or not folders:
            return None
        return "\n".join(words for folder, _, words in attached if folder in folders)
    fields = [words for folder, code, words in properties if code not in (_BODY, _PAGE)]
    return "\n".join(fields if place.part == "header" else [*fields, *body])


def _properties(data: bytes) -> Iterator[tuple[str, int, str]]:
    """The storage a property is in (empty for the message), its number and its words."""
    import olefile

    with olefile.OleFileIO(io.BytesIO(data)) as file:
        for path in file.listdir(streams=True, storages=False):
            name = path[-1]
            if len(path) > 2 or not name.startswith("__substg1.0_"):
                continue
            number, kind = int(name[12:16], 16), name[16:20]
            content = file.openstream(path).read()
            folder = path[0] if len(path) == 2 else ""
            if kind == "001F":
                yield folder, number, content.decode("utf-16-le", "replace")
            elif kind == "001E" or number in (_PAGE, 0x3701):
                yield folder, number, decoded(content)
