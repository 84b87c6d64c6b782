"""Kinds of text told apart: by what they begin with where that is evident, else by the suffix."""

from __future__ import annotations

import json
import re

from pincite.loaders.decoding import BYTE_ORDER_MARKS, wide_encoding

MARKDOWN_SUFFIXES = frozenset({".md", ".markdown", ".mdown", ".mkd"})

_SUFFIXES = {
    **dict.fromkeys(MARKDOWN_SUFFIXES, "markdown"),
    **dict.fromkeys((".html", ".htm", ".xhtml"), "html"),
    **dict.fromkeys((".mht", ".mhtml"), "mhtml"),
    **dict.fromkeys((".adoc", ".asciidoc", ".asc"), "asciidoc"),
    **dict.fromkeys((".rst", ".rest"), "restructuredtext"),
    **dict.fromkeys((".yaml", ".yml"), "yaml"),
    **dict.fromkeys((".jsonl", ".ndjson"), "jsonl"),
    **dict.fromkeys((".xml", ".xsd", ".xsl", ".rss", ".atom", ".svg"), "xml"),
    **dict.fromkeys((".tsv", ".tab"), "tsv"),
    ".org": "org",
    ".json": "json",
    ".csv": "csv",
    ".srt": "srt",
    ".vtt": "vtt",
    ".eml": "eml",
    ".mbox": "mbox",
    ".ipynb": "ipynb",
}
_CODE_SUFFIXES = frozenset(
    (
        ".bash .bat .c .cc .cfg .clj .cmd .conf .cpp .cs .css .cxx .dart .erl .ex .exs .f90 .fs .go"
        " .gradle .groovy .h .hpp .hs .ini .java .jl .js .jsx .kt .lisp .lua .m .mjs .ml .pas .php"
        " .pl .properties .proto .ps1 .py .pyi .r .rb .rs .scala .scss .sh .sql .swift .tcl .tf"
        " .toml .ts .tsx .vb .vue .zsh"
    ).split()
)
# Named for programs that write them as tables of text or as pages as well.
_OFFICE_SUFFIXES = frozenset({".xls", ".xlsx", ".doc", ".docx"})

SAMPLE = 65_536
_PARSED = 1 << 20
"""JSON up to this size is parsed to be sure."""
_PAGE_TAGS = frozenset(b"html head body".split())
_FRAGMENT_TAGS = _PAGE_TAGS | frozenset(
    b"title meta style script div p table h1 h2 h3 ul ol span center font".split()
)
_TAG = re.compile(rb"<([A-Za-z_][\w:.-]*)(?=[\s/>])")
_SUBTITLE = re.compile(
    rb"\d{1,6}[ \t]*\r?\n\d{1,3}:\d\d:\d\d[,.]\d{1,3} --> \d{1,3}:\d\d:\d\d[,.]\d"
)
_FIELDS = re.compile(rb"(?:[!-9;-~]+:[^\r\n]*(?:\r?\n[ \t][^\r\n]*)*(?:\r?\n|\Z))+")
_MAIL_FIELDS = re.compile(
    rb"^(?:from|to|cc|subject|date|received|message-id|mime-version|return-path|delivered-to):",
    re.I | re.M,
)
_PAGE_IN_MAIL = re.compile(
    rb"^snapshot-content-location:|\Amime-version:[^\r\n]*\r?\ncontent-type:\s*multipart/related",
    re.I | re.M,
)
_JSON_START = re.compile(rb"(?:\{\s*[\"}]|\[\s*(?:[\"{\[\]\d-]|true|false|null))")
_SENTENCE = re.compile(rb"[.!?]\s*\Z")


def text_kind(data: bytes, suffix: str) -> str:
    """The kind of a file with `suffix` that holds no kind of binary data that is known."""
    head = _readable(data[:SAMPLE])
    if head.startswith(b"WEBVTT"):
        return "vtt"
    if suffix in MARKDOWN_SUFFIXES:
        return "markdown"
    markup = _after_prologue(head)
    tag = _tag(markup)
    if tag in _PAGE_TAGS or markup[:14].lower() == b"<!doctype html":
        return "html"
    if suffix in _CODE_SUFFIXES:
        return "code"
    known = _SUFFIXES.get(suffix)
    if known is not None:
        return known
    return _kind_by_content(data, head, markup, tag, suffix)


