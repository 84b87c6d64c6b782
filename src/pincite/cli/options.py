"""The arguments and options that several commands have."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from pincite.cli.output import FORM, RECORD, RECORD_LINES


class Named(click.Path):
    """A path that is not the empty string, which would mean the folder one stands in."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value == "":
            self.fail("the name is empty: a variable that is not set?", param, ctx)
        return super().convert(value, param, ctx)


new_file = Named(dir_okay=False, path_type=Path)
folder_argument = click.argument("folder", type=Named(path_type=Path))
# Any number of words, so that one that is not in quotes is told so.
question_argument = click.argument("question", nargs=-1, metavar="QUESTION")


def note_form(form: str) -> Callable[[click.Context, click.Parameter, Any], Any]:
    """A callback of an option: says for what stdout is read where the option is given."""

    def note(context: click.Context, _: click.Parameter, value: Any) -> Any:
        # Of a batch, what is printed is records, a line each, with --json or without.
        if value and context.meta.get(FORM) != RECORD_LINES:
            context.meta[FORM] = form
        return value

    return note


json_option = click.option(
    "--json",
    "as_json",
    is_flag=True,
    callback=note_form(RECORD),
    help="Print the record as JSON.",
)
store_option = click.option(
    "--store",
    type=Named(path_type=Path),
    metavar="DIR",
    help="Keep the index in DIR, not in the folder (.pincite).",
)
lexical_option = click.option(
    "--lexical",
    is_flag=True,
    help="Find and judge by words alone: quicker, and right less often.",
)
without_vectors_option = click.option(
    "--lexical",
    is_flag=True,
    help="Leave out the vectors: passages without are found by their words alone.",
)
no_update_option = click.option(
    "--no-update",
    is_flag=True,
    help="Use the last finished index without looking for changed files.",
)


def a_number(
    context: click.Context, parameter: click.Parameter, value: float | None
) -> float | None:
    """Refuses `nan`, which is in every range."""
    if value is not None and math.isnan(value):
        raise click.BadParameter("nan is no number")
    return value


risk_option = click.option(
    "--risk",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    callback=a_number,
    metavar="SHARE",
    help="Refuse so much that at most this share of the answers is wrong: 0.05, 0.10 or 0.20.",
)
