"""Files are told apart by what they hold."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile

import pytest

from pincite.loaders.sniffing import sniff
from tests.loaders.compound_file import compound_file


def zipped(**members: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, data in members.items():
            archive.writestr(name.replace("__", "/").replace("_dot_", "."), data)
    return packed.getvalue()


CONTENT_TYPES = {"[Content_Types]_dot_xml": b"<Types/>"}
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def tarred(name: str, data: bytes, mode: str = "w", style: int = tarfile.PAX_FORMAT) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode=mode, format=style) as archive:  # type: ignore[call-overload]
        entry = tarfile.TarInfo(name)
        entry.size = len(data)
        archive.addfile(entry, io.BytesIO(data))
    return packed.getvalue()


KINDS: list[tuple[bytes, str, str]] = [
    (b"%PDF-1.7\n", "a.txt", "pdf"),
    (b"\n\n%PDF-1.4\n", "a.pdf", "pdf"),
    (zipped(**CONTENT_TYPES, word__document_dot_xml=b"<w/>"), "a.zip", "docx"),
    (zipped(**CONTENT_TYPES, ppt__presentation_dot_xml=b"<p/>"), "a.docx", "pptx"),
    (zipped(**CONTENT_TYPES, xl__workbook_dot_xml=b"<x/>"), "a", "xlsx"),
    (zipped(mimetype=b"application/epub+zip"), "a.zip", "epub"),
    (zipped(mimetype=b"application/vnd.oasis.opendocument.text\n"), "a", "odt"),
    (zipped(a_dot_txt=b"words"), "a.docx", "zip"),
    # The PDF, kept as it is, begins where a reader of PDF would still look for it.
    (zipped(a_dot_pdf=b"%PDF-1.4\n1 0 obj\nendobj\nstartxref\n9\n%%EOF"), "a.zip", "zip"),
    (tarred("a.pdf", b"%PDF-1.4\n1 0 obj\nendobj\nstartxref\n9\n%%EOF"), "a.pdf", "tar"),
    (
        b"From: a@x.org\nTo: b@x.org\nSubject: S\n\n%PDF-1.4\n1 0 obj\nendobj\nstartxref\n9\n%%EOF",
        "a.eml",
        "eml",
    ),
    (b"PK\x03\x04 cut off", "a.docx", "docx"),
    (b"PK\x03\x04 cut off", "a.bin", "zip"),
    (compound_file({"WordDocument": b"x"}), "a.docx", "doc"),
    (compound_file({"EncryptionInfo": b"", "EncryptedPackage": b"x"}), "a", "encrypted-office"),
    (compound_file({"Workbook": b"x"}), "a", "xls"),
    (compound_file({"PowerPoint Document": b"x"}), "a", "ppt"),
    (compound_file({"__properties_version1.0": b"x"}), "a.msg", "msg"),
    (compound_file({"Other": b"x"}), "a.msg", "ole"),
    (OLE + b" cut off", "a.msg", "msg"),
    (OLE + b" cut off", "a.bin", "ole"),
    # A file attached, and a text that writes about the other kind.
    (
        compound_file({"__properties_version1.0": b"x", "Attached": {"WordDocument": b"x"}}),
        "a",
        "msg",
    ),
    (compound_file({"WordDocument": "EncryptedPackage".encode("utf-16-le")}), "a", "doc"),
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
    (b"", "a", "plain"),
    (b"Just words.", "a.pdf", "plain"),
    (b"Just words.", "a.docx", "plain"),
    (b"junk\n%PDF-1.4\n", "a.pdf", "pdf"),
    (b"junk\n%PDF-1.4\n1 0 obj endobj\nstartxref\n1", "a.doc", "pdf"),
    (b"The header of a PDF is %PDF-1.4 and endobj ends an object.", "a.txt", "plain"),
    (tarred("a.txt", b"words"), "a", "tar"),
    (tarred("a.txt", b"words", style=tarfile.GNU_FORMAT), "a.txt", "tar"),
    (tarred("a.txt", b"words", "w:gz"), "a.gz", "tar"),
    (tarred("a.txt", b"words", "w:bz2"), "a", "tar"),
    (tarred("a.txt", b"words", "w:xz"), "a.tgz", "tar"),
    (gzip.compress(b"words"), "a.tar.gz", "compressed"),
    (bz2.compress(b"words"), "a.txt", "compressed"),
    (bz2.compress(b""), "a.txt", "compressed"),
    (lzma.compress(b"words"), "a", "compressed"),
    (b"BZh is how a packed file begins.", "a.txt", "plain"),
    (b"x" * 600, "a.tar", "plain"),
    ("<html><p>Größe".encode("utf-16"), "a.htm", "html"),
    ("\ufeff<!DOCTYPE html>".encode("utf-16-be"), "a.txt", "html"),
    ("<html><p>Words".encode("utf-16-le"), "a", "html"),
    ("<?xml version='1.0'?><feed>".encode("utf-16"), "a.txt", "xml"),
    (b"\n <!-- a --> <?php x ?><!-- b > --->\n<HTML lang=de>", "a.txt", "html"),
    (b"<!-- never closed <html>", "a.txt", "plain"),
    (b"<header>x</header>", "a.txt", "plain"),
    (b"<div>words</div>", "a", "html"),
    (b"<table><tr><td>1</table>", "a.xls", "html"),
    (b"<div>words</div>", "a.txt", "plain"),
    (b"<note><to>Ann</to></note>\n", "a", "xml"),
    (b"<!DOCTYPE article SYSTEM 'a.dtd'><article>", "a.txt", "xml"),
    (b"<note> is a tag", "a", "plain"),
    (b'{"a": [1, 2]}\n', "a", "json"),
    (b'{"a": [1, 2]}\n', "a.txt", "json"),
    (b'{"a": [1, 2]\n', "a.txt", "plain"),
    (b"[1] A. Author, Title.", "a.txt", "plain"),
    (b'{"a": 1}\n{"a": 2}\n', "a.txt", "jsonl"),
    (b'{"cells": [], "nbformat": 4}', "a", "ipynb"),
    (b"[" * 100_000, "a", "plain"),
    (b"item,fee,days\nlamp,5,30\nbulb,2,14\n", "a", "csv"),
    (b"item\tfee\nlamp\t5\nbulb\t2\n", "a.xls", "tsv"),
    (b"One, two, three.\nFour, five, six.\nAnd, so, on.\n", "a", "plain"),
    (b"1\n00:00:01,000 --> 00:00:02,000\nHi\n", "a.txt", "srt"),
    (b"MIME-Version: 1.0\nContent-Type: multipart/related; x=y\n\n", "a.doc", "mhtml"),
    (b"\n\nFrom: a@x\nTo: b@x\nSubject: Hi\n\nBody", "a.txt", "eml"),
    ("From: a@x\nTo: b@x\nSubject: Hi\n\nBody".encode("utf-16"), "a", "eml"),
    (b"#!/bin/sh\necho a\n", "a", "code"),
]


@pytest.mark.parametrize(("data", "name", "kind"), KINDS)
def test_a_file_is_what_it_holds(data: bytes, name: str, kind: str) -> None:
    assert sniff(data, name) == kind


HOSTILE = [
    b"<!-- -->" * 100_000,
    b"<?a ?>" * 100_000 + b"<",
    b"a:\n" * 100_000,
    b"a: b\n " * 100_000,
    b" " * 1_000_000,
    b"<" * 1_000_000,
    b"%PDF" * 300_000,
    b"PK\x03\x04" + b"PK\x01\x02" * 300_000,
    b"\x1f\x8b\x08" + bytes(1_000_000),
    OLE + bytes(1_000_000),
]


@pytest.mark.parametrize("data", HOSTILE, ids=[repr(data[:12]) for data in HOSTILE])
def test_what_is_made_to_take_long_is_told_like_any_other_file(data: bytes) -> None:
    # One that tries all ways to read such a file would not come back.
    assert sniff(data, "a") in {"plain", "zip", "compressed", "ole"}
