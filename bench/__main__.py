"""`python -m bench WHAT --data DIR`: ask, scale, determinism, several, rank, retrieval, pages,
mutations, edits, audit, conflicts, views, load or formats.

See bench/README.md.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench import (
    ask,
    audit,
    conflicts,
    determinism,
    edits,
    formats,
    load,
    mutations,
    pages,
    rank,
    report,
    retrieval,
    scale,
    several,
    views,
)
from bench.data import DataSet, by_language, limited, read


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what is asked for; 1 when a quote does not verify or bytes differ."""
    options = _parser().parse_args(arguments)
    if options.what == "formats":
        return _formats(options)
    if options.what == "rank":
        return _rank(options)
    if options.what == "pages":
        return _pages(options)
    if options.what == "load":
        return _load(options)
    sets = [limited(data, options.limit) for data in _sets(options)]
    record: dict[str, Any] = {"machine": report.machine()}
    if options.what == "ask":
        results = []
        for data in sets:
            print(f"{data.name} ...", file=sys.stderr, flush=True)
            results.append(ask.measure(data, names=options.names, details=options.details))
        record |= {"names": options.names, "limit": options.limit, "sets": results}
        markdown = report.ask_markdown(record)
        shares = [s["systems"]["pincite"]["quotes_that_verify"] for s in results]
        holds = all(share in (None, 100.0) for share in shares)
    elif options.what == "scale":
        figures = scale.measure(sets, passages=options.passages)
        record |= {"sets": [data.name for data in sets], **figures}
        markdown = report.facts_markdown("A large folder", record, scale.rows(figures))
        holds = figures["files_read_again"] == 0
    elif options.what == "views":
        record |= views.measure(sets, passages=options.passages)
        markdown = report.facts_markdown("Parts of an index", record, views.rows(record))
        holds = True
    elif options.what == "several":
        record["sets"] = [several.beside_the_first(data) for data in sets]
        record["two_parts"] = several.two_parts(options.examples)
        markdown = report.facts_markdown("Several quotes", record, several.rows(record))
        holds = True
    elif options.what == "retrieval":
        record["sets"] = found = [retrieval.measure(data) for data in sets]
        markdown = report.facts_markdown("Passages found", record, retrieval.rows(found))
        holds = True
    elif options.what == "mutations":
        record |= mutations.measure(sets, quotes=options.quotes)
        markdown = report.mutations_markdown(record, mutations.rows(record))
        holds = mutations.holds(record)
    elif options.what == "audit":
        record |= audit.measure(sets, entries=options.entries, answers=options.answers)
        markdown = report.facts_markdown("A log of answers", record, audit.rows(record))
        holds = audit.holds(record)
    elif options.what == "conflicts":
        record |= conflicts.measure(sets, questions=options.questions)
        markdown = report.facts_markdown(
            "Documents that contradict each other", record, conflicts.rows(record)
        )
        holds = True
    elif options.what == "edits":
        record |= edits.measure(sets, edits=options.edits)
        markdown = report.facts_markdown(
            "Citations of edited documents", record, edits.rows(record)
        )
        holds = edits.holds(record)
    else:
        compared = [determinism.measure(data) for data in sets]
        record |= {"sets": compared}
        rows = [(f"{c['name']}: {name}", c[name]) for c in compared for name in c if name != "name"]
        markdown = report.facts_markdown("The same bytes every time", record, rows)
        holds = not any(c["differ_by_hash_seed"] or c["differ_by_order_of_files"] for c in compared)
    print(markdown)
    # Words of the documents, to be read and not kept.
    for one in record.pop("wrong", []):
        print(one, file=sys.stderr)
    for path in report.save(options.out, options.what, record, markdown):
        print(path, file=sys.stderr)
    return 0 if holds else 1


def _formats(options: argparse.Namespace) -> int:
    files = formats.known_files(options.files)
    if options.only:
        files = [file for file in files if options.only in file.path]
    results = formats.measure(options.files, files)
    results += formats.measure_packed(options.files, files)
    record: dict[str, object] = {"machine": report.machine(), "files": results}
    if not options.only:
        folders = options.speed or [options.files]
        record["speed"] = {folder.name: formats.speed(folder) for folder in folders}
    markdown = report.formats_markdown(record)
    print(markdown)
    if options.details:
        report.save(options.details, "formats-details", record, markdown)
    record["files"] = [formats.without_excerpts(result) for result in results]
    for path in report.save(options.out, options.what, record, markdown):
        print(path, file=sys.stderr)
    return 1 if any(formats.failures(result) for result in results) else 0