def _kind_by_content(data: bytes, head: bytes, markup: bytes, tag: bytes, suffix: str) -> str:
    start = head.lstrip()
    if start.startswith(b"From ") and _is_mail(start.partition(b"\n")[2]):
        return "mbox"
    # That of HTML is known before.
    if start.startswith((b"<?xml", b"<!DOCTYPE ")):
        return "xml"
    if _PAGE_IN_MAIL.search(_fields(start)):
        return "mhtml"
    if _is_mail(start):
        return "eml"
    if _SUBTITLE.match(start):
        return "srt"
    kind = _json_kind(data, start)
    if kind:
        return kind
    if suffix and suffix not in _OFFICE_SUFFIXES:
        return "plain"
    if tag in _FRAGMENT_TAGS and b"</" in markup:
        return "html"
    if tag and data[-200:].rstrip().endswith(b"</" + tag + b">"):
        return "xml"
    if not suffix and start.startswith(b"#!/"):
        return "code"
    return _table_kind(head) or "plain"


def _readable(sample: bytes) -> bytes:
    """The sample without its byte order mark; UTF-16 and UTF-32 as UTF-8."""
    for mark, encoding in BYTE_ORDER_MARKS:
        if sample.startswith(mark):
            sample = sample[len(mark) :]
            return sample if encoding == "utf-8" else _recoded(sample, encoding)
    wide = wide_encoding(sample)
    return sample if wide is None else _recoded(sample, wide)


def _recoded(sample: bytes, encoding: str) -> bytes:
    return sample.decode(encoding, "replace").encode("utf-8", "replace")


def _after_prologue(head: bytes) -> bytes:
    """What follows white space, the XML declaration, instructions and comments."""
    at = 0
    while True:
        while head[at : at + 1].isspace():
            at += 1
        if head.startswith(b"<!--", at):
            end, length = head.find(b"-->", at + 4), 3
        elif head.startswith(b"<?", at):
            end, length = head.find(b"?>", at + 2), 2
        else:
            return head[at:]
        if end < 0:
            return b""
        at = end + length


def _tag(markup: bytes) -> bytes:
    """The name of the element `markup` begins with, in small letters; empty if there is none."""
    found = _TAG.match(markup)
    return found.group(1).lower() if found else b""


def _fields(head: bytes) -> bytes:
    """The header fields `head` begins with."""
    found = _FIELDS.match(head)
    return found.group() if found else b""


def _is_mail(head: bytes) -> bool:
    """Whether `head` begins with header fields of which three or more are those of mail."""
    return len(_MAIL_FIELDS.findall(_fields(head))) >= 3


def _json_kind(data: bytes, start: bytes) -> str:
    """`json`, `jsonl` or `ipynb` where that is certain; else empty."""
    if not _JSON_START.match(start):
        return ""
    lines = start.split(b"\n", 2)
    if len(lines) > 1 and lines[1].startswith(b"{") and all(map(_is_json, lines[:2])):
        return "jsonl"
    if len(data) > _PARSED:
        return "json" if data[-100:].rstrip()[-1:] in (b"}", b"]") else ""
    if not _is_json(data):
        return ""
    return "ipynb" if b'"nbformat"' in data and b'"cells"' in data else "json"


def _is_json(data: bytes) -> bool:
    try:
        json.loads(data)
    except (ValueError, RecursionError):
        return False
    return True


def _table_kind(head: bytes) -> str:
    """`tsv` or `csv` where all of the first lines have as many separators; else empty."""
    begun = head[: SAMPLE // 4].splitlines()
    if len(head) > SAMPLE // 4:
        begun.pop()
    lines = [line for line in begun if line.strip()][:20]
    if len(lines) < 3:
        return ""
    for separator, least, kind in ((b"\t", 1, "tsv"), (b",", 2, "csv"), (b";", 2, "csv")):
        counts = {line.count(separator) for line in lines}
        if len(counts) == 1 and min(counts) >= least and not any(map(_SENTENCE.search, lines)):
            return kind
    return ""
