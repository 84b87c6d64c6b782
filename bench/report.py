"""Results as JSON, with everything, and as Markdown tables, for reading."""

from __future__ import annotations

import importlib.metadata
import json
import os
import platform
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from bench import formats, rank

_PACKAGES = ("pincite", "numpy", "tantivy", "PyStemmer", "py3langid", "stop-words")
_PEERS = ("lesson", "sentence-bm25")


def machine() -> dict[str, Any]:
    """What the figures were taken on."""
    return {
        "python": platform.python_version(),
        "platform": f"{platform.system()} {platform.machine()}",
        "cpus": os.cpu_count(),
        "packages": {name: importlib.metadata.version(name) for name in _PACKAGES},
    }


def save(directory: Path, name: str, record: dict[str, Any], markdown: str) -> list[Path]:
    """Write NAME.json and NAME.md, and say where."""
    directory.mkdir(parents=True, exist_ok=True)
    written = [directory / f"{name}.json", directory / f"{name}.md"]
    written[0].write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", "utf-8")
    written[1].write_text(markdown, "utf-8")
    return written


def ask_markdown(record: dict[str, Any]) -> str:
    """The tables of `python -m bench ask`."""
    sets = record["sets"]
    return "\n".join(
        [
            "# Answers, refusals and quotes",
            "",
            _machine_line(record),
            "Shares are in per cent; what each means stands in bench/README.md.",
            "",
            *table(
                "set, system, right sentence (95 %), of answered, document@1, false refusals, "
                "unanswerable refused, at 10 %, at 12 %, off-topic refused, overall correct, "
                "quotes verify, lines verify, quote length median / p90 / max",
                (
                    _answer_row(s["name"], name, s["systems"][name])
                    for s in sets
                    for name in s["systems"]
                ),
            ),
            "",
            "## Against the peers",
            "",
            "Pincite's share divided by the peer's: more than 1 is better.",
            "",
            *table(
                "set, right sentence / lesson, right sentence / BM25, overall correct / lesson, "
                "overall correct / BM25, ECE, AUROC",
                (_peer_row(s["name"], s["systems"]) for s in sets),
            ),
            "",
            "## Cost",
            "",
            *table(
                "set, documents, text MB, passages, index MB/s, passages/s, index CPU s, peak MB, "
                "first ask ms, warm ask p50 ms, p99 ms, p50 CPU ms, `pincite ask` s, "
                "CPU s, peak MB asking",
                (_cost_row(s["name"], s["sizes"], s["cost"]) for s in sets),
            ),
            "",
        ]
    )


def formats_markdown(record: dict[str, Any]) -> str:
    """The tables of `python -m bench formats`."""
    results = record["files"]
    failed = [(result, formats.failures(result)) for result in results]
    speed = record.get("speed", {})
    lines = [
        "# Files of many formats",
        "",
        _machine_line(record),
        "What each figure means stands in bench/README.md.",
        "",
        *table("what, figure", formats.summary(results)),
        "",
        "## By format",
        "",
        *table(
            "read as, files, characters, exact, inside, wrong, no one place, not read anew, "
            "without a mark %, expected words %, files with failures",
            formats.by_extractor(results),
        ),
        "",
        "## Speed",
        "",
        *table("what, figure", _speed_rows(speed)),
        "",
        "## What does not hold",
        "",
        *(_line(result, found) for result, found in failed if found),
        "",
        "## Refused",
        "",
        *(_line(one, [one["reason"]]) for one in results if one["outcome"] == "refused"),
        "",
        "## Notes on files that were read",
        "",
        *(_line(result, result["notes"]) for result in results if result.get("notes")),
    ]
    return "\n".join(lines) + "\n"


def _line(result: dict[str, Any], found: Sequence[str]) -> str:
    said = "; ".join(" ".join(one.split()) for one in found)
    return f"- `{formats.shown(result['path'])}`: {said}"


def _speed_rows(speed: dict[str, Any]) -> Iterable[tuple[str, Any]]:
    for folder, figures in speed.items():
        for name, figure in figures["pdf"].items():
            yield f"{folder}, PDF: {name.replace('_', ' ')}", figure
        for kind in ("markdown", "html"):
            for name, figure in figures[kind]["megabytes_per_second"].items():
                yield f"{folder}, {kind}, {name}: MB/s", figure
                yield f"{folder}, {kind}, {name}: % of bare", figures[kind]["share_of_bare"][name]


