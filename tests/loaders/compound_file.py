"""Makes compound files (MS-CFB, version 3), which Outlook and old Office files are."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from typing import Union

Storage = Mapping[str, Union[bytes, "Storage"]]

_FREE, _END, _FAT = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD
_SHORT = 4096
"""Streams under this size stand in one stream of small sectors."""


def compound_file(root: Storage) -> bytes:
    """A file that holds the streams (bytes) and storages (mappings) of `root`."""
    fat: list[int] = []
    sectors = bytearray()
    mini_fat: list[int] = []
    mini = bytearray()
    # Name, type, right sibling, child, first sector, size.
    entries: list[list[object]] = [["Root Entry", 5, _FREE, _FREE, _END, 0]]

    def chained(data: bytes, size: int, table: list[int], into: bytearray) -> int:
        count = -(-len(data) // size)
        if not count:
            return _END
        first = len(table)
        table.extend([*range(first + 1, first + count), _END])
        into += data.ljust(count * size, b"\0")
        return first

    def add(storage: Storage) -> int:
        first = previous = _FREE
        for name, value in storage.items():
            number = len(entries)
            if isinstance(value, bytes):
                entries.append([name, 2, _FREE, _FREE, _END, len(value)])
                is_short = len(value) < _SHORT
                table, into = (mini_fat, mini) if is_short else (fat, sectors)
                entries[number][4] = chained(value, 64 if is_short else 512, table, into)
            else:
                entries.append([name, 1, _FREE, _FREE, 0, 0])
                entries[number][3] = add(value)
            if previous == _FREE:
                first = number
            else:
                entries[previous][2] = number
            previous = number
        return first

    entries[0][3] = add(root)
    entries[0][4], entries[0][5] = chained(bytes(mini), 512, fat, sectors), len(mini)
    mini_table = b"".join(struct.pack("<I", sector) for sector in mini_fat)
    mini_start = chained(mini_table + b"\xff" * (-len(mini_table) % 512), 512, fat, sectors)
    directory = b"".join(
        f"{name}\0".encode("utf-16-le").ljust(64, b"\0")
        + struct.pack("<HBBIII", 2 * len(str(name)) + 2, kind, 1, _FREE, right, child)
        + bytes(36)
        + struct.pack("<IQ", start, size)
        for name, kind, right, child, start, size in entries
    )
    directory_start = chained(directory, 512, fat, sectors)
    count = 1
    while (len(fat) + count) * 4 > count * 512:
        count += 1
    fat_start = len(fat)
    fat += [_FAT] * count
    table = b"".join(struct.pack("<I", sector) for sector in fat).ljust(count * 512, b"\xff")
    header = struct.pack(
        "<8s16xHHHHH6xIIIIIIIIII",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", 0x3E, 3, 0xFFFE, 9, 6,
        0, count, directory_start, 0, _SHORT, mini_start, -(-len(mini_table) // 512), _END, 0,
        fat_start,
    )  # fmt: skip
    numbers = b"".join(struct.pack("<I", fat_start + index) for index in range(1, count))
    return (header + numbers).ljust(512, b"\xff") + bytes(sectors) + table
