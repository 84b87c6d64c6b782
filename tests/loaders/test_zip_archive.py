"""Archives: every file inside is read under its name, and none can do harm."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from contextlib import suppress

import pytest

from pincite.loaders.archives import zip_archive
from pincite.loaders.archives.zip_archive import extract
from pincite.loaders.extracted import DEFAULT, Allowance, Extracted, LoadSettings, UnreadableContent
from pincite.places import MemberPlace, place_of
from pincite.records import Need


def packed(*members: tuple[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return stream.getvalue()


def read(data: bytes, settings: LoadSettings = DEFAULT) -> Extracted:
    return extract(data, "a.zip", settings)


def place(found: Extracted, words: str) -> object:
    start = found.text.index(words)
    return place_of(found.marks, start, start + len(words))


@pytest.mark.parametrize("method", sorted(zip_archive._METHODS))
def test_files_are_read_in_the_order_of_their_names_below_their_paths(method: int) -> None:
    found = read(packed(("b.txt", b"Five."), ("a/x.md", b"# Fees\n\nTen."), method=method))
    assert found.text == "a/x.md\n\n# Fees\n\nTen.\n\nb.txt\n\nFive.\n"
    assert place(found, "Ten.") == MemberPlace("a/x.md")
    paths = {block.content.of(found.text): block.heading_path for block in found.blocks}
    assert paths["Ten."] == ("a/x.md", "Fees")
    assert paths["Five."] == ("b.txt",)


def test_a_place_inside_a_file_inside_an_archive_is_kept() -> None:
    found = read(packed(("in.zip", packed(("a.txt", b"Words.")))))
    assert place(found, "Words.") == MemberPlace("in.zip", MemberPlace("a.txt"))


@pytest.mark.parametrize(
    "name",
    ["../../etc/x.txt", "/etc/x.txt", "C:\\x.txt", "..\\..\\x.txt", "a\x00b.txt", "\x00", "a\nb"],
)
def test_a_name_that_leads_out_of_the_archive_is_only_a_name(name: str) -> None:
    data = packed(("N" * len(name), b"Words.")).replace(b"N" * len(name), name.encode())
    assert place(read(data), "Words.") == MemberPlace(name)


def test_hidden_files_and_those_of_the_system_are_left_out() -> None:
    names = ("__MACOSX/._a.txt", ".DS_Store", ".git/config", "x/Thumbs.db")
    found = read(packed(("a.txt", b"Shown."), *((name, b"Hidden.") for name in names)))
    assert found.text == "a.txt\n\nShown.\n"
    assert found.notes == ()


def test_what_cannot_be_read_is_noted_and_the_rest_is_read() -> None:
    found = read(packed(("a.png", b"\x89PNG\r\n\x1a\n"), ("b.txt", b"Words.")))
    assert found.text == "b.txt\n\nWords.\n"
    assert found.notes == (
        "1 files inside were not read: a.png: looks like a PNG image, which Pincite does not read",
    )


def test_an_archive_in_which_nothing_can_be_read_says_why() -> None:
    with pytest.raises(UnreadableContent, match=r"nothing can be read: a\.png: looks like a PNG"):
        read(packed(("a.png", b"\x89PNG\r\n\x1a\n")))
    with pytest.raises(UnreadableContent, match="without files"):
        read(packed())


def test_a_bomb_is_noted_and_the_rest_is_read() -> None:
    bomb = packed(("bomb.txt", bytes(20_000_000)), ("words.txt", b"Words."))
    found = read(bomb)
    assert found.text == "words.txt\n\nWords.\n"
    assert "bomb.txt: unpacks to more than 200 times its size" in found.notes[0]


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_bomb_that_lies_about_its_size_is_noted(method: int) -> None:
    data = packed(("bomb.txt", bytes(20_000_000)), ("words.txt", b"Words."), method=method)
    found = read(data.replace(struct.pack("<I", 20_000_000), struct.pack("<I", 200)))
    assert found.text == "words.txt\n\nWords.\n"
    assert "bomb.txt" in found.notes[0]


def test_all_archives_inside_share_what_may_be_unpacked() -> None:
    inner = packed(("a.txt", b"One word." * 200), method=zipfile.ZIP_STORED)
    data = packed(("1.zip", inner), ("2.zip", inner), ("3.txt", b"More."))
    size = 2 * len(inner) + 1_800
    found = read(data, LoadSettings(allowance=Allowance(size=size)))
    assert found.text.startswith("1.zip\n\na.txt\n\nOne word.")
    assert "2.zip" not in found.text
    found = read(data, LoadSettings(allowance=Allowance(count=2)))
    assert found.notes[-1].startswith("the last 2 of 3 files inside, from 2.zip on, were not read")


def test_archives_too_deep_inside_each_other_are_noted() -> None:
    data = packed(("5.txt", b"Too deep."))
    for depth in range(4, 0, -1):
        data = packed((f"{depth}.txt", b"Words."), (f"{depth}.zip", data))
    found = read(data)
    assert place(found, "3.txt") == MemberPlace("1.zip", MemberPlace("2.zip", MemberPlace("3.txt")))
    assert "Too deep." not in found.text
    assert any("lies inside more than 3 archives" in note for note in found.notes)


def test_overlapping_members_do_not_unpack_to_more_than_is_allowed() -> None:
    one = packed(("a.txt", b"Words. " * 100))
    start = one.index(b"PK\x01\x02")
    end = one.index(b"PK\x05\x06")
    count = 20_000
    directory = one[start:end] * count
    tail = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, count, count, len(directory), start, 0)
    settings = LoadSettings(allowance=Allowance(count=50))
    # Newer versions of the standard library refuse members that overlap.
    made = ""
    with suppress(UnreadableContent):
        made = read(one[:start] + directory + tail, settings).text
    assert made.count("a.txt") <= 50


def test_an_archive_of_very_many_files_is_refused_before_its_directory_is_read() -> None:
    with pytest.raises(UnreadableContent, match="more than 100,000 files"):
        read(b"PK\x03\x04" + b"PK\x01\x02" * 100_001)


def test_a_cut_off_archive_says_what_to_do() -> None:
    data = packed(("a.txt", b"Words. " * 1_000))
    with pytest.raises(UnreadableContent, match=r"damaged or cut off .* get it again"):
        read(data[:-30])


def test_a_damaged_member_is_noted_and_the_rest_is_read() -> None:
    data = packed(("a.txt", b"Damaged."), ("b.txt", b"Whole."), method=zipfile.ZIP_STORED)
    found = read(data.replace(b"Damaged.", b"damaged?"))
    assert found.text == "b.txt\n\nWhole.\n"
    assert "a.txt: is damaged" in found.notes[0]


def test_a_name_in_utf8_that_does_not_say_so_is_read() -> None:
    data = packed(("NNNN.txt", b"Words.")).replace(b"NNNN", "éü".encode())
    assert place(read(data), "Words.") == MemberPlace("éü.txt")


def encrypted(name: str, data: bytes, password: bytes) -> bytes:
    """An archive of one file, encrypted as APPNOTE.TXT 6.1 describes."""

    def crc(value: int, byte: int) -> int:
        return zlib.crc32(bytes([byte]), value ^ 0xFFFFFFFF) ^ 0xFFFFFFFF

    keys = [0x12345678, 0x23456789, 0x34567890]

    def update(byte: int) -> None:
        keys[0] = crc(keys[0], byte)
        keys[1] = ((keys[1] + (keys[0] & 0xFF)) * 134775813 + 1) & 0xFFFFFFFF
        keys[2] = crc(keys[2], keys[1] >> 24)

    for byte in password:
        update(byte)
    check = zlib.crc32(data)
    made = bytearray()
    for byte in bytes(11) + bytes([check >> 24]) + data:
        mask = keys[2] | 2
        made.append(byte ^ ((mask * (mask ^ 1)) >> 8) & 0xFF)
        update(byte)
    plain = packed((name, data), method=zipfile.ZIP_STORED)
    sizes = struct.pack("<II", len(data), len(data))
    plain = plain.replace(data, bytes(made), 1)
    plain = plain.replace(sizes, struct.pack("<II", len(made), len(data)))
    grown = len(made) - len(data)
    start = struct.unpack("<I", plain[-6:-2])[0]
    plain = plain[:-6] + struct.pack("<I", start + grown) + plain[-2:]
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = plain.index(signature) + offset
        plain = plain[:at] + b"\x01" + plain[at + 1 :]
    return plain


def test_an_encrypted_file_is_read_with_its_password() -> None:
    data = encrypted("a.txt", b"Secret words.", b"open")
    found = read(data, LoadSettings(passwords=("wrong", "open")))
    assert found.text == "a.txt\n\nSecret words.\n"
    with pytest.raises(UnreadableContent, match=r"a\.txt: is encrypted: give its pass") as caught:
        read(data)
    assert caught.value.need is Need.PASSWORD
    with pytest.raises(UnreadableContent, match="none of the passwords given opens it"):
        read(data, LoadSettings(passwords=("wrong",)))
