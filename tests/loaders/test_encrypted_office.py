"""Office files with a password: opened with one that is given, else said to need one."""

from __future__ import annotations

import io
import random

import msoffcrypto.format.ooxml
import pytest

from pincite.loaders.extracted import LoadSettings, UnreadableContent
from pincite.loaders.formats import extract
from pincite.records import Need
from tests.loaders.office_files import docx, paragraph


@pytest.fixture(scope="module")
def encrypted() -> bytes:
    # The library writes files of less than 4 KB wrongly (its issue 105), so this one has a picture.
    picture = random.Random(1).randbytes(9_000)
    document = docx(paragraph("Nine euros."), media={"word/media/a.png": picture})
    file = msoffcrypto.format.ooxml.OOXMLFile(io.BytesIO(document))
    made = io.BytesIO()
    file.encrypt("right", made)
    return made.getvalue()


def test_the_password_that_fits_opens_it(encrypted: bytes) -> None:
    settings = LoadSettings(passwords=("wrong", "right"))
    form, extracted = extract(encrypted, "a.docx", settings)
    assert (form.name, extracted.text) == ("docx", "Nine euros.\n")


@pytest.mark.parametrize(
    ("passwords", "message"),
    [((), "it asks for one"), (("wrong",), "none of the passwords given opens it")],
)
def test_without_it_the_message_says_how_to_give_it(
    encrypted: bytes, passwords: tuple[str, ...], message: str
) -> None:
    with pytest.raises(UnreadableContent, match=f"{message}.*--password-file") as raised:
        extract(encrypted, "a.docx", LoadSettings(passwords=passwords))
    assert raised.value.need is Need.PASSWORD


def test_a_damaged_one_is_told_from_one_with_another_password(encrypted: bytes) -> None:
    at = encrypted.index(b"<encryption ")
    with pytest.raises(UnreadableContent, match="cannot be opened"):
        extract(encrypted[:at] + b"<" * 50 + encrypted[at + 50 :], "a.docx", LoadSettings())


def test_more_rounds_than_any_program_asks_for_are_refused(encrypted: bytes) -> None:
    # Of the same length, for the file says where everything in it stands.
    usual = b' <p:encryptedKey spinCount="100000"'
    assert usual in encrypted
    hostile = encrypted.replace(usual, b'<p:encryptedKey spinCount="9900000"')
    with pytest.raises(UnreadableContent, match="9,900,000 rounds of hashing"):
        extract(hostile, "a.docx", LoadSettings(passwords=("right",)))
