"""What the package shows to the outside, and what it does not drag in."""

from __future__ import annotations

import dataclasses
import inspect
import subprocess
import sys
import typing
from collections.abc import Iterator
from pathlib import Path

import pytest

import pincite
from pincite import errors


def classes_in(annotation: object) -> Iterator[type]:
    """The classes of Pincite that a type annotation names, however deep."""
    for argument in typing.get_args(annotation):
        yield from classes_in(argument)
    if inspect.isclass(annotation) and annotation.__module__.startswith("pincite."):
        yield annotation


def reachable_from_index() -> set[type]:
    """Every record that a caller of `Index` can get hold of or has to give."""
    waiting: list[type] = []
    for _, member in inspect.getmembers(pincite.Index):
        function = member.fget if isinstance(member, property) else member
        if inspect.isroutine(function) and not function.__name__.startswith("__"):
            for annotation in typing.get_type_hints(function).values():
                waiting += classes_in(annotation)
    found: set[type] = set()
    while waiting:
        record = waiting.pop()
        if record not in found:
            found.add(record)
            if dataclasses.is_dataclass(record):
                for annotation in typing.get_type_hints(record).values():
                    waiting += classes_in(annotation)
    return found


def test_all_is_sorted_and_names_what_is_there() -> None:
    assert pincite.__all__ == sorted(set(pincite.__all__))
    assert set(pincite.__all__) <= set(dir(pincite))
    assert all(hasattr(pincite, name) for name in pincite.__all__)


def test_what_the_package_does_not_have_it_says_as_any_module_does() -> None:
    with pytest.raises(AttributeError, match="'pincite' has no attribute 'Indx'"):
        getattr(pincite, "Indx")  # noqa: B009 - for mypy, which knows better


def test_every_error_can_be_caught_from_the_package() -> None:
    raised = {name for name, value in vars(errors).items() if inspect.isclass(value)} - {"Path"}
    assert raised <= set(pincite.__all__)


def test_every_record_of_the_interface_can_be_named_from_the_package() -> None:
    reached = {record.__name__ for record in reachable_from_index()}
    assert {"Answer", "Citation", "Span", "IndexReport", "Turn"} <= reached
    assert reached <= set(pincite.__all__)


def loaded_by(code: str, names: set[str]) -> str:
    """Which of these top-level packages a new process has loaded after running `code`."""
    code += f"; import sys; print(sorted({{n.partition('.')[0] for n in sys.modules}} & {names}))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert run.stderr == ""
    return run.stdout.strip()


@pytest.mark.parametrize("module", ["pincite", "pincite.cli"])
def test_nothing_but_the_adapter_needs_llama_index_or_a_model(module: str) -> None:
    models = {"llama_index", "onnxruntime", "tokenizers", "torch", "transformers"}
    assert loaded_by(f"import {module}", models) == "[]"


@pytest.mark.parametrize("module", ["pincite.cli.entry", "pincite.server.service"])
def test_nothing_but_the_servers_needs_what_serves_over_http_or_to_agents(module: str) -> None:
    servers = {"fastapi", "mcp", "pydantic", "starlette", "uvicorn"}
    assert loaded_by(f"import {module}", servers) == "[]"


def test_what_only_reading_files_needs_is_not_loaded_at_the_start() -> None:
    assert loaded_by("import pincite.cli.entry", {"markdown_it", "charset_normalizer"}) == "[]"


def test_asking_a_folder_in_which_nothing_changed_loads_nothing_that_reads_or_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A file as new as this one would be looked at again.
    monkeypatch.setattr("pincite.store.files._SETTLING_NS", -1)
    (tmp_path / "lamp.txt").write_text("The lamp weighs 2.4 kg.\n", encoding="utf-8")
    pincite.Index.open_or_build(tmp_path).close()
    asked = (
        "import sys; from pincite.cli.entry import run; "
        f"run(['ask', '--lexical', {str(tmp_path)!r}, 'How much does the lamp weigh?']); "
        "print(*sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    answer, _, loaded = ran.stdout.rstrip().rpartition("\n")
    assert "2.4 kg" in answer
    slow = {"numpy", "onnxruntime", "pincite.reading", "pincite.store.writer", "pincite.text.stops"}
    assert slow.isdisjoint(loaded.split())