def rank_markdown(record: dict[str, Any]) -> str:
    """The table of `python -m bench rank`."""
    lines = [
        "# Candidate sentences put in order",
        "",
        _machine_line(record),
        "What each figure means stands in bench/README.md.",
        "",
        *table(
            "set, lists, sentences, system, MAP (95 %), MRR, precision@1, ms a list",
            rank.rows(record["sets"]),
        ),
        "",
    ]
    return "\n".join(lines)


def mutations_markdown(record: dict[str, Any], rows: Iterable[Sequence[Any]]) -> str:
    """The table of `python -m bench mutations`."""
    return "\n".join(
        [
            "# Quotes that are true, mutated, or laid out otherwise",
            "",
            _machine_line(record),
            "How many there were, and how many each checker accepted: of mutations none is right.",
            "",
            *table("kind, asked, pincite, plain substring, fuzzy ratio >= 0.8", rows),
            "",
        ]
    )


def facts_markdown(title: str, record: dict[str, Any], rows: Iterable[tuple[str, Any]]) -> str:
    """A heading, the machine, and one table of names and values."""
    lines = [f"# {title}", "", _machine_line(record), "", *table("what, figure", rows), ""]
    return "\n".join(lines)


def table(heads: str, rows: Iterable[Sequence[Any]]) -> list[str]:
    """The lines of a Markdown table; `heads` is separated by commas."""
    names = heads.split(", ")
    lines = [f"| {' | '.join(names)} |", f"|{' --- |' * len(names)}"]
    lines += [f"| {' | '.join(map(_cell, row))} |" for row in rows]
    return lines


def _cell(value: Any) -> str:
    if value is None:
        return "–"
    if isinstance(value, float):
        return f"{value:.2g}" if 0 < value < 1 else f"{value:.1f}"
    return str(value)


def _answer_row(set_name: str, system: str, got: dict[str, Any]) -> list[Any]:
    bounds = got["right_sentence_interval"]
    right = _cell(got["right_sentence"])
    lengths = (got[f"quote_length_{which}"] for which in ("median", "p90", "max"))
    return [
        set_name,
        system,
        f"{right} ({bounds[0]:.1f}–{bounds[1]:.1f})" if bounds else None,
        got["right_sentence_of_answered"],
        got["document_at_1"],
        got["false_refusals"],
        got["unanswerable_refused"],
        got["unanswerable_refused_at_10%"],
        got["unanswerable_refused_at_12%"],
        got["off_topic_refused"],
        got["overall_correct"],
        got["quotes_that_verify"],
        got["lines_that_verify"] if system == "pincite" else None,
        " / ".join("–" if length is None else f"{length:.0f}" for length in lengths),
    ]


def _peer_row(set_name: str, systems: dict[str, Any]) -> list[Any]:
    own = systems["pincite"]
    ratios = [
        f"{own[what] / systems[peer][what]:.2f}" if own[what] and systems[peer][what] else None
        for what in ("right_sentence", "overall_correct")
        for peer in _PEERS
    ]
    return [set_name, *ratios, own["calibration_error"], own["auroc"]]


def _cost_row(set_name: str, sizes: dict[str, Any], cost: dict[str, Any]) -> list[Any]:
    return [
        set_name,
        sizes["documents"],
        sizes["text_bytes"] / 1e6,
        sizes["passages"],
        cost["index_megabytes_per_second"],
        cost["index_passages_per_second"],
        cost["index_cpu_seconds"],
        cost["index_peak_bytes"] / 1e6,
        cost["ask_cold_seconds_p50"] * 1000,
        cost["ask_warm_seconds_p50"] * 1000,
        cost["ask_warm_seconds_p99"] * 1000,
        cost["ask_warm_cpu_seconds_p50"] * 1000,
        cost["process_seconds_p50"],
        cost["process_cpu_seconds_p50"],
        cost["ask_peak_bytes"] / 1e6,
    ]


def _machine_line(record: dict[str, Any]) -> str:
    found = record["machine"]
    return (
        f"Python {found['python']}, {found['platform']}, {found['cpus']} CPUs, "
        f"pincite {found['packages']['pincite']}."
    )
