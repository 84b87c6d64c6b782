"""Files are told apart by what they hold."""

from __future__ import annotations

import io
import zipfile

import pytest

from pincite.loaders.sniffing import sniff


def zipped(**members: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, data in members.items():
            archive.writestr(name.replace("__", "/").replace("_dot_", "."), data)
    return packed.getvalue()


CONTENT_TYPES = {"[Content_Types]_dot_xml": b"<Types/>"}
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(100)

KINDS: list[tuple[bytes, str, str]] = [
    (b"%PDF-1.7\n", "a.txt", "pdf"),
    (b"\n\n%PDF-1.4\n", "a.pdf", "pdf"),
    (zipped(**CONTENT_TYPES, word__document_dot_xml=b"<w/>"), "a.zip", "docx"),
    (zipped(**CONTENT_TYPES, ppt__presentation_dot_xml=b"<p/>"), "a.docx", "pptx"),
    (zipped(**CONTENT_TYPES, xl__workbook_dot_xml=b"<x/>"), "a", "xlsx"),
    (zipped(mimetype=b"application/epub+zip"), "a.zip", "epub"),
    (zipped(mimetype=b"application/vnd.oasis.opendocument.text\n"), "a", "odt"),
    (zipped(a_dot_txt=b"words"), "a.docx", "zip"),
    (b"PK\x03\x04 cut off", "a.docx", "docx"),
    (b"PK\x03\x04 cut off", "a.bin", "zip"),
    (OLE + "WordDocument".encode("utf-16-le"), "a.docx", "doc"),
    (OLE + "EncryptedPackage".encode("utf-16-le"), "a.docx", "encrypted-office"),
    (OLE + "Workbook".encode("utf-16-le"), "a", "xls"),
    (OLE + "__properties_version1.0".encode("utf-16-le"), "a.msg", "msg"),
    (b"{\\rtf1 Hello}", "a.doc", "rtf"),
    (b"<!DOCTYPE html><p>Hi", "a.txt", "html"),
    (b"<?xml version='1.0'?>\n<html xmlns='x'>", "a.xml", "html"),
    (b"<?xml version='1.0'?>\n<feed>", "a", "xml"),
    (b"\xef\xbb\xbfWEBVTT\n\n", "a.txt", "vtt"),
    (b"From: a@x\nTo: b@x\nSubject: Hi\n\nBody", "a", "eml"),
    (b"From a@x Mon\nFrom: a@x\nTo: b@x\nSubject: Hi\n\nBody", "a", "mbox"),
    (b"Note: one\nFrom: here to there\n\nBody", "a.txt", "plain"),
    (b"<html> in Markdown", "a.md", "markdown"),
    (b"def f(): pass", "a.py", "code"),
    (b"name,fee\n", "a.CSV", "csv"),
    (b"", "a.txt", "plain"),
]


@pytest.mark.parametrize(("data", "name", "kind"), KINDS)
def test_a_file_is_what_it_holds(data: bytes, name: str, kind: str) -> None:
    assert sniff(data, name) == kind
