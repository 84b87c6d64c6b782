"""`audit`: a log of answers listed, shown, verified, asked again, erased from."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from pincite.auditing.checking import check
from pincite.auditing.entries import NOTICE, Line
from pincite.auditing.log import LOG, AuditLog
from pincite.cli.options import Named
from pincite.cli.output import ANSWERED, complain, write_json, write_text
from pincite.errors import AuditDamaged, CheckpointUnusable
from pincite.render import dumps
from pincite.render.audited import audit_to_json, entry_to_json
from pincite.render.terminal import one_line

NOT_AS_WRITTEN = 3


def _utc(_: click.Context, __: click.Parameter, given: str | None) -> datetime | None:
    if given is None:
        return None
    try:
        time = datetime.fromisoformat(given)
        return (time if time.tzinfo else time.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise click.BadParameter(
            f"{given!r} is no time: give one such as 2026-01-31 or 2026-01-31T12:00+01:00"
        ) from error


log_argument = click.argument("log", type=Named(file_okay=False, path_type=Path))
as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@click.group("audit")
def audit_commands() -> None:
    """Look into a log of answers (`ask --audit LOG`), prove that it is whole, ask again.

    Exit codes: 0, 3 the log or an answer is not as it was, 2 usage, 1 error.
    """


@audit_commands.command("list")
@log_argument
@as_json
def list_command(log: Path, as_json: bool) -> int:
    """List the entries of LOG, oldest first, a line each, with who asked where that is known."""
    for line in _opened(log).lines():
        if as_json:
            write_json(entry_to_json(line), pretty=False)
            continue
        content = line.record()
        told = content.get("record") or content.get("notice") or {}
        said = told.get("question") or ("" if content else "(erased)")
        caller = content.get("caller")
        who = f"{one_line(caller)}: " if caller else ""
        entry = line.entry
        shown = f"{entry.sequence}  {entry.time}  {entry.kind}  {who}{one_line(said)}"
        write_text(shown.rstrip() + "\n")
    return ANSWERED


@audit_commands.command("show")
@log_argument
@click.argument("sequence", type=click.IntRange(min=1))
def show_command(log: Path, sequence: int) -> int:
    """Print entry SEQUENCE of LOG with all it holds, as JSON."""
    for line in _opened(log).lines():
        if line.entry.sequence == sequence:
            write_json({**entry_to_json(line), "content": line.record() or None}, pretty=True)
            return ANSWERED
    raise click.BadParameter(f"there is no entry {sequence} in {log}", param_hint="SEQUENCE")


@audit_commands.command("verify")
@log_argument
@click.option(
    "--checkpoint",
    "checkpoints",
    type=click.Path(exists=True, path_type=Path),
    multiple=True,
    metavar="FILE",
    help="A checkpoint of LOG that was kept elsewhere, or a folder of them.",
)
@click.option(
    "--public-key",
    "public_keys",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    multiple=True,
    metavar="PEM",
    help="The key that the checkpoints have to be signed with; of several, one of them.",
)
@as_json
def verify_command(
    log: Path, checkpoints: tuple[Path, ...], public_keys: tuple[Path, ...], as_json: bool
) -> int:
    """Find what was edited, dropped, put in, reordered or cut off in LOG, and say where."""
    if public_keys and not checkpoints:
        raise click.UsageError("--public-key is for checkpoints: give one with --checkpoint")
    kept = [_checkpoint(file, public_keys) for path in checkpoints for file in _files(path)]
    if checkpoints and not kept:
        raise click.BadParameter("there is no *.json in that folder", param_hint="--checkpoint")
    report = check(_opened(log), kept)
    if as_json:
        write_json(audit_to_json(report), pretty=True)
    else:
        for fault in report.faults:
            where = f"line {fault.line}: " if fault.line else ""
            write_text(f"{where}{one_line(fault.reason)}\n")
        erased = f", {report.erased} erased" if report.erased else ""
        state = "not as it was written" if report.faults else "whole"
        write_text(f"{_entries(report.entries)}{erased}: {state}\n")
    if report.torn:
        complain("the last write never ended; the next one clears it away")
    return NOT_AS_WRITTEN if report.faults else ANSWERED


@audit_commands.command("checkpoint")
@log_argument
@click.option(
    "--sign",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="PEM",
    help="Sign it with this Ed25519 key.",
)
@click.option(
    "--into",
    type=Named(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Write it into this folder, after LOG was compared with those that are there.",
)
def checkpoint_command(log: Path, sign: Path | None, into: Path | None) -> int:
    """Print what the last entry of LOG is, to be kept where nobody who can write LOG can write."""
    opened = _opened(log)
    earlier = [] if into is None or not into.exists() else _files(into)
    report = check(opened, [_checkpoint(file) for file in earlier])
    if report.faults:
        raise AuditDamaged(log, detail=report.faults[0].reason)
    head = opened.head()
    if head is None:
        raise AuditDamaged(log, detail="it holds no entry")
    if sign is not None:
        # To look into a log, nothing of it is needed.
        from pincite.auditing.signing import signed

        head = signed(head, sign)
    if into is not None:
        into.mkdir(parents=True, exist_ok=True)
        (into / f"{head['sequence']:012}.json").write_text(dumps(head) + "\n", "utf-8")
    write_json(head, pretty=False)
    return ANSWERED


@audit_commands.command("export")
@log_argument
def export_command(log: Path) -> int:
    """Print every answer and refusal of LOG as a record a line, as `ask --batch` prints them."""
    for line in _opened(log).answers():
        if line.content:
            write_json({"id": line.entry.sequence, **line.record()["record"]}, pretty=False)
    return ANSWERED


@audit_commands.command("replay")
@log_argument
@click.argument("sequences", type=click.IntRange(min=1), nargs=-1, metavar="[SEQUENCE]...")
@as_json
def replay_command(log: Path, sequences: tuple[int, ...], as_json: bool) -> int:
    """Ask the questions of LOG again over the documents kept with it, and compare the answers."""
    # Nothing else here needs to ask.
    from pincite.replaying import replay

    opened = _opened(log)
    _check_known(log, sequences, opened.answers() if sequences else ())
    count = same = 0
    for one in replay(opened, sequences):
        count += 1
        same += one.identical
        if as_json:
            told = {
                "sequence": one.sequence,
                "identical": one.identical,
                "differs": list(one.differs),
                "problem": one.problem,
            }
            write_json(told, pretty=False)
        elif not one.identical:
            why = one.problem or f"not the same: {', '.join(one.differs)}"
            write_text(f"{one.sequence}  {one_line(one.question)}: {one_line(why)}\n")
    if not as_json:
        write_text(f"{same} of {count} byte-identical\n")
    return ANSWERED if same == count else NOT_AS_WRITTEN


@audit_commands.command("erase")
@log_argument
@click.argument("sequences", type=click.IntRange(min=1), nargs=-1, metavar="[SEQUENCE]...")
@click.option("--document", metavar="PATH", help="Every entry that quotes or looked at PATH.")
@click.option("--caller", metavar="NAME", help="Every entry of a question that NAME asked.")
@click.option(
    "--before",
    callback=_utc,
    metavar="TIME",
    help="Every entry before this time: ISO 8601, UTC where it names no offset.",
)
@click.option("--reason", required=True, help="Why; it is kept in the log.")
def erase_command(
    log: Path,
    sequences: tuple[int, ...],
    document: str | None,
    caller: str | None,
    before: datetime | None,
    reason: str,
) -> int:
    """Remove the content of entries from LOG for good; that they were there stays to be seen.

    Documents that no entry left was answered from are removed too; with --document, that one from
    every state that was kept.
    """
    # Nothing else here needs the archive.
    from pincite.auditing import archive

    if not (sequences or document or caller is not None or before is not None):
        raise click.UsageError("say which entries: SEQUENCE, --document, --caller or --before")
    opened = _opened(log)
    opened.recover()
    answers = list(opened.answers())
    notices = [line for line in opened.lines() if line.entry.kind == NOTICE]
    chosen = {
        line.entry.sequence
        for line in (*answers, *notices)
        if line.content
        and (
            line.entry.sequence in sequences
            or (before is not None and datetime.fromisoformat(line.entry.time) < before)
            or (caller is not None and line.record()["caller"] == caller)
            or (document is not None and document in _paths(line.record()))
        )
    }
    _check_known(log, sequences, (*answers, *notices))
    if chosen:
        opened.erase(sorted(chosen), reason=reason)
    used = {
        line.record()["record"]["index"]["fingerprint"] for line in opened.answers() if line.content
    }
    archive.sweep(log, used, without=document)
    write_text(f"{_entries(len(chosen))} erased\n")
    return ANSWERED


def _check_known(log: Path, sequences: Sequence[int], lines: Iterable[Line]) -> None:
    """A usage error for a number that no such line has."""
    known = {line.entry.sequence for line in lines}
    if unknown := sorted(set(sequences) - known):
        raise click.BadParameter(f"there is no answer {unknown[0]} in {log}", param_hint="SEQUENCE")


def _entries(count: int) -> str:
    return "1 entry" if count == 1 else f"{count} entries"


def _opened(directory: Path) -> AuditLog:
    if not (directory / LOG).is_file():
        raise click.BadParameter(f"{directory} holds no log", param_hint="LOG")
    return AuditLog(directory)


def _paths(content: dict[str, Any]) -> set[str]:
    record = content.get("record", {"citations": [], "retrieved": []})
    return {one["document"]["path"] for one in (*record["citations"], *record["retrieved"])}


def _files(path: Path) -> list[Path]:
    """The file, or the checkpoints in the folder."""
    return sorted(path.glob("*.json")) if path.is_dir() else [path]


def _checkpoint(path: Path, public_keys: Sequence[Path] = ()) -> dict[str, Any]:
    try:
        found = json.loads(path.read_bytes())
    except (ValueError, RecursionError) as error:
        raise CheckpointUnusable(str(path), detail=f"it is not JSON: {error}") from error
    if not isinstance(found, dict):
        raise CheckpointUnusable(str(path), detail="it is no checkpoint")
    if not public_keys:
        return {name: value for name, value in found.items() if name != "signature"}
    # To look into a log, nothing of it is needed.
    from pincite.auditing.signing import checked

    # Keys are changed now and then, and older checkpoints keep their signatures.
    for key in public_keys[:-1]:
        with contextlib.suppress(CheckpointUnusable):
            return checked(found, key, name=str(path))
    return checked(found, public_keys[-1], name=str(path))
