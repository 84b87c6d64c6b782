"""Reads every file of a folder as indexing would, and checks what comes of it against the files.

What is known of the files stands in `manifest.json` of the folder: see bench/README.md.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

LONGEST_SECONDS = 30.0
LONGEST_CHECKS = 240.0
MOST_BYTES = 1_500_000_000
_MANIFEST = "manifest.json"
_ZIP, _TAR = "(packed).zip", "(packed).tar.gz"
_EXCERPTS = frozenset({"wrong", "missing", "missed", "examples"})
"""What quotes a file, for reading; counted instead in what is kept."""


@dataclass(frozen=True, slots=True)
class Known:
    """A file, and what is known of it."""

    path: str
    tags: tuple[str, ...] = ()
    must_contain: tuple[str, ...] = ()
    expected: str = ""
    """Its text in Markdown, by someone else; empty where there is none."""


def known_files(directory: Path) -> list[Known]:
    """The files that the manifest of `directory` names, or all there are; sorted by path."""
    manifest = directory / _MANIFEST
    if not manifest.exists():
        found = (path for path in directory.rglob("*") if path.is_file())
        return [Known(path.relative_to(directory).as_posix()) for path in sorted(found)]
    entries = json.loads(manifest.read_text("utf-8"))
    files = [
        Known(
            entry["path"],
            tuple(entry.get("tags", ())),
            tuple(entry.get("must_contain", ())),
            _text(directory / entry["expected_md"]) if entry.get("expected_md") else "",
        )
        for entry in entries
    ]
    return sorted((file for file in files if (directory / file.path).is_file()), key=_path)


def _path(file: Known) -> str:
    return file.path


def _text(path: Path) -> str:
    return path.read_text("utf-8", errors="replace") if path.is_file() else ""


def measure(directory: Path, files: Sequence[Known]) -> list[dict[str, Any]]:
    """What reading each file took and gave, and what the checks found."""
    prefix = _without_network()
    results = []
    for number, file in enumerate(files, 1):
        print(f"{number}/{len(files)} {file.path!r}", file=sys.stderr, flush=True)
        result = {"path": file.path, "tags": list(file.tags)}
        results.append(result | read_in_process(directory / file.path, file, prefix=prefix))
    return results


def measure_packed(directory: Path, files: Sequence[Known]) -> list[dict[str, Any]]:
    """The same of one file of each suffix, in the middle by size, together in an archive."""
    by_suffix: dict[str, list[Path]] = {}
    for path in sorted((directory / file.path for file in files), key=_size):
        by_suffix.setdefault(path.suffix.lower(), []).append(path)
    chosen = sorted(paths[len(paths) // 2] for paths in by_suffix.values())
    results = []
    with tempfile.TemporaryDirectory() as folder:
        for name, pack in ((_ZIP, _zipped), (_TAR, _tarred)):
            archive = Path(folder) / name
            pack(archive, chosen)
            result = {"path": name, "tags": ["packed"]}
            results.append(result | read_in_process(archive, Known(name)))
    return results


def _size(path: Path) -> tuple[int, Path]:
    return path.stat().st_size, path


def _zipped(archive: Path, paths: Sequence[Path]) -> None:
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        for path in paths:
            # Not with its time, which need not be one that a ZIP archive can hold.
            file.writestr(f"inside/{path.name}", path.read_bytes())


def _tarred(archive: Path, paths: Sequence[Path]) -> None:
    with tarfile.open(archive, "w:gz") as file:
        for path in paths:
            file.add(path, f"inside/{path.name}")


def speed(directory: Path) -> dict[str, Any]:
    """Pages and megabytes a second: see `bench.format_speed`."""
    command = [sys.executable, "-m", "bench.format_speed", os.fspath(directory)]
    finished = subprocess.run(command, capture_output=True, check=True)
    figures: dict[str, Any] = json.loads(finished.stdout)
    return figures


def _without_network() -> list[str]:
    """What a command is begun with so that it has no network at all, where the system allows it."""
    command = ["unshare", "--net", "--map-root-user"]
    with suppress(OSError):
        if subprocess.run([*command, "true"], capture_output=True, check=False).returncode == 0:
            return command
    return []


def read_in_process(path: Path, file: Known, *, prefix: Sequence[str] = ()) -> dict[str, Any]:
    """What became of one file; `outcome` is `read`, `refused`, `crash` or `too long`."""
    started = time.monotonic()
    process = subprocess.Popen(
        [*prefix, sys.executable, "-m", "bench.format_child", os.fspath(path), file.path],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"},
    )
    wanted = {"must_contain": file.must_contain, "expected": file.expected}
    is_late = False
    try:
        output, errors = process.communicate(json.dumps(wanted), LONGEST_CHECKS)
    except subprocess.TimeoutExpired:
        process.kill()
        output, errors = process.communicate()
        is_late = True
    lines = [json.loads(line) for line in output.splitlines() if line.endswith("}")]
    took = round(time.monotonic() - started, 1)
    if not lines:
        how = "too long" if is_late else "crash"
        return {"outcome": how, "seconds": took, "code": process.returncode, "why": errors[-2000:]}
    record: dict[str, Any] = lines[0]
    if record["seconds"] > LONGEST_SECONDS:
        record["outcome"] = "too long"
    if record["outcome"] != "refused" and len(lines) < 2:
        record["checks"] = {"failed": "took too long" if is_late else errors[-2000:]}
    elif len(lines) > 1:
        record["checks"] = lines[1]
    return record


def failures(result: dict[str, Any]) -> list[str]:
    """What does not hold of one file, in words; empty where all does."""
    found: list[str] = []
    if result["outcome"] in ("crash", "too long"):
        found.append(f"{result['outcome']} after {result['seconds']} s")
    if result.get("peak_bytes", 0) > MOST_BYTES:
        found.append(f"{result['peak_bytes'] // 1_000_000} MB of memory")
    found += (f"tried: {one}" for one in result.get("forbidden", ()))
    checks = result.get("checks")
    if not checks:
        return found
    if "failed" in checks:
        return [*found, f"checks failed: {checks['failed'].strip().splitlines()[-1:]}"]
    found += checks["structure"]
    found += (f"does not contain {one['string'][:80]!r}" for one in checks["missing"])
    if checks["is_the_file"] is False:
        found.append("has no marks, and its text is not the decoded file")
    if checks["uncovered"] and checks["uncovered"]["unexplained"]:
        examples = ", ".join(map(repr, checks["uncovered"]["examples"][:3]))
        found.append(f"{checks['uncovered']['unexplained']} stretches without a mark: {examples}")
    for why, counted in (checks["places"] or {"outcomes": {}})["outcomes"].items():
        if counted.get("wrong"):
            found.append(f"{counted['wrong']} of {sum(counted.values())} {why} at a wrong place")
        if counted.get("no one place") and why != "random spans":
            found.append(f"{counted['no one place']} {why} without one place")
    return found


def summary(results: Sequence[dict[str, Any]]) -> list[tuple[str, Any]]:
    """Names and figures over all files."""
    outcomes = Counter(result["outcome"] for result in results)
    checked = [result["checks"] for result in results if "structure" in result.get("checks", {})]
    places: Counter[str] = Counter()
    for check in checked:
        for counted in (check["places"] or {"outcomes": {}})["outcomes"].values():
            places.update(counted)
    at_a_place = places["exact"] + places["inside"] + places["wrong"]
    recalls = [check["recall"] for check in checked if check["recall"] is not None]
    strings = [one for check in checked for one in check["missing"]]
    return [
        ("files", len(results)),
        ("read", outcomes["read"]),
        ("refused with a message", outcomes["refused"]),
        ("crashed", outcomes["crash"]),
        (f"took over {LONGEST_SECONDS:.0f} s", outcomes["too long"]),
        ("slowest, s", max((result["seconds"] for result in results), default=0)),
        ("most memory, MB", max((r.get("peak_bytes", 0) for r in results), default=0) // 1_000_000),
        ("files that tried to write or connect", sum(bool(r.get("forbidden")) for r in results)),
        ("strings not found", len(strings)),
        ("of these, found but for spaces and signs", sum(one["close"] for one in strings)),
        ("words of the expected Markdown found in order, mean %", _mean(recalls)),
        (
            "files with faults in their structure",
            sum(bool(check["structure"]) for check in checked),
        ),
        ("spans whose place was read anew", at_a_place),
        ("of these, exactly the words at the place", places["exact"]),
        ("of these, the words with more around them", places["inside"]),
        ("of these, wrong", places["wrong"]),
        ("spans without one place", places["no one place"]),
        ("spans of kinds that are not read anew", places["unread"]),
    ]


def by_extractor(results: Sequence[dict[str, Any]]) -> list[list[Any]]:
    """A row for each format: files, characters, places read anew, what no mark covers."""
    rows: list[list[Any]] = []
    names = sorted({result["extractor"] for result in results if "extractor" in result})
    for name in names:
        own = [result for result in results if result.get("extractor") == name]
        places: Counter[str] = Counter()
        uncovered = []
        recalls = []
        for result in own:
            checks = result.get("checks", {})
            for counted in (checks.get("places") or {"outcomes": {}})["outcomes"].values():
                places.update(counted)
            if checks.get("uncovered"):
                uncovered.append(checks["uncovered"]["share"])
            if checks.get("recall") is not None:
                recalls.append(checks["recall"])
        rows.append(
            [
                name,
                len(own),
                sum(result["characters"] for result in own),
                places["exact"],
                places["inside"],
                places["wrong"],
                places["no one place"],
                places["unread"],
                _mean(uncovered),
                _mean(recalls),
                sum(bool(failures(result)) for result in own),
            ]
        )
    return rows


def without_excerpts(value: Any) -> Any:
    """A result without the words of the file, which are its owner's."""
    if isinstance(value, dict):
        return {
            key: len(one) if key in _EXCERPTS and isinstance(one, list) else without_excerpts(one)
            for key, one in value.items()
        }
    return value


def shown(path: str) -> str:
    """A path on one line of a table."""
    return path.replace("\n", "\\n").replace("|", "\\|")


def _mean(values: Iterable[float]) -> float | None:
    given = list(values)
    return round(sum(given) / len(given), 2) if given else None
