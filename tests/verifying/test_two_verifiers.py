"""The package and the single file say the same of records and documents that anyone altered."""

from __future__ import annotations

import copy
import importlib.util
import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.errors import RecordUnusable
from pincite.index import Index
from pincite.rechecking import verify_in
from pincite.render import to_json
from pincite.render.saved import read_records

from .vectors import TERMS

ROOT = Path(__file__).parent.parent.parent
OTHERS: list[Any] = [
    *(None, True, 0, -1, 1.5, "", "x", [], {}, [None], [1], ["x"], 10**30, float("nan"), 1e400),
    *("also", "part", "refused", "pincite.citation/1", "terms.md", "../x", "a\0b", "\ud800"),
    *("0" * 64, "A" * 64, {"kind": "nodes", "path": "/b"}, {"kind": "nodes", "path": 3}),
    *({"kind": "pages", "pages": []}, {"kind": "member", "path": "a", "within": 5}),
]
PUT_IN = [*"x9 -\n", "not ", "\u00a0", "\u200b", "\u2019", "\u0301"]


@pytest.fixture(scope="module")
def single_file() -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        "verify_citation", ROOT / "tools" / "verify_citation.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["verify_citation"] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("asked")
    (made / "terms.md").write_text(TERMS, "utf-8")
    fees = "# Fees {0}\r\n\r\nThe late fee is {1} EUR a month for each lamp.\r\n"
    for year, fee in ((2025, 50), (2026, 60)):
        (made / f"fees-{year}.md").write_bytes(fees.format(year, fee).encode())
    (made / "motor.json").write_text('{"motor": {"power": "The motor has 40 watts."}}', "utf-8")
    (made / "cafe.txt").write_bytes("The Caf\u00e9 opens at 9.\n".encode("cp1252"))
    (made / "chairs.md").write_text(
        "# Draft\n\nWe lend 9 chairs. However, this does not apply in May.\n", "utf-8"
    )
    return made


@pytest.fixture(scope="module")
def records(folder: Path) -> list[dict[str, Any]]:
    questions = (
        "How many days do I have to return a lamp?",
        "How many working days does a refund take?",
        "What is the late fee?",
        "How many watts has the motor?",
        "When does the Caf\u00e9 open?",
        "How many chairs do you lend?",
    )
    with Index.open_or_build(folder, lexical=True) as index:
        found = [to_json(index.ask(question)) for question in questions]
    assert {one["status"] for one in found} == {"answered"}
    assert [len(one["citations"]) for one in found] == [1, 2, 2, 1, 1, 1]
    return found


