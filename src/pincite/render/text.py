"""Records as text for a person. Nothing in it needs colour or a width to be understood."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from pincite.places import Place
from pincite.records import (
    Answer,
    Citation,
    Excerpt,
    FittedCalibration,
    IndexInfo,
    IndexReport,
    Lines,
    Problem,
    Progress,
    Refusal,
    Retrieved,
    Role,
    Span,
)
from pincite.render.noted import conflict_text, warning_text
from pincite.render.places import place_text
from pincite.render.terminal import clip, one_line, visible, visible_path
from pincite.text.languages import UNDETERMINED

PLAIN_WIDTH = 100
"""Columns where there is no terminal to ask."""

_SURE = 0.5
"""An answer with less confidence is shown with a line that says so."""

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")


def answer_text(answer: Answer, *, width: int = PLAIN_WIDTH) -> str:
    """Each quote as it stands, its places below it, then the passages not used.

    Where the confidence is low, a line between quote and place says so. Of a question with
    several parts, each part stands above its quotes, and those without are named.
    """
    doubt = _doubt(answer.confidence)
    parts: list[str] = []
    asked: tuple[str, ...] = ()
    for citation in answer.citations:
        if citation.role is Role.ALSO:
            parts[-1] += f"\n  also: {_place_of(citation)}"
            continue
        title = ""
        if citation.parts != asked:
            asked = citation.parts
            title = f"{one_line(' / '.join(asked))}\n\n"
        parts.append(title + _quote(citation, doubt))
    parts += [f"{one_line(part)}\n\nThe documents do not say." for part in answer.unanswered_parts]
    parts += [conflict_text(conflict) for conflict in answer.conflicts]
    others = [result for result in answer.retrieved if not result.used]
    if others:
        parts.append(_listing("Also found, not used:", others, width))
    return "\n\n".join(parts) + "\n"


def refusal_text(refusal: Refusal, *, width: int = PLAIN_WIDTH) -> str:
    """That the documents do not say, why, what to do, and what came nearest, labelled as such."""
    why = f"Why: {one_line(refusal.explanation)}"
    # Some are named in the explanation already.
    missing = [word for word in refusal.missing if f'"{word}"' not in refusal.explanation]
    if missing:
        words = ", ".join(f'"{one_line(word)}"' for word in missing)
        where = "nearest passages" if refusal.retrieved else "documents"
        why += f"\nThe {where} do not have: {words}"
    parts = ["The documents do not say.", f"{why}\nWhat to do: {one_line(refusal.advice)}"]
    if refusal.retrieved:
        parts.append(_listing("Nearest passages (not an answer):", refusal.retrieved, width))
    return "\n\n".join(parts) + "\n"


def search_text(results: Sequence[Retrieved], *, width: int = PLAIN_WIDTH) -> str:
    """The ranked passages, best first, some lines each; a sentence where there are none.

    Where a place is named in other units than the lines of the file, it is told as `show` takes it.
    """
    if not results:
        return "No passage has to do with the question.\n"
    entries = []
    for result in results:
        indent = " " * (len(str(result.rank)) + 2)
        lines = [f"{result.rank}. {where_text(result.document.path, result.lines, result.place)}"]
        if result.heading_path:
            lines.append(indent + clip(_headings(result.heading_path), width - len(indent)))
        if result.place is not None:
            lines.append(indent + address(result.document.path, result.position))
        lines.append(indent + clip(result.text, width - len(indent)))
        entries.append("\n".join(lines))
    return "\n\n".join(entries) + "\n"


def excerpt_text(excerpt: Excerpt) -> str:
    """The passage with its line numbers; `>` stands before the lines asked for."""
    title = where_text(excerpt.document.path, excerpt.marked_lines, excerpt.place)
    if excerpt.heading_path:
        title += f"  {_headings(excerpt.heading_path)}"
    gutter = len(str(excerpt.lines.end))
    rows = []
    for number, line in enumerate(_split_lines(excerpt.excerpt), start=excerpt.lines.start):
        asked = excerpt.marked_lines.start <= number <= excerpt.marked_lines.end
        rows.append(f"{'>' if asked else ' '} {number:>{gutter}}  {visible(line)}".rstrip())
    parts = [title, "\n".join(rows)]
    marked = _marked_words(excerpt)
    if marked:
        parts.append(f"The words asked for:\n{visible(marked)}")
    return "\n\n".join(parts) + "\n"


def info_text(info: IndexInfo) -> str:
    """What the index holds: counts, then one line a document."""
    languages = ", ".join(
        f"{'unknown' if code == UNDETERMINED else code} {count}" for code, count in info.languages
    )
    rows = [
        ("folder", visible_path(info.folder)),
        ("store", f"{visible_path(info.store)} ({_size(info.store_bytes)})"),
        ("generation", str(info.state.generation)),
        ("fingerprint", info.state.fingerprint),
        ("documents", str(info.document_count)),
        ("passages", str(info.passage_count)),
        ("sentences", str(info.sentence_count)),
        ("no vector", str(info.unencoded_count)),
        ("languages", languages or "none"),
        ("not read", str(len({each.path for each in info.problems if not each.is_partial}))),
        ("in part", str(len({each.path for each in info.problems if each.is_partial}))),
    ]
    if info.forgotten:
        rows.append(("forgotten", ", ".join(map(visible_path, info.forgotten))))
    rows += [("calibrated", _calibration(fitted)) for fitted in info.calibrations]
    lines = [f"{name:<12}{value}" for name, value in rows]
    if info.documents:
        lines.append("")
        lines += [
            f"{visible_path(source.path)}  {one_line(source.title)}" for source in info.documents
        ]
    return "\n".join(lines) + "\n"


def _calibration(fitted: FittedCalibration) -> str:
    chosen = next((one for one in fitted.levels if one.risk == fitted.risk), None)
    held = "" if chosen is None or chosen.holds else ", which they do not vouch for"
    return (
        f"{fitted.scorer}: by {counted(fitted.questions, 'question')} of "
        f"{visible_path(fitted.name)}, to a risk of {fitted.risk:g}{held}"
    )


def problem_kind(problem: Problem) -> str:
    """Whether the file of `problem` was not read at all, or read in part."""
    return "in part" if problem.is_partial else "not read"


def problems_text(problems: Iterable[Problem]) -> str:
    """One line a file that was not read, or only in part; empty where there is none."""
    return "".join(
        f"{visible_path(problem.path)}: {'in part: ' if problem.is_partial else ''}"
        f"{one_line(problem.reason)}\n"
        for problem in problems
    )


def report_text(report: IndexReport, folder: str) -> str:
    """What a run of indexing of `folder` did, on one line, and where what was not read is told."""
    total = len(report.added) + len(report.changed) + report.unchanged
    done = [
        f"{count} {name}"
        for count, name in (
            (len(report.added), "new"),
            (len(report.changed), "changed"),
            (len(report.removed), "removed"),
        )
        if count
    ]
    line = f"{counted(total, 'document')} in the index ({', '.join(done) or 'unchanged'})"
    if report.problems:
        line += f"; {not_read_text(report.problems, folder)}"
    if report.ignored:
        line += f"; {report.ignored} left out by .gitignore and .pinciteignore"
    return line + "\n"


def changes_text(report: IndexReport, known: Collection[Problem] = ()) -> str:
    """A line for each document added, changed or removed, and for each problem not in `known`.

    Where no document was, how many there are.
    """
    lines = [
        f"{word}: {visible_path(path)}"
        for word, paths in (
            ("added", report.added),
            ("changed", report.changed),
            ("removed", report.removed),
        )
        for path in paths
    ]
    if not lines:
        total = len(report.added) + len(report.changed) + report.unchanged
        lines = [f"{counted(total, 'document')} in the index (unchanged)"]
    lines += [
        f"{problem_kind(problem)}: {visible_path(problem.path)}: {one_line(problem.reason)}"
        for problem in report.problems
        if problem not in known
    ]
    return "".join(f"{line}\n" for line in lines)


def progress_text(progress: Progress) -> str:
    """How many files and megabytes are done, of how many, and how many files cannot be read."""
    done, total = progress.byte_count / 1e6, progress.bytes_in_all / 1e6
    unread = f", {progress.unread} not read" if progress.unread else ""
    files = f"{progress.file_count}/{counted(progress.files_in_all, 'file')}"
    return f"{files}, {done:.1f}/{total:.1f} MB{unread}"


def not_read_text(problems: Sequence[Problem], folder: str) -> str:
    """How many files were not read, how many in part, and the command that says why.

    A file is counted once, however much of it is missing.
    """
    partial = {problem.path for problem in problems if problem.is_partial}
    unread = {problem.path for problem in problems if not problem.is_partial}
    counts = f"{counted(len(unread), 'file')} not read"
    if partial and unread:
        counts += f", {len(partial)} only in part"
    elif partial:
        counts = f"{counted(len(partial), 'file')} read only in part"
    return f"{counts}: {problems_command(folder)}"


def problems_command(folder: str) -> str:
    """The command that lists every file of `folder` that was not read, and why."""
    return f"`pincite info {visible_path(folder)} --problems`"


def place(path: str, lines: Lines) -> str:
    """`path:line` or `path:first-last`, as `pincite show` takes it."""
    last = f"-{lines.end}" if lines.end != lines.start else ""
    return f"{visible_path(path)}:{lines.start}{last}"


def where_text(path: str, lines: Lines, found: Place | None) -> str:
    """The file and the place in it: its lines where the text is the file itself."""
    return place(path, lines) if found is None else f"{visible_path(path)}  {place_text(found)}"


def address(path: str, position: Span) -> str:
    """`path#char=start,end` (RFC 5147), as `pincite show` takes it."""
    return f"{visible_path(path)}#char={position.start},{position.end}"


def counted(count: int, name: str) -> str:
    """`1 file`, `2 files`."""
    return f"{count} {name}{'' if count == 1 else 's'}"


def _doubt(confidence: float) -> str:
    # Rounded down: 0.499 shown as 0.50 would look sure.
    if confidence >= _SURE:
        return ""
    return f"  (not sure: confidence {math.floor(confidence * 100) / 100:.2f})\n\n"


def _quote(citation: Citation, doubt: str) -> str:
    quote = visible(citation.quote.exact)
    if citation.cells:
        quote += f"\n  ({one_line(citation.cells)})"
    path = citation.document.path
    warnings = "".join(f"  {clip(warning_text(one), PLAIN_WIDTH)}\n" for one in citation.warnings)
    doubt += f"{warnings}\n" if warnings else ""
    return f"{quote}\n\n{doubt}  {_place_of(citation)}\n  {address(path, citation.position)}"


def _place_of(citation: Citation) -> str:
    where = where_text(citation.document.path, citation.lines, citation.place)
    return f"{where}  {_headings(citation.heading_path)}" if citation.heading_path else where


def _listing(title: str, results: Sequence[Retrieved], width: int) -> str:
    places = [where_text(result.document.path, result.lines, result.place) for result in results]
    column = min(max(map(len, places)), width // 2)
    lines = [title]
    for where, result in zip(places, results, strict=True):
        room = max(width - max(len(where), column) - 4, 20)
        lines.append(f"  {where:<{column}}  {clip(result.text, room)}")
    return "\n".join(lines)


def _headings(path: Sequence[str]) -> str:
    return " > ".join(map(one_line, path))


def _split_lines(text: str) -> Iterator[str]:
    # Not str.splitlines: form feeds and the like do not end a line in an editor.
    for match in _LINE.finditer(text):
        if match.group():
            yield match.group().rstrip("\r\n")


def _marked_words(excerpt: Excerpt) -> str:
    """The words asked for, empty where they are whole lines and `>` has said it all."""
    start = excerpt.marked.start - excerpt.position.start
    end = excerpt.marked.end - excerpt.position.start
    before, after = excerpt.excerpt[:start], excerpt.excerpt[end:]
    starts_line = not before or before[-1] in "\r\n"
    ends_line = not after or after[0] in "\r\n" or excerpt.excerpt[start:end][-1:] in "\r\n"
    return "" if starts_line and ends_line else excerpt.excerpt[start:end]


def _size(count: int) -> str:
    size = float(count)
    for unit in ("bytes", "kB", "MB"):
        if size < 1000:
            return f"{size:.0f} bytes" if unit == "bytes" else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:.1f} GB"
