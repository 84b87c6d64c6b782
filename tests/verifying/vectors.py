"""The test vectors of docs/citation-format.md: `python -m tests.verifying.vectors` writes them.

What has to come out is stated here by hand; only hashes and offsets are computed.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from pincite.loaders import document_of_text
from pincite.places import NodePlace
from pincite.records import Citation, Document, Lines, Quote, Role, Span
from pincite.render.record import citation_to_json
from pincite.verifying.checking import lines_of

FILE = Path(__file__).parent.parent.parent / "docs" / "citation-vectors.json"

SAME = [
    ("a line wrap is a space", "You may return it", "You may\n    return it."),
    ("a hyphen at a line end is none", "example text", "An exam-\nple text."),
    ("a hyphen at a line end is one", "well-known", "a well-\nknown lamp"),
    ("a wrap became a space", "exam- ple", "An exam-\nple."),
    ("a soft hyphen is none", "example", "An exam\u00adple."),
    ("a code wraps after its hyphen", "COVID-19", "of COVID-\n19 cases"),
    ("a ligature", "final office", "the \ufb01nal o\ufb03ce"),
    ("a no-break space", "10 000", "costs 10\u00a0000 a year"),
    ("a zero-width space", "database", "the data\u200bbase"),
    ("typographic quotation marks", '"It\'s new"', "\u201cIt\u2019s new\u201d"),
    ("dashes", "a - b, 3-5", "a \u2013 b, 3\u20135"),
    ("a minus sign", "-5 degrees", "at \u22125 degrees"),
    ("an accent written apart", "caf\u00e9", "the cafe\u0301 here"),
    ("a line wrap in Japanese", "東京都庁", "これは東京\n都庁です。"),
    ("a whole amount at the end", "It costs $500", "It costs $500."),
    ("a number with the unit", "50 EUR", "Late fee: 50 EUR."),
    ("under a heading", "5 EUR a day", "## Not covered\n\n5 EUR a day is the fee."),
    ("behind a list marker", "5 apples", "- 5 apples"),
    ("in a narrow cell", "50 EUR", "|Fee|50 EUR|"),
    ("behind an arrow", "50 EUR", "Fee \u2192 50 EUR"),
    ("within directions that are not seen", "50 EUR", "Fee \u202a50 EUR\u202c."),
]
NOT_THE_SAME = [
    ("a number in a longer number", "Late fee is 50", "Late fee is 500 EUR"),
    ("a number without its unit", "Late fee is 50", "Late fee is 50 EUR"),
    ("a number without its per cent", "a share of 50", "a share of 50 %"),
    ("a number without its group", "costs 10", "costs 10 000 EUR"),
    ("a number without its decimals", "costs 1", "costs 1.50"),
    ("a number without its sign", "5 degrees", "at \u22125 degrees"),
    ("an amount without its sign", "$500", "a loss of -\u20ac$500"),
    ("an amount without its country", "$500", "US$500"),
    ("an amount in brackets, which is negative", "500", "net (500)"),
    ("a number without what compares it", "30 days", "at least 30 days"),
    ("a page in another", "page 1", "see page 12"),
    ("a section in its part", "Section 5", "Section 5(a)"),
    ("a part of a range", "10", "pages 5-10"),
    ("can in cannot", "can pay", "You cannot pay"),
    ("can in can't", "You can", "You can't"),
    ("a word in its compound", "refundable", "non-refundable"),
    ("a word in another", "not pay late", "cannot pay late"),
    ("a letter in a word", "e", "the lamp"),
    ("a hyphen inside a line", "resign", "to re-sign it"),
    ("other case", "may", "in May"),
    ("another decimal separator", "1.5", "1,5"),
    ("an accent", "cafe", "the caf\u00e9"),
    ("a long dash is no sign", "at -5", "at \u20145"),
    ("no word at all", "...", "and ..."),
    ("an amount without the least of its range", "10 days.", "between 5 and 10 days."),
    ("the most of a range", "10 days.", "5 to 10 days."),
    ("a number in words without what compares it", "five years", "at least five years"),
    ("the least of a range", "Wait 5", "Wait 5 to 10 days."),
    ("a number without its minimum", "5 days", "a minimum of 5 days"),
    ("wide digits of two numbers", "１５日", "問１ ５日"),
    ("a word without its vowel sign", "पाँच दिन", "पाँच दिनों में"),
    ("a number that is struck out", "50", "pay 50\u20e0 now"),
    ("a wide per cent", "割引は50", "割引は50％です"),
    ("an Arabic per cent", "50", "50\u066a"),
    ("a wide sign", "5", "気温は\uff0b5"),
    ("a wide sign that compares", "5", "x\uff1e5"),
    ("a sign of mathematics", "5", "about \u22725"),
    ("a root", "5", "\u221a5"),
    ("an Arabic decimal separator", "5", "5\u066b3"),
    ("a wide group", "costs 5", "costs 5\uff0c000"),
    ("a wide decimal separator", "costs 5", "costs 5\uff0e3"),
    ("a decimal point in the middle", "costs 5", "costs 5\u00b73"),
    ("a fraction", "10", "10\u20443"),
    ("a word behind a joiner that is not seen", "pay", "pay\u200dable"),
    ("a digit behind a direction that is not seen", "costs 5", "costs 5\u202c0"),
]

TERMS = """\
# Terms

