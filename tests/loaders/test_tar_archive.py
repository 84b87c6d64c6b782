"""TAR archives and single packed files: read in place, bounded, links never followed."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
from collections.abc import Callable

import pytest

from pincite.loaders import formats
from pincite.loaders.archives import compressed, tar_archive
from pincite.loaders.extracted import DEFAULT, Allowance, Extracted, LoadSettings, UnreadableContent
from pincite.places import MemberPlace, place_of

PACKERS: list[Callable[[bytes], bytes]] = [gzip.compress, bz2.compress, lzma.compress]


def packed(*members: tuple[str, bytes], style: int = tarfile.PAX_FORMAT) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w", format=style) as archive:
        for name, data in members:
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return stream.getvalue()


def read(data: bytes, settings: LoadSettings = DEFAULT) -> Extracted:
    return tar_archive.extract(data, "a.tar", settings)


def place(found: Extracted, words: str) -> object:
    start = found.text.index(words)
    return place_of(found.marks, start, start + len(words))


@pytest.mark.parametrize("pack", [bytes, *PACKERS])
def test_files_are_read_in_the_order_of_their_names(pack: Callable[[bytes], bytes]) -> None:
    found = read(pack(packed(("b.txt", b"Five."), ("../a.txt", b"Ten."), (".hidden", b"No."))))
    assert found.text == "../a.txt\n\nTen.\n\nb.txt\n\nFive.\n"
    assert place(found, "Five.") == MemberPlace("b.txt")
    assert found.notes == ()


@pytest.mark.parametrize("pack", PACKERS)
def test_a_packed_file_is_read_as_the_file_it_is(pack: Callable[[bytes], bytes]) -> None:
    # Packed files in a row are one file, and what follows the last is none of it.
    data = pack(b"# Fees\n\n") + pack(b"Five.\n")
    for tail in (b"", bytes(512)):
        found = compressed.extract(data + tail, "prices.md.gz", DEFAULT)
        assert (found.title, found.text) == ("Fees", "# Fees\n\nFive.\n")
        assert place(found, "Five.") == MemberPlace("prices.md")


@pytest.mark.parametrize("pack", PACKERS)
def test_of_a_packed_file_cut_off_what_is_there_is_read(pack: Callable[[bytes], bytes]) -> None:
    text = " ".join(f"Item {number} costs {number * 7919 % 1009}." for number in range(200_000))
    found = compressed.extract(pack(text.encode())[:-2_000], "a.txt.gz", DEFAULT)
    assert text.startswith(found.text.strip())
    assert compressed.CUT_OFF in found.notes
    with pytest.raises(UnreadableContent, match="damaged or cut off"):
        compressed.extract(pack(b"Words.")[:10], "a.txt.gz", DEFAULT)


@pytest.mark.parametrize("pack", PACKERS)
def test_a_bomb_is_refused(pack: Callable[[bytes], bytes]) -> None:
    bomb = pack(bytes(40_000_000))
    with pytest.raises(UnreadableContent, match="more than 200 times its size"):
        compressed.extract(bomb, "a.txt.gz", DEFAULT)
    with pytest.raises(UnreadableContent, match="more than 200 times its size"):
        read(bomb)


def test_files_packed_into_each_other_over_and_over_are_noted() -> None:
    data = b"Words."
    for _ in range(5):
        data = gzip.compress(data)
    with pytest.raises(UnreadableContent, match="inside more than 3 archives"):
        compressed.extract(data, "a", DEFAULT)


def test_links_and_devices_are_not_followed_and_noted() -> None:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        for name, kind in [
            ("soft", tarfile.SYMTYPE), ("hard", tarfile.LNKTYPE), ("pipe", tarfile.FIFOTYPE),
            ("disk", tarfile.BLKTYPE), ("folder", tarfile.DIRTYPE),
        ]:  # fmt: skip
            entry = tarfile.TarInfo(name)
            entry.type = kind
            entry.linkname = "/etc/passwd"
            archive.addfile(entry)
        entry = tarfile.TarInfo("a.txt")
        entry.size = 6
        archive.addfile(entry, io.BytesIO(b"Words."))
    found = read(stream.getvalue())
    assert found.text == "a.txt\n\nWords.\n"
    assert found.notes == ("links and devices inside are not followed: disk, hard, pipe, soft",)


def test_of_an_archive_cut_off_what_is_there_is_read() -> None:
    data = packed(("a.txt", b"Words."), ("b.txt", b"More." * 1_000))
    found = read(data[:3_000])
    assert found.text == "a.txt\n\nWords.\n"
    assert any("b.txt: is damaged or cut off" in note for note in found.notes)
    with pytest.raises(UnreadableContent):
        read(b"x" * 2_000)


def test_a_name_that_is_not_utf8_is_shown_as_far_as_it_can_be() -> None:
    data = packed(("n\udce9.txt", b"Words."), style=tarfile.GNU_FORMAT)
    assert place(read(data), "Words.") == MemberPlace("n\ufffd.txt")


def test_a_file_there_twice_is_read_as_it_was_last() -> None:
    assert read(packed(("a.txt", b"Old."), ("a.txt", b"New."))).text == "a.txt\n\nNew.\n"


def test_what_is_unpacked_is_counted_once() -> None:
    data = packed(("a.txt", b"Words. " * 10_000))
    allowance = Allowance(size=len(data) + 100)
    assert "Words." in read(gzip.compress(data), LoadSettings(allowance=allowance)).text
    assert allowance.bytes_left == 100


def test_a_size_below_zero_does_not_lead_round_in_circles() -> None:
    data = bytearray(packed(("a.txt", b"Words."), ("b.txt", b"More.")))
    second = 1_024
    data[second + 124 : second + 136] = b"\xff" * 10 + b"\xfe\x00"
    data[second + 148 : second + 156] = b" " * 8
    data[second + 148 : second + 156] = b"%06o\0 " % sum(data[second : second + 512])
    found = read(bytes(data))
    assert found.text == "a.txt\n\nWords.\n"


@pytest.mark.parametrize("name", ["a.tar.gz", "a.bin"])
def test_a_packed_archive_is_known_by_what_it_holds(name: str) -> None:
    form, found = formats.extract(gzip.compress(packed(("a.txt", b"Words."))), name, DEFAULT)
    assert (form.name, found.text) == ("tar", "a.txt\n\nWords.\n")