def _rank(options: argparse.Namespace) -> int:
    results = []
    for directory in options.data:
        lists = rank.read_lists(directory)
        if options.limit is not None and len(lists) > options.limit:
            lists = [lists[i * len(lists) // options.limit] for i in range(options.limit)]
        results.append(rank.measure(directory.resolve().name, lists))
    record: dict[str, object] = {"machine": report.machine(), "sets": results}
    markdown = report.rank_markdown(record)
    print(markdown)
    for path in report.save(options.out, options.what, record, markdown):
        print(path, file=sys.stderr)
    return 0


def _pages(options: argparse.Namespace) -> int:
    found = [pages.measure(directory) for directory in options.data]
    for one in found:
        # Words of the documents, to be read and not kept.
        print("\n".join(one.pop("wrong")), file=sys.stderr)
    record: dict[str, Any] = {"machine": report.machine(), "sets": found}
    facts = [row for one in found for row in pages.rows(one)]
    markdown = report.facts_markdown("Pages cited", record, facts)
    print(markdown)
    for path in report.save(options.out, options.what, record, markdown):
        print(path, file=sys.stderr)
    return 0


def _load(options: argparse.Namespace) -> int:
    lines = options.questions.read_text("utf-8").splitlines()
    questions = [json.loads(line)["question"] for line in lines if line.strip()]
    found = load.measure(
        options.data,
        questions,
        clients=options.clients,
        seconds=options.seconds,
        pause=options.pause,
    )
    record: dict[str, Any] = {"machine": report.machine(), **found}
    markdown = report.facts_markdown("A server under load", record, load.rows(record))
    print(markdown)
    for path in report.save(options.out, options.what, record, markdown):
        print(path, file=sys.stderr)
    return 0 if load.holds(record) else 1


def _sets(options: argparse.Namespace) -> list[DataSet]:
    found = [read(directory) for directory in options.data]
    if options.what == "ask" and not options.mixed:
        return [part for data in found for part in by_language(data)]
    return found


def _parser() -> argparse.ArgumentParser:
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument("--data", type=Path, action="append", required=True, metavar="DIR")
    shared.add_argument("--limit", type=int, metavar="N", help="at most N questions of each kind")
    shared.add_argument("--out", type=Path, default=Path("bench/results"), metavar="DIR")
    parser = argparse.ArgumentParser(prog="python -m bench")
    commands = parser.add_subparsers(dest="what", required=True)
    asking = commands.add_parser("ask", parents=[shared], help="answers, refusals, quotes, cost")
    asking.add_argument("--names", choices=("title", "id"), default="title", help="of the files")
    asking.add_argument("--mixed", action="store_true", help="all languages in one folder")
    asking.add_argument("--details", type=Path, metavar="DIR", help="what became of each question")
    scaling = commands.add_parser("scale", parents=[shared], help="a large folder")
    scaling.add_argument("--passages", type=int, default=100_000, metavar="N")
    viewing = commands.add_parser("views", parents=[shared], help="parts of a large index")
    viewing.add_argument("--passages", type=int, default=20_000, metavar="N")
    joining = commands.add_parser("several", parents=[shared], help="answers of several quotes")
    joining.add_argument("--examples", type=Path, default=Path("examples/helpcentre"))
    commands.add_parser("rank", parents=[shared], help="candidate sentences put in order")
    commands.add_parser("retrieval", parents=[shared], help="passages and documents found")
    commands.add_parser("pages", parents=[shared], help="right pages of real files cited")
    mutating = commands.add_parser("mutations", parents=[shared], help="quotes that are not true")
    mutating.add_argument("--quotes", type=int, default=5_000, metavar="N", help="true quotes")
    logging = commands.add_parser("audit", parents=[shared], help="a log of answers")
    logging.add_argument("--entries", type=int, default=10_000, metavar="N")
    logging.add_argument("--answers", type=int, default=1_000, metavar="N")
    contradicting = commands.add_parser("conflicts", parents=[shared], help="contradictions told")
    contradicting.add_argument("--questions", type=int, default=200, metavar="N")
    editing = commands.add_parser("edits", parents=[shared], help="citations of edited documents")
    editing.add_argument("--edits", type=int, default=1_000, metavar="N")
    commands.add_parser("determinism", parents=[shared], help="the same bytes every time")
    loading = commands.add_parser("load", help="a server with many clients")
    loading.add_argument("--data", type=Path, required=True, metavar="FOLDER")
    loading.add_argument("--questions", type=Path, required=True, metavar="FILE")
    loading.add_argument("--clients", type=int, default=32, metavar="N")
    loading.add_argument("--seconds", type=float, default=600, metavar="N")
    loading.add_argument(
        "--pause", type=float, default=1.0, metavar="S", help="of a client between requests"
    )
    loading.add_argument("--out", type=Path, default=Path("bench/results"), metavar="DIR")
    reading = commands.add_parser("formats", help="every file of a folder read, and its places")
    reading.add_argument("--files", type=Path, required=True, metavar="DIR")
    reading.add_argument("--only", metavar="PART", help="files with this in their path")
    reading.add_argument(
        "--speed", type=Path, action="append", metavar="DIR", help="folders to measure speed on"
    )
    reading.add_argument("--details", type=Path, metavar="DIR", help="with excerpts of the files")
    reading.add_argument("--out", type=Path, default=Path("bench/results"), metavar="DIR")
    return parser


if __name__ == "__main__":
    sys.exit(main())
