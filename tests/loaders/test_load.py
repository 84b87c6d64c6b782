"""What a file becomes: its text exactly, whatever its encoding, or a reason why not."""

from __future__ import annotations

import codecs
import gzip
import hashlib
import os
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

import pytest

from pincite.errors import UnreadableDocument
from pincite.loaders import EXTRACTORS, load
from pincite.loaders.formats import Format, holding
from pincite.loaders.text import plain
from pincite.records import Document


def loaded(folder: Path, data: bytes, name: str = "notes.txt") -> Document:
    path = folder / name
    path.write_bytes(data)
    return load(path, name=name)


ENCODINGS = [
    ("utf-8", "Die Rückgabe kostet 5 €. Bitte melden!"),
    ("utf-16-le", "Returns are free for thirty days.\nAsk us."),
    ("utf-16-be", "Returns are free for thirty days.\nAsk us."),
    ("utf-32-le", "Returns are free for thirty days."),
    ("utf-32-be", "Returns are free for thirty days."),
    ("utf-16-le", "商品は三十日以内に返品できます。送料は無料です。"),
    ("utf-16-be", "商品可以在三十天内退货。运费由卖家承担。"),
    ("cp1252", "The café’s “summer” fee is £5 – no more."),
    ("latin-1", "L'été, la crêperie près de l'hôtel coûte très peu."),
    ("mac_roman", "L'été, la crêperie près de l'hôtel coûte très peu."),
    ("cp850", "El año pasado la compañía envió más de mil pedidos."),
    ("cp1250", "Příliš žluťoučký kůň úpěl ďábelské ódy. Zboží můžete vrátit."),
    ("iso8859_2", "Příliš žluťoučký kůň úpěl ďábelské ódy. Zboží můžete vrátit."),
    ("cp1250", "Zażółć gęślą jaźń. Towar można zwrócić w ciągu trzydziestu dni."),
    ("cp1254", "Ürünü otuz gün içinde iade edebilirsiniz, eğer hasarlı değilse."),
    ("cp1251", "Товар можно вернуть в течение тридцати дней. Доставка бесплатна."),
    ("koi8_r", "Товар можно вернуть в течение тридцати дней. Доставка бесплатна."),
    ("cp1253", "Μπορείτε να επιστρέψετε το προϊόν μέσα σε τριάντα ημέρες."),
    ("cp932", "商品は三十日以内に返品できます。送料は無料です。"),
    ("euc_jp", "商品は三十日以内に返品できます。送料は無料です。"),
    ("iso2022_jp", "商品は三十日以内に返品できます。送料は無料です。"),
    ("gb18030", "商品可以在三十天内退货。运费由卖家承担。如有问题请联系客服。"),
    ("cp949", "상품은 삼십일 이내에 반품할 수 있습니다. 배송비는 무료입니다."),
]


@pytest.mark.parametrize(("encoding", "text"), ENCODINGS)
def test_text_is_read_in_the_encoding_it_was_written_in(
    tmp_path: Path, encoding: str, text: str
) -> None:
    assert loaded(tmp_path, text.encode(encoding)).text == text


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
        (codecs.BOM_UTF32_BE, "utf-32-be"),
    ],
)
def test_a_byte_order_mark_is_no_part_of_the_text(
    tmp_path: Path, mark: bytes, encoding: str
) -> None:
    assert loaded(tmp_path, mark + "Größe 😀.".encode(encoding)).text == "Größe 😀."


def test_a_mark_of_utf8_before_latin1_does_not_mislead(tmp_path: Path) -> None:
    data = codecs.BOM_UTF8 + "Größe und Gewicht.".encode("latin-1")
    assert loaded(tmp_path, data).text == "Größe und Gewicht."


def test_line_ends_and_nuls_stay_as_they_are(tmp_path: Path) -> None:
    text = "One.\r\nTwo.\rThree.\nFour\x00Five.\n"
    assert loaded(tmp_path, text.encode()).text == text


def test_a_few_damaged_bytes_do_not_change_how_the_rest_is_read(tmp_path: Path) -> None:
    data = "Größe, Höhe, Länge, Wärme, Kälte. ".encode() * 3 + b"\xff Ende."
    assert loaded(tmp_path, data).text.endswith("Kälte. \ufffd Ende.")


def test_an_empty_file_is_a_document_without_blocks(tmp_path: Path) -> None:
    document = loaded(tmp_path, b"", "empty_page.md")
    assert (document.text, document.blocks, document.language) == ("", (), "und")
    assert document.source.title == "empty page"


def test_the_record_names_the_file_and_how_it_was_read(tmp_path: Path) -> None:
    path = tmp_path / "returns.txt"
    path.write_bytes("\ufeffFees\n\nReturns are free in the first month.\n".encode())
    os.utime(path, (1_700_000_000.9, 1_700_000_000.9))
    document = load(path, name="shop/returns.txt")
    assert document.source.path == "shop/returns.txt"
    assert document.source.title == "Fees"
    assert document.source.media_type == "text/plain"
    assert document.source.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert document.source.modified == "2023-11-14T22:13:20Z"
    assert document.extraction.extractor == "plain"
    assert document.extraction.extractor_version == EXTRACTORS["plain"]
    assert document.extraction.sha256 == hashlib.sha256(document.text.encode()).hexdigest()
    assert document.language == "en"