def places_in(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    for key, one in inner:
        yield (*path, key)
        if isinstance(one, (dict, list)):
            yield from places_in(one, (*path, key))


def altered(record: dict[str, Any], draw: random.Random) -> None:
    """Something in a record taken out, or set to something else."""
    every = [path for path in places_in(record) if path[0] != "retrieved"]
    *path, last = draw.choice(every)
    holder: Any = record
    for step in path:
        holder = holder[step]
    was = holder[last]
    if draw.random() < 0.2:
        del holder[last]
    elif isinstance(was, str) and draw.random() < 0.6:
        place = draw.randrange(len(was) + 1)
        holder[last] = was[:place] + draw.choice(PUT_IN) + was[place + draw.choice((0, 1)) :]
    elif type(was) is int and draw.random() < 0.6:
        holder[last] = was + draw.choice((-1, 1, 3))
    elif isinstance(was, list) and was and draw.random() < 0.6:
        was.append(copy.deepcopy(draw.choice(was)))
    else:
        holder[last] = draw.choice(OTHERS)


def of_package(data: bytes, folder: Path) -> tuple[bool, list[Any]]:
    saved = read_records(data, name="record")
    every = [citation for one in saved for citation in one.citations]
    versions = [one.version for one in saved for _ in one.citations]
    return any(one.fault for one in saved), list(verify_in(folder, every, versions=versions))


@settings(deadline=None, max_examples=300)
@given(st.integers(0, 2**32))
def test_both_say_the_same_of_an_altered_record_but_for_what_one_says_it_cannot_compare(
    single_file: ModuleType, folder: Path, records: list[dict[str, Any]], seed: int
) -> None:
    draw = random.Random(seed)
    record = copy.deepcopy(draw.choice(records))
    if draw.random() < 0.2:
        record = draw.choice(record["citations"])
    for _ in range(draw.choice((1, 1, 2))):
        altered(record, draw)
    data = json.dumps(record).encode()
    if draw.random() < 0.1:
        data += b"\n" + json.dumps(draw.choice(records)).encode()
    try:
        results, faults = single_file.verify_records(data, folder, None)
    except single_file.UNREADABLE:
        with pytest.raises(RecordUnusable):
            of_package(data, folder)
        return
    has_fault, found = of_package(data, folder)
    assert has_fault == bool(faults)
    for one, other in zip(found, results, strict=True):
        wrong = {check.name: check.found for check in one.checks if check.passed is False}
        named = {name for name in wrong if other["checks"].get(name) is not False}
        if "stated" in named:
            said = wrong["stated"].removeprefix("not so: ").replace("kind of file", "media_type")
            named = named - {"stated"} | set(said.split(", "))
        if other["status"] == "not_checkable":
            continue
        if other["status"] != one.status.value:
            assert other["status"] in ("valid", "moved")
            assert named & set(other["not_compared"]) == named, (wrong, other)
            assert named


def test_of_a_batch_each_record_is_checked(
    single_file: ModuleType, folder: Path, records: list[dict[str, Any]]
) -> None:
    data = "\n".join(json.dumps({"id": n, **one}) for n, one in enumerate(records)).encode()
    results, faults = single_file.verify_records(data, folder, None)
    assert faults == []
    assert {one["status"] for one in results} == {"valid"}
    assert len(results) == 8
    assert single_file.verify_records(b'{"schema": "pincite.error/1"}', folder, None) == (
        [],
        ["nothing was checked: there are only records of errors"],
    )


def test_a_warning_that_was_forged_is_told(folder: Path, records: list[dict[str, Any]]) -> None:
    right = records[5]
    warnings = right["citations"][0]["warnings"]
    assert [one["kind"] for one in warnings] == ["qualified", "draft"]
    for forged in ([], warnings[:1], [*warnings, {"kind": "example", "words": "Draft"}]):
        record = copy.deepcopy(right)
        record["citations"][0]["warnings"] = forged
        _, (found,) = of_package(json.dumps(record).encode(), folder)
        assert found.status == "changed"
        check = next(one for one in found.checks if one.name == "warnings")
        assert check.found == (
            "it gives cause for: qualified: However, this does not apply in May.; draft: Draft"
        )
        # Another version may know of others.
        record["pincite"]["version"] = "0.0.9"
        _, (found,) = of_package(json.dumps(record).encode(), folder)
        assert found.status == "valid"
        assert "warnings" in found.not_compared
        assert [one.kind for one in found.warnings] == ["qualified", "draft"]


def test_what_the_document_warns_of_now_is_told_although_it_did_not_when_it_was_cited(
    tmp_path: Path,
) -> None:
    file = tmp_path / "lamps.md"
    file.write_text("You may return a lamp for 9 days. It is red.\n", "utf-8")
    with Index.open_or_build(tmp_path, lexical=True) as index:
        record = to_json(index.ask("How many days may I return a lamp?"))
    file.write_text("You may return a lamp for 9 days. This does not apply to red ones.\n", "utf-8")
    _, (found,) = of_package(json.dumps(record).encode(), tmp_path)
    assert found.status == "valid"
    assert [one.words for one in found.warnings] == ["This does not apply to red ones."]
    assert "warnings" in found.not_compared


def test_a_heading_that_differs_in_a_sign_alone_is_not_compared_by_the_single_file(
    single_file: ModuleType, tmp_path: Path
) -> None:
    text = "# Below -5 degrees\n\nKeep the lamp indoors.\n"
    (tmp_path / "lamps.md").write_text(text, "utf-8")
    with Index.open_or_build(tmp_path, lexical=True) as index:
        record = to_json(index.ask("Where should I keep the lamp?"))
    for heading, is_compared in (("Below -5 degrees", True), ("Below 5 degrees", False)):
        record["citations"][0]["heading_path"] = [heading]
        ((found,), _) = single_file.verify_records(json.dumps(record).encode(), tmp_path, None)
        assert found["status"] == "valid"
        assert ("headings" not in found["not_compared"]) == is_compared
        _, (one,) = of_package(json.dumps(record).encode(), tmp_path)
        assert (one.status == "valid") == is_compared