## Orders

You may return a lamp within 45 days. After that we repair it.

A refund takes 5 working days. It goes to the card that you paid with.

## Express orders

A refund takes 5 working days. Express fees are not refunded.

Gift cards are valid for 5 years unless the law says otherwise.
"""
SHIPPING = "# Sale\n\n## EU\n\nDelivery is free.\n\n## US\n\nDelivery is free.\n"
RETURN = "You may return a lamp within 45 days."
REFUND = "A refund takes 5 working days."
CARDS = "Gift cards are valid for 5 years unless the law says otherwise."

CITED: list[tuple[str, str, int, str, str]] = [
    # What is cited, the how manyth of its like, the text now, the status.
    ("nothing changed", RETURN, 0, TERMS, "valid"),
    ("the second of two equal sentences", REFUND, 1, TERMS, "valid"),
    (
        "something changed behind it",
        RETURN,
        0,
        TERMS.replace("Express fees are", "Fees are"),
        "valid",
    ),
    ("the sentence behind it changed", RETURN, 0, TERMS.replace("After that", "Later"), "valid"),
    (
        "something came before it",
        RETURN,
        0,
        "Of 2026.\n\n" + TERMS,
        "moved",
    ),
    (
        "wrapped otherwise, further up",
        CARDS,
        0,
        TERMS.replace("# Terms\n\n", "").replace("for 5 years ", "for\n5\u00a0years "),
        "moved",
    ),
    ("another number", RETURN, 0, TERMS.replace("45", "30"), "changed"),
    ("one digit more", RETURN, 0, TERMS.replace("45", "450"), "changed"),
    ("a negation", RETURN, 0, TERMS.replace("You may", "You may not"), "changed"),
    ("another modal", RETURN, 0, TERMS.replace("You may", "You must"), "changed"),
    ("another unit", REFUND, 0, TERMS.replace("5 working days", "5 working weeks"), "changed"),
    (
        "of two equal sentences the one cited",
        REFUND,
        0,
        TERMS.replace("5 working", "7 working", 1),
        "changed",
    ),
    (
        "of two equal sentences the other one",
        REFUND,
        1,
        TERMS.replace("5 working", "7 working", 1),
        "valid",
    ),
    (
        "an exception came to it",
        RETURN,
        0,
        TERMS.replace("45 days.", "45 days unless used."),
        "changed",
    ),
    ("its paragraph went", CARDS, 0, TERMS[: TERMS.index(CARDS)].rstrip() + "\n", "gone"),
    ("another text", CARDS, 0, "Nothing of the kind.\n", "gone"),
    ("an empty text", CARDS, 0, "", "gone"),
    (
        "its paragraph moved",
        CARDS,
        0,
        CARDS + "\n\n" + TERMS[: TERMS.index(CARDS)],
        "moved",
    ),
]
FORGED: list[tuple[str, str, int, str]] = [
    # A part of a sentence of the text as it is, cited with everything else right.
    ("cut before its exception", "Gift cards are valid for 5 years", 0, "changed"),
    ("cut out of a word", "turn a lamp within 45 days.", 0, "changed"),
    ("cut behind a digit", "5 days.", 0, "changed"),
    ("cut from its number", "years unless the law says otherwise.", 0, "valid"),
]
CUT = [
    # What is cited, and the text it is cut from, which denies or limits it: each is changed.
    ("a denial in italics", "use the lamp in water.", "Do _not_ use the lamp in water."),
    ("a denial in bold", "use the lamp in water.", "Do __not__ use the lamp in water."),
    ("a limit in italics", "Returns are free", "Returns are free _unless_ used."),
    ("a limit half in bold", "Returns are free", "Returns are free un**less** used."),
    (
        "a limit with a hyphen at the line end",
        "Returns are free",
        "Returns are free un-\nless used.",
    ),
    ("a limit with a soft hyphen", "Returns are free", "Returns are free un\u00adless used."),
    ("a limit with a zero-width space", "Returns are free", "Returns are free un\u200bless used."),
    ("a limit in brackets", "Returns are free", "Returns are free\n(unless used)."),
    ("a limit in a line of its own", "Returns are free", "Returns are free\nUnless used."),
    (
        "a limit in bold in a line of its own",
        "Returns are free",
        "Returns are free\n**unless** used.",
    ),
    ("a limit behind a semicolon", "Returns are free", "Returns are free;\nunless used."),
    ("a limit behind a colon", "Returns are free", "Returns are free:\nunless used."),
    (
        "a limit behind another kind of line end",
        "Returns are free",
        "Returns are free\r\nunless used.",
    ),
    ("not counting", "It is free", "It is free, not counting parts."),
    ("barring", "It is free", "It is free, barring misuse."),
    ("never", "It is open", "It is open never in May."),
    ("in no case", "Costs are paid", "Costs are paid in no case."),
    ("to nobody", "We lend lamps", "We lend lamps to nobody."),
    ("save in", "It is open", "It is open, save in May."),
    ("prohibited", "use the lamp.", "It is prohibited to use the lamp."),
    ("forbidden", "use the lamp.", "It is forbidden to use the lamp."),
    ("impossible", "use the lamp.", "It is impossible to use the lamp."),
]


def document(text: str) -> Document:
    """A Markdown document with this text."""
    return document_of_text(text, name="terms.md")


def citation_of(words: str, text: str, *, number: int = 0) -> Citation:
    """The citation of the words in a document with this text; `number` counts equal ones from 0."""
    start = -1
    for _ in range(number + 1):
        start = text.index(words, start + 1)
    end = start + len(words)
    source = document(text)
    return Citation(
        role=Role.ANSWER,
        document=replace(source.source, modified="2026-01-02T03:04:05Z"),
        text=source.extraction,
        quote=Quote(words, text[max(0, start - 32) : start], text[end : end + 32]),
        position=Span(start, end),
        lines=lines_of(text, Span(start, end)),
        pages=(),
        place=None,
        heading_path=(),
        score=1.0,
    )


def cases() -> list[tuple[str, Citation, str, str]]:
    """Name, citation, text of the document now, and the status."""
    cited = [
        (name, citation_of(words, TERMS, number=number), text, status)
        for name, words, number, text, status in CITED
    ]
    forged = [
        (name, citation_of(words, TERMS, number=number), TERMS, status)
        for name, words, number, status in FORGED
    ]
    cut = [(name, citation_of(words, text), text, "changed") for name, words, text in CUT]
    right = citation_of(RETURN, TERMS)
    false = replace(right.quote, exact=RETURN.replace("45", "54"))
    beside = replace(right.quote, prefix="## Returns\n\n")
    elsewhere = Span(right.position.start + 2, right.position.end + 2)
    last = citation_of(CARDS, TERMS.rstrip())
    endless = Span(right.position.start, 10**30)
    return [
        *cited,
        *forged,
        *cut,
        ("other words in the record", replace(right, quote=false), TERMS, "changed"),
        ("another context in the record", replace(right, quote=beside), TERMS, "changed"),
        (
            "under another heading now",
            replace(citation_of("Delivery is free.", SHIPPING), heading_path=("Sale", "EU")),
            SHIPPING.replace("## EU\n\nDelivery is free.\n\n", ""),
            "moved",
        ),
        ("another position in the record", replace(right, position=elsewhere), TERMS, "moved"),
        (
            "a position that ends behind the text",
            replace(right, position=endless),
            TERMS,
            "moved",
        ),
        (
            "the last words, and a position that ends behind the text",
            replace(last, position=Span(last.position.start, last.position.end + 5)),
            TERMS.rstrip(),
            "moved",
        ),
        (
            "other words, and a position that ends behind the text",
            replace(right, quote=false, position=endless),
            TERMS,
            "changed",
        ),
        (
            "another line in the record",
            replace(right, lines=Lines(right.lines.start + 1, right.lines.end + 1)),
            TERMS,
            "moved",
        ),
        (
            "a heading, under the one that it is, in a text that changed below",
            replace(citation_of("## US", SHIPPING), heading_path=("Sale", "US")),
            SHIPPING + "More.\n",
            "valid",
        ),
        (
            "a page in the record of a file without pages",
            replace(right, pages=(3,)),
            TERMS,
            "moved",
        ),
        (
            "a place in the record of a file without places",
            replace(right, place=NodePlace("/b")),
            TERMS,
            "moved",
        ),
        (
            "its headings in the record",
            replace(right, heading_path=("Terms", "Orders")),
            TERMS,
            "valid",
        ),
        (
            "a heading in the record that there is not",
            replace(right, heading_path=("Terms", "Orders of gold customers")),
            TERMS,
            "changed",
        ),
    ]


def vectors() -> dict[str, Any]:
    """All of them as published; positions are where the words, or what stands for them, are now."""
    from pincite.verifying.checking import verify
    from pincite.verifying.matching import occurrences

    matching = []
    for same, group in ((True, SAME), (False, NOT_THE_SAME)):
        for name, quote, text in group:
            places = [[span.start, span.end] for span in occurrences(quote, text)]
            assert bool(places) == same, name
            matching.append({"name": name, "quote": quote, "text": text, "places": places})
    citations = []
    for name, citation, text, status in cases():
        found = verify(citation, document(text))
        assert found.status.value == status, (name, found)
        place = found.position
        citations.append(
            {
                "name": name,
                "citation": citation_to_json(citation),
                "text": text,
                "status": status,
                "position": None if place is None else {"start": place.start, "end": place.end},
            }
        )
    right = citation_to_json(citation_of(RETURN, TERMS))
    said, again = (citation_to_json(citation_of(REFUND, TERMS, number=n)) for n in (0, 1))
    also = {"role": "also"}
    records = [
        {
            "name": name,
            "record": {"status": status, "text": text, "citations": cited},
            "holds": holds,
        }
        for name, status, text, cited, holds in (
            ("an answer in the words of its citation", "answered", RETURN, [right], True),
            ("an answer in other words", "answered", "You may not return it.", [right], False),
            ("an answer without citations", "answered", RETURN, [], False),
            ("a refusal", "refused", "", [], True),
            ("the same words said again", "answered", REFUND, [said, {**again, **also}], True),
            ("other words said again", "answered", REFUND, [said, {**right, **also}], False),
            ("words said again of no others", "answered", "", [{**right, **also}], False),
        )
    ]
    differing = [named(0, right), named(1, said)]
    for name, documents, holds in (
        ("documents that differ in words that are cited", differing, True),
        ("documents that differ in other words", [differing[0], named(0, said)], False),
        ("documents that differ in words of no citation", [differing[0], named(9, said)], False),
        ("a part of words that are cited", [differing[0], named(None, said)], True),
    ):
        conflicts = [{"kind": "amount", "documents": documents}]
        whole = answered(f"{RETURN}\n\n{REFUND}", [right, said])
        record = {key: whole[key] for key in ("status", "text", "citations")}
        records.append({"name": name, "record": {**record, "conflicts": conflicts}, "holds": holds})
    return {
        "version": "1",
        "matching": matching,
        "citations": citations,
        "records": records,
        "unreadable": unreadable(answered(RETURN, [right])),
    }


def named(number: int | None, citation: dict[str, Any]) -> dict[str, Any]:
    """A document that differs, as a record names it."""
    return {
        "path": citation["document"]["path"],
        "date": "",
        "quote": citation["quote"]["exact"],
        "citation": number,
    }


def answered(text: str, citations: list[dict[str, Any]]) -> dict[str, Any]:
    """What has to be in the record of an answer."""
    return {
        "schema": "pincite.answer/1",
        "question": "What?",
        "status": "answered",
        "text": text,
        "citations": citations,
    }


def unreadable(record: dict[str, Any]) -> list[dict[str, str]]:
    """What is no whole record, as JSON or what is none: of none is any citation looked at."""
    whole = json.dumps(record)
    found = [
        {"name": "nothing", "json": ""},
        {"name": "a record cut off", "json": whole[:-9]},
        {"name": "a later version", "json": whole.replace("answer/1", "answer/2")},
        {"name": "a name twice", "json": whole.replace("{", '{"text": "", ', 1)},
        {
            "name": "a number that JSON has not",
            "json": whole.replace('"score": 1.0', '"score": NaN'),
        },
        {"name": "a number without end", "json": whole.replace('"score": 1.0', '"score": 1e999')},
        {"name": "nested without end", "json": "[" * 5_000},
        {"name": "a list", "json": f"[{whole}]"},
    ]
    citation = record["citations"][0]
    paths = [(), ("document",), ("text",), ("quote",), ("position",), ("lines",)]
    for path in paths:
        inner = citation[path[0]] if path else citation
        for name in inner:
            for what, value in (("without", None), ("with another kind of", {"no": 1})):
                changed = {key: one for key, one in inner.items() if key != name}
                if value is not None:
                    changed[name] = value
                cited = {**citation, path[0]: changed} if path else changed
                said = ".".join((*path, name))
                given = json.dumps({**record, "citations": [cited]})
                found.append({"name": f"{what} {said}", "json": given})
    for name, place in (
        ("a place of no kind", {"kind": "nowhere"}),
        ("a place without its fields", {"kind": "cells"}),
        ("a place with another kind of field", {"kind": "nodes", "path": 3}),
        ("a place on no page", {"kind": "pages", "pages": []}),
        ("a place inside of none", {"kind": "member", "path": "a", "within": {}}),
    ):
        given = json.dumps({**record, "citations": [{**citation, "place": place}]})
        found.append({"name": name, "json": given})
    return found


if __name__ == "__main__":
    FILE.write_text(json.dumps(vectors(), indent=1, ensure_ascii=True) + "\n", "utf-8")