@pytest.mark.parametrize("name", ["a.md", "b.MARKDOWN", "c.mkd", "d.mdown"])
def test_markdown_is_known_by_its_suffix(tmp_path: Path, name: str) -> None:
    document = loaded(tmp_path, b"# Fees\n\nNone.\n", name)
    assert document.source.media_type == "text/markdown"
    assert document.extraction.extractor == "markdown"
    assert document.source.title == "Fees"


BINARIES = [
    (b"\x89PNG\r\n\x1a\n\x00\x00", "looks like a PNG image"),
    (b"RIFF\x24\x08\x00\x00WAVE", "looks like a sound, film or WebP file"),
    (bytes(range(256)) * 20, "holds binary data, not text"),
]


@pytest.mark.parametrize(("data", "reason"), BINARIES, ids=[reason for _, reason in BINARIES])
def test_other_files_are_refused_by_content_whatever_their_name(
    tmp_path: Path, data: bytes, reason: str
) -> None:
    with pytest.raises(UnreadableDocument) as caught:
        loaded(tmp_path, data, "letter.txt")
    assert caught.value.path == "letter.txt"
    assert caught.value.reason.startswith(reason)
    assert "which Pincite does not read" in caught.value.reason


def test_a_text_that_only_begins_like_a_signature_is_read(tmp_path: Path) -> None:
    assert loaded(tmp_path, b"RIFFLE shuffle the cards. ID3 is a tag.").text.startswith("RIFFLE")


def test_a_pipe_is_refused_without_waiting_for_a_writer(tmp_path: Path) -> None:
    path = tmp_path / "pipe.txt"
    os.mkfifo(path)
    with pytest.raises(UnreadableDocument, match="is a named pipe"):
        load(path, name="pipe.txt")


def test_a_folder_a_device_and_a_broken_link_are_refused(tmp_path: Path) -> None:
    (tmp_path / "link.txt").symlink_to(tmp_path / "nothing")
    for path, reason in [
        (tmp_path, "is a folder"),
        (Path("/dev/null"), "is a device"),
        (tmp_path / "link.txt", "does not exist"),
    ]:
        with pytest.raises(UnreadableDocument, match=reason):
            load(path, name="x.txt")


def test_a_file_without_permission_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "secret.txt").write_text("Hidden.")

    def refuse(path: Path, mode: str, *, opener: object = None) -> BinaryIO:
        raise PermissionError(13, "Permission denied", str(path))

    # The tests may run as root, whom no permission stops.
    monkeypatch.setattr("pincite.loaders.open", refuse, raising=False)
    with pytest.raises(UnreadableDocument, match="no permission to read it: change"):
        load(tmp_path / "secret.txt", name="secret.txt")


def test_the_language_is_that_of_the_prose(tmp_path: Path) -> None:
    text = (
        "# Returns\n\n```\nfor item in basket: print(item.name, item.price)\n```\n\n"
        "Sie können die Ware innerhalb von dreißig Tagen zurückgeben, wenn sie unbeschädigt ist.\n"
    )
    assert loaded(tmp_path, text.encode(), "a.md").language == "de"


@pytest.mark.parametrize(
    ("raised", "reason"),
    [
        (RecursionError("too deep"), "is nested too deeply to be read as plain"),
        (KeyError("xref"), "cannot be read as plain, it may be damaged (KeyError: 'xref')"),
        (gzip.BadGzipFile("no header"), "it may be damaged (BadGzipFile: no header)"),
    ],
)
def test_whatever_a_parser_raises_costs_its_file_only(monkeypatch, tmp_path, raised, reason):
    def extract(data, name, settings):
        raise raised

    monkeypatch.setattr(plain, "extract", extract)
    (tmp_path / "a.txt").write_text("x")
    with pytest.raises(UnreadableDocument) as caught:
        load(tmp_path / "a.txt", name="a.txt")
    assert reason in caught.value.reason


@pytest.mark.parametrize("raised", [MemoryError(), OSError(28, "No space left on device")])
def test_what_is_not_the_fault_of_the_file_is_not_called_so(monkeypatch, tmp_path, raised):
    def extract(data, name, settings):
        raise raised

    monkeypatch.setattr(plain, "extract", extract)
    (tmp_path / "a.txt").write_text("x")
    with pytest.raises(type(raised)):
        load(tmp_path / "a.txt", name="a.txt")


@pytest.mark.parametrize("name", ["a.pdf", "b.DOCX", "c.xlsx", "d.odt", "e.zip", "f.msg", "g.png"])
def test_an_empty_file_of_a_kind_that_never_is_empty_is_told(tmp_path: Path, name: str) -> None:
    (tmp_path / name).touch()
    with pytest.raises(UnreadableDocument, match=r"0 bytes, not a \.") as caught:
        load(tmp_path / name, name=name)
    assert "copy it or download it again" in str(caught.value)


@pytest.mark.parametrize("name", ["a.txt", "b.md", "c.csv", "LICENSE"])
def test_an_empty_text_is_a_document(tmp_path: Path, name: str) -> None:
    (tmp_path / name).touch()
    assert load(tmp_path / name, name=name).text == ""


def test_what_holds_other_files_is_read_again_when_one_of_their_loaders_changes() -> None:
    pages, letters = Format("pdf", "6", "", ""), Format("eml", "2", "", "")
    (before,) = holding([letters], [pages])
    (after,) = holding([letters], [replace(pages, version="7")])
    assert before.version != after.version
    assert EXTRACTORS["zip"] not in ("1", "1.0")
