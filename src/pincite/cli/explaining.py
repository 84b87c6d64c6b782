"""`explain`: why a question got the answer it got."""

from __future__ import annotations

from pathlib import Path

import click

from pincite.cli.opening import one_question, open_index
from pincite.cli.options import (
    folder_argument,
    json_option,
    lexical_option,
    new_file,
    no_update_option,
    question_argument,
    risk_option,
    store_option,
)
from pincite.cli.output import ANSWERED, REFUSED, width, write_json, write_text
from pincite.cli.settings import reading_options
from pincite.records import Refusal


@click.command("explain")
@folder_argument
@question_argument
@click.option("--document", metavar="PATH", help="Ask inside one document, by its path in FOLDER.")
@click.option("--html", type=new_file, metavar="FILE", help="Write it as a page with bars.")
@risk_option
@lexical_option
@no_update_option
@json_option
@store_option
@reading_options
def explain_command(
    folder: Path,
    question: tuple[str, ...],
    document: str | None,
    html: Path | None,
    risk: float | None,
    lexical: bool,
    no_update: bool,
    as_json: bool,
    store: Path | None,
) -> int:
    """Say why `ask` answers QUESTION as it does: what was looked for, found, weighed and chosen."""
    # To ask, nothing of these is needed.
    from pincite.render.explained import explanation_text, explanation_to_json

    asked = one_question(question, folder)
    with open_index(folder, store, no_update, lexical) as index:
        found = index.explain(asked, document=document, risk=risk)
    if html is not None:
        from pincite.render.pages import explanation_page

        html.write_text(explanation_page(found), "utf-8")
    if as_json:
        write_json(explanation_to_json(found), pretty=True)
    else:
        write_text(explanation_text(found, width=width()))
    return REFUSED if isinstance(found.answer, Refusal) else ANSWERED
