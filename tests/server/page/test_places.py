"""Places in a file are named on the page as on the command line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from pincite.place_forms import place_to_json
from pincite.places import (
    Box,
    CellPlace,
    ChapterPlace,
    ElementPlace,
    MemberPlace,
    MessagePlace,
    NodePlace,
    NotebookPlace,
    Page,
    PagePlace,
    ParagraphPlace,
    Place,
    SlidePlace,
    TimePlace,
)
from pincite.render.places import place_text
from tests.server.page.conftest import Visit, indexed, served

CELL = CellPlace("Prices", 2, 3, 2, 3, row="Desk  lamp", column="Fee")
PLACES: list[Place] = [
    PagePlace((Page(12, "xii", (Box(0, 0, 1, 1),), 3, 4), Page(13, "13", (), 1, 1, True))),
    PagePlace((Page(1),)),
    CELL,
    replace(CELL, sheet="", right=4, row="", column=""),
    SlidePlace(1, 2, "Out\u202elook", notes=True),
    SlidePlace(3, 3),
    ParagraphPlace(4, 5),
    ParagraphPlace(4, 4, "footnotes", 1, 2, 3),
    ElementPlace("/html/body/p[2]", "fees"),
    ElementPlace("/html/body"),
    NodePlace(""),
    NodePlace("/a/b"),
    NotebookPlace(1, 2, "code"),
    TimePlace(3_723_004, 3_724_000, "Ada"),
    ChapterPlace(2, "Roses", "two.xhtml", ElementPlace("/html/body/p")),
    MessagePlace(2, "attachment", "fees.xlsx", "Fees", "id", CELL),
    MessagePlace(1, "body", "", "Fees", "id"),
    MemberPlace("a/b.pdf", PagePlace((Page(2),))),
]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = indexed(tmp_path_factory.mktemp("folder"), {"a.md": "# A\n\nThis is a note.\n"})
    with served(tmp_path_factory.mktemp("state"), folder=folder) as address:
        yield address


def test_places_of_every_kind_have_the_same_words(visit: Visit) -> None:
    page = visit.open()
    folder = (page.get_attribute("script", "src") or "").removesuffix("app.js")

    said = page.evaluate(
        """async ([folder, places]) => {
          const { placeWords } = await import(`/${folder}places.js`);
          return places.map((place) => placeWords(place, { start: 1, end: 1 }));
        }""",
        [folder, [place_to_json(place) for place in PLACES]],
    )

    assert {type(place) for place in PLACES} == set(Place.__args__)
    assert said == [place_text(place) for place in PLACES]
