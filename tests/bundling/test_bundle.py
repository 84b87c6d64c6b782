"""Bundles: one file with an answer and its evidence, which checks itself in a real browser."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page

from pincite import Answer, Index, Refusal
from pincite.auditing.log import AuditLog
from pincite.bundling import bundle_page, gathered
from pincite.bundling.evidence import warnings_of
from pincite.errors import FolderNotFound
from pincite.recording import Asked, record_answer
from pincite.render import dumps, to_json
from pincite.render.saved import SavedAnswer, read_records
from pincite.verifications import Status

from ..loaders.pdf_files import make_pdf, print_lines

FEES = (
    "# Fees \U0001f600\n\nAn express parcel costs 9.90 euros.\n\n"
    "A standard parcel costs 4.50 euros.\n"
)
TABLE = "Parcel,Fee,Days\nStandard,4.50,3\nOverseas,27.30,9\n"
HOSTILE = (
    'A pilot hat costs 12 euros </script><script>document.title="pwned"</script>'
    '<img src="https://example.org/x.png" onerror="document.title=1"> & &lt;b&gt; it is red.\n'
)
MANUAL = make_pdf(
    [
        print_lines(50, 700, "Lamps", "The lamp weighs 2.4 kg and is blue."),
        print_lines(50, 700, "Cables", "The cable is 12 metres long and white."),
    ]
)
FILES: dict[str, bytes] = {
    "fees.md": FEES.encode(),
    "overseas/table.csv": TABLE.encode(),
    "hats.txt": HOSTILE.encode(),
    "manual.pdf": MANUAL,
}
EXPRESS = "What does an express parcel cost?"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, data in FILES.items():
        file = tmp_path / "documents" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    return tmp_path / "documents"


@pytest.fixture
def index(folder: Path, tmp_path: Path) -> Iterator[Index]:
    with Index.open_or_build(folder, store=tmp_path / "store", lexical=True) as opened:
        yield opened


Asking = Callable[[str], SavedAnswer]


@pytest.fixture
def asked(index: Index) -> Asking:
    """Asks, and gives the record as one that was kept."""

    def ask(question: str) -> SavedAnswer:
        return saved(index.ask(question))

    return ask


def saved(answer: Answer | Refusal) -> SavedAnswer:
    (record,) = read_records(dumps(to_json(answer)).encode(), name="answer.json")
    return record


class Bundle:
    """A bundle opened in a browser from its file."""

    def __init__(self, page: Page, file: Path) -> None:
        self.page = page
        self.requests: list[str] = []
        self.said: list[str] = []
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("console", lambda message: self.said.append(message.text))
        page.on("pageerror", lambda error: self.said.append(str(error)))
        page.goto(file.as_uri())
        self.address = file.as_uri()

    def verify(self, *files: Path) -> str:
        """What is said after the button was pressed."""
        if files:
            self.page.set_input_files("#files", files)
        self.page.get_by_role("button", name="Verify").click()
        self.page.wait_for_selector("#checks li")
        return self.page.inner_text("#outcome")

    def checks(self, kind: str) -> list[str]:
        return self.page.locator(f"#checks li.{kind}").all_inner_texts()


Opening = Callable[..., Bundle]


@pytest.fixture
def opened(browser: Browser, tmp_path: Path) -> Iterator[Opening]:
    """Opens a bundle; `script` is run in the page before its own."""
    contexts = []

    def open_file(html: str, script: str = "") -> Bundle:
        file = tmp_path / f"bundle-{len(contexts)}.html"
        file.write_text(html, "utf-8", newline="\n")
        contexts.append(browser.new_context())
        page = contexts[-1].new_page()
        if script:
            page.add_init_script(script)
        return Bundle(page, file)

    yield open_file
    for context in contexts:
        context.close()


def made(answer: SavedAnswer, root: Path | None, **limits: int) -> str:
    return bundle_page(answer, gathered(answer, root, **limits))


def with_data(html: str, change: Callable[[dict[str, Any]], None]) -> str:
    """The bundle with something else in the data that its check reads."""
    found = re.search(r'id="bundle">(.*?)</script>', html, re.DOTALL)
    assert found is not None
    data = json.loads(found[1])
    change(data)
    return html[: found.start(1)] + dumps(data).replace("<", "\\u003c") + html[found.end(1) :]


def with_record(html: str, change: Callable[[dict[str, Any]], None]) -> str:
    """The bundle with another record, and the hash that is of it."""

    def changed(data: dict[str, Any]) -> None:
        record = json.loads(data["record"])
        change(record)
        data["record"] = dumps(record)
        data["record_sha256"] = hashlib.sha256(data["record"].encode()).hexdigest()

    return with_data(html, changed)


def test_a_bundle_opened_from_its_file_is_valid_and_asks_nothing_of_the_network(
    asked: Asking, folder: Path, opened: Opening
) -> None:
    bundle = opened(made(asked(EXPRESS), folder))
    assert bundle.page.inner_text("#question") == EXPRESS
    assert bundle.page.inner_text("#answer") == "An express parcel costs 9.90 euros."
    assert bundle.page.inner_text("#quote-1-1") == "An express parcel costs 9.90 euros."
    assert bundle.verify().startswith("Valid: all 16 checks that were made passed.")
    claimed, original = bundle.checks("unsure")
    assert claimed.startswith("not checked Quote 1: what only its maker says (When this file was")
    assert original == "not checked fees.md: the original file (it was not chosen)"
    assert bundle.requests == [bundle.address]
    assert bundle.said == []


def test_the_original_file_is_known_by_its_hash_whatever_it_is_called(
    asked: Asking, folder: Path, opened: Opening, tmp_path: Path
) -> None:
    copy = tmp_path / "copy of it"
    copy.write_bytes(FEES.encode())
    bundle = opened(made(asked(EXPRESS), folder))
    assert bundle.verify(copy).startswith("Valid: all 20 checks that were made passed.")
    assert bundle.checks("good")[-4:] == [
        "passed fees.md: copy of it is the file cited, byte for byte",
        "passed Quote 1: its text is the file itself",
        "passed Quote 1: its words stand in the file",
        "passed Quote 1: the text around it in this file is that of the file chosen",
    ]


def test_another_file_of_that_name_is_not_valid(
    asked: Asking, folder: Path, opened: Opening, tmp_path: Path
) -> None:
    other = tmp_path / "fees.md"
    other.write_text(FEES.replace("9.90", "8.90"), "utf-8")
    bundle = opened(made(asked(EXPRESS), folder))
    assert bundle.verify(other).startswith("Not valid: 1 of 17 checks failed.")
    (failed,) = bundle.checks("bad")
    assert failed.startswith("failed fees.md: the file chosen is the one cited")


def said_of_text(data: dict[str, Any]) -> None:
    data["texts"][0]["text"] = data["texts"][0]["text"].replace("9.90", "8.90")


def said_of_other_text(data: dict[str, Any]) -> None:
    data["texts"][0]["text"] = data["texts"][0]["text"].replace("4.50", "4.60")


def said_of_record(data: dict[str, Any]) -> None:
    data["record"] = data["record"].replace("9.90", "8.90")


@pytest.mark.parametrize("change", [said_of_text, said_of_other_text, said_of_record])
def test_what_is_altered_in_the_data_is_not_valid(
    asked: Asking, folder: Path, opened: Opening, change: Callable[[dict[str, Any]], None]
) -> None:
    bundle = opened(with_data(made(asked(EXPRESS), folder), change))
    assert bundle.verify().startswith("Not valid:")


def other_quote(record: dict[str, Any]) -> None:
    record["citations"][0]["quote"]["exact"] = record["text"] = "An express parcel is free."


def other_place(record: dict[str, Any]) -> None:
    position = record["citations"][0]["position"]
    position["start"], position["end"] = position["start"] + 1, position["end"] + 1


def other_context(record: dict[str, Any]) -> None:
    record["citations"][0]["quote"]["prefix"] = "It is not true: "


def other_lines(record: dict[str, Any]) -> None:
    record["citations"][0]["lines"] = {"start": 4, "end": 4}


def other_hash(record: dict[str, Any]) -> None:
    record["citations"][0]["text"]["sha256"] = "0" * 64


def more_words(record: dict[str, Any]) -> None:
    record["text"] += " And it is insured."


def no_citation(record: dict[str, Any]) -> None:
    record["citations"] = []


@pytest.mark.parametrize(
    "change",
    [other_quote, other_place, other_context, other_lines, other_hash, more_words, no_citation],
)
def test_a_record_that_says_something_else_is_not_valid(
    asked: Asking, folder: Path, opened: Opening, change: Callable[[dict[str, Any]], None]
) -> None:
    bundle = opened(with_record(made(asked(EXPRESS), folder), change))
    assert bundle.verify().startswith("Not valid:")


def with_other_price(html: str, *, whole: bool) -> str:
    """The bundle with a price that the document does not say, true in itself as far as can be."""
    other = html.replace("9.90", "8.90")
    old, new = (
        hashlib.sha256(text.encode()).hexdigest() for text in (FEES, FEES.replace("9.90", "8.90"))
    )
    hashes = {}

    def held(data: dict[str, Any]) -> None:
        data["texts"][0]["whole"] = whole
        record = json.loads(data["record"])
        if whole:
            record["citations"][0]["text"]["sha256"] = new
        data["record"] = dumps(record)
        hashes[data["record_sha256"]] = hashlib.sha256(data["record"].encode()).hexdigest()

    other = with_data(other, held)
    if whole:
        other = re.sub(f'(extracted text</dt><dd dir="auto">){old}', rf"\g<1>{new}", other)
    for was, now in hashes.items():
        other = other.replace(was, now)
    return other


@pytest.mark.parametrize("whole", [True, False])
def test_a_quote_that_is_not_in_the_file_chosen_is_never_called_valid(
    asked: Asking, folder: Path, opened: Opening, whole: bool
) -> None:
    bundle = opened(with_other_price(made(asked(EXPRESS), folder), whole=whole))
    told = bundle.verify(folder / "fees.md")
    if whole:
        assert told.startswith("Not proved: Quote 1: that its words are in fees.md.")
    else:
        assert told.startswith("Not valid: 2 of ")
        assert bundle.checks("bad") == [
            'failed Quote 1: its words stand in the file (there is "An express parcel costs 9.90 '
            'euros.")',
            "failed Quote 1: the text around it in this file is that of the file chosen",
        ]


def test_a_part_of_a_text_is_no_proof_without_the_original(
    asked: Asking, folder: Path, opened: Opening
) -> None:
    bundle = opened(with_other_price(made(asked(EXPRESS), folder), whole=False))
    assert bundle.verify().startswith("Not proved: Quote 1: that its words are in fees.md.")


@pytest.mark.parametrize(
    ("selector", "words"),
    [
        ("#answer", "An express parcel costs 8.90 euros."),
        ("#exact-1", "An express parcel costs 8.90 euros."),
        ("#quote-1-1", "An express parcel costs 8.90 euros."),
        ("#question", "What does a parcel cost?"),
    ],
)
def test_words_shown_that_are_not_those_of_the_record_are_not_valid(
    asked: Asking, folder: Path, opened: Opening, selector: str, words: str
) -> None:
    bundle = opened(made(asked(EXPRESS), folder))
    bundle.page.eval_on_selector(selector, "(one, words) => { one.textContent = words }", words)
    assert bundle.verify().startswith("Not valid: 2 of 16")


PATH_SHOWN = "article > .path"
HASH_SHOWN = "article dd:nth-of-type(2)"
AROUND_SHOWN = ".leaf p:last-child"
TITLE_SHOWN = "#h-1 span"
GENERATION_SHOWN = "#h-about ~ details dd:nth-of-type(3)"


@pytest.mark.parametrize(
    "selector", [PATH_SHOWN, HASH_SHOWN, AROUND_SHOWN, TITLE_SHOWN, GENERATION_SHOWN, ".note", ""]
)
def test_whatever_is_shown_otherwise_than_it_is_recorded_or_besides_is_not_valid(
    asked: Asking, folder: Path, opened: Opening, selector: str
) -> None:
    def warned(record: dict[str, Any]) -> None:
        record["citations"][0]["warnings"] = [{"kind": "draft", "words": "A draft."}]

    record = dict(asked(EXPRESS).record)
    warned(record)
    (kept,) = read_records(dumps(record).encode(), name="answer.json")
    bundle = opened(made(kept, folder))
    assert bundle.verify().startswith("Valid: all 16")
    if selector:
        change = "(one) => { one.textContent = one.textContent.replace(/.$/u, 'x') }"
        bundle.page.eval_on_selector(selector, change)
    else:
        added = "(one) => { one.insertAdjacentHTML('beforeend', '<p>It was approved.</p>') }"
        bundle.page.eval_on_selector("article", added)
    assert bundle.verify().startswith("Not valid: 1 of 16")


def test_a_mark_at_another_place_of_the_same_words_is_not_valid(
    asked: Asking, folder: Path, opened: Opening
) -> None:
    bundle = opened(made(asked(EXPRESS), folder))
    bundle.page.eval_on_selector("#quote-1-1", "(one) => one.closest('.leaf').append(one)")
    assert bundle.verify().startswith("Not valid: 1 of 16")


def test_what_its_maker_says_is_named_in_their_words(
    asked: Asking, folder: Path, opened: Opening
) -> None:
    bundle = opened(made(asked(EXPRESS), folder))
    bundle.page.eval_on_selector(".state", "(one) => { one.textContent = 'Approved by all.' }")
    bundle.verify()
    told = "not checked Quote 1: what only its maker says (Approved by all.)"
    assert told in bundle.checks("unsure")


def test_data_that_cannot_be_read_is_not_valid(
    asked: Asking, folder: Path, opened: Opening
) -> None:
    bundle = opened(made(asked(EXPRESS), folder))
    bundle.page.eval_on_selector("#bundle", "(one) => { one.textContent = '{' }")
    assert bundle.verify().startswith("Not valid: 1 of 1")


def test_it_is_valid_too_where_a_browser_keeps_its_own_hashing_from_files(
    asked: Asking, folder: Path, opened: Opening
) -> None:
    script = "Object.defineProperty(globalThis, 'crypto', { value: undefined })"
    bundle = opened(made(asked(EXPRESS), folder), script)
    assert bundle.page.evaluate("typeof crypto") == "undefined"
    assert bundle.verify().startswith("Valid: all 16")


@pytest.mark.parametrize(
    "text",
    ["", "abc", "\U0001f600 é \u20ac", "a" * 55, "a" * 56, "a" * 63, "a" * 64, "b" * 119, "b" * 120,
     "c" * 100_000],
)  # fmt: skip
def test_the_hashes_it_makes_are_those_of_the_standard(
    asked: Asking, folder: Path, opened: Opening, text: str
) -> None:
    bundle = opened(made(asked(EXPRESS), folder))
    made_here = bundle.page.evaluate("(text) => sha256Here(utf8(text))", text)
    assert made_here == hashlib.sha256(text.encode()).hexdigest()


def test_half_a_surrogate_pair_is_hashed_as_the_format_says(
    asked: Asking, folder: Path, opened: Opening
) -> None:
    bundle = opened(made(asked(EXPRESS), folder))
    made_here = bundle.page.evaluate("() => sha256Here(utf8('a\\ud800b'))")
    assert made_here == hashlib.sha256("a\ud800b".encode("utf-8", "surrogatepass")).hexdigest()


def test_a_document_cannot_act_in_a_bundle(asked: Asking, folder: Path, opened: Opening) -> None:
    bundle = opened(made(asked("What does a pilot hat cost?"), folder))
    assert bundle.verify().startswith("Valid:")
    assert bundle.page.title() == "What does a pilot hat cost?"
    assert bundle.page.locator("img").count() == 0
    assert bundle.page.locator("script").count() == 2
    assert HOSTILE.strip() in bundle.page.locator(".leaf").inner_text()
    assert bundle.requests == [bundle.address]


def test_its_policy_lets_no_script_but_its_own_act_and_no_address_be_asked(
    asked: Asking, folder: Path, opened: Opening
) -> None:
    html = made(asked(EXPRESS), folder)
    html = html.replace(
        "</main>", '<script>document.title="acted"</script><img src="x.png"></main>'
    )
    bundle = opened(html)
    assert bundle.page.title() == EXPRESS
    failed = bundle.page.evaluate(
        "fetch('https://example.org/').then(() => 'sent', () => 'kept back')"
    )
    assert failed == "kept back"
    assert len(bundle.said) >= 3


def test_the_cell_that_is_quoted_is_marked_in_its_table(
    asked: Asking, folder: Path, opened: Opening
) -> None:
    bundle = opened(made(asked("What is the fee for an overseas parcel?"), folder))
    assert bundle.verify().startswith("Valid:")
    heads = bundle.page.locator(".leaf th")
    assert heads.count() == 3
    # What only parts the cells is there for the text, and not seen.
    bars = heads.locator(".aside")
    assert [box["width"] for box in map(Locator.bounding_box, bars.all()) if box] == [1, 1]
    row = bundle.page.locator("td.marked")
    assert [re.sub(r"\s", "", mark) for mark in row.locator("> mark").all_inner_texts()] == [
        "Overseas",
        "27.30",
        "9",
    ]


def test_a_quote_of_a_pdf_file_is_shown_in_the_picture_of_its_page(
    asked: Asking, folder: Path, opened: Opening
) -> None:
    bundle = opened(made(asked("How long is the cable?"), folder))
    assert bundle.page.inner_text("figcaption") == "Page 2"
    picture = bundle.page.locator(".sheet img")
    assert picture.evaluate("(one) => one.decode().then(() => one.naturalWidth)") == 1_000
    sheet = picture.bounding_box()
    box = bundle.page.locator(".boxes rect").bounding_box()
    assert sheet is not None
    assert box is not None
    # Printed at 50 of 600 points from the left and about 112 of 800 from the top.
    assert (box["x"] - sheet["x"]) / sheet["width"] == pytest.approx(50 / 600, abs=0.01)
    middle = box["y"] + box["height"] / 2 - sheet["y"]
    assert middle / sheet["height"] == pytest.approx(110 / 800, abs=0.01)
    told = "Not proved: Quote 1: that its words are in manual.pdf. But all 17 checks"
    assert bundle.verify(folder / "manual.pdf").startswith(told)
    claimed, unsure = bundle.checks("unsure")
    assert "manual.pdf page 2" in claimed
    assert "(how its text is made of the file is not done again here" in unsure


def test_of_a_long_text_the_passages_are_held_and_it_is_said_what_cannot_be_checked(
    asked: Asking, folder: Path, opened: Opening
) -> None:
    bundle = opened(made(asked(EXPRESS), folder, text_limit=10))
    told = "Not proved: Quote 1: that its words are in fees.md. But all 14 checks"
    assert bundle.verify().startswith(told)
    assert bundle.checks("unsure")[0].startswith("not checked Quote 1: the hash of the whole text")


def test_without_the_folder_it_is_what_the_record_says(
    asked: Asking, folder: Path, opened: Opening
) -> None:
    answer = asked(EXPRESS)
    (evidence,) = gathered(answer, None)
    assert evidence.verification is None
    assert evidence.held.from_record
    bundle = opened(bundle_page(answer, [evidence]))
    assert bundle.page.inner_text("#quote-1-1") == "An express parcel costs 9.90 euros."
    assert bundle.verify().startswith("Not proved: Quote 1: that its words are in fees.md.")
    assert "only what the record says" in bundle.checks("unsure")[0]


def test_a_citation_without_the_passage_is_shown_by_the_words_beside_it(
    asked: Asking, folder: Path, opened: Opening
) -> None:
    record = dict(asked(EXPRESS).record)
    citation = record["citations"][0]
    (alone,) = read_records(json.dumps(citation).encode(), name="citation.json")
    bundle = opened(made(alone, None))
    assert bundle.page.inner_text("#quote-1-1") == "An express parcel costs 9.90 euros."
    assert bundle.verify().startswith("Not proved: Quote 1:")


def test_a_document_that_changed_is_warned_of_and_shown_as_it_was_cited(
    asked: Asking, folder: Path, opened: Opening
) -> None:
    answer = asked(EXPRESS)
    (folder / "fees.md").write_text(FEES.replace("9.90", "11.90"), "utf-8")
    evidence = gathered(answer, folder)
    assert warnings_of(evidence) == [
        "quote 1 of fees.md is changed: the document says something else now"
    ]
    bundle = opened(bundle_page(answer, evidence))
    state = bundle.page.inner_text(".state.broken")
    assert "changed" in state
    assert "An express parcel costs 11.90 euros." in state
    assert "9.90" in bundle.page.inner_text(".leaf")
    assert "11.90" not in bundle.page.inner_text(".leaf")


def test_a_document_that_changed_elsewhere_is_told(asked: Asking, folder: Path) -> None:
    answer = asked(EXPRESS)
    (folder / "fees.md").write_text(FEES + "\nMore.\n", "utf-8")
    (evidence,) = gathered(answer, folder)
    assert evidence.verification is not None
    assert evidence.verification.status is Status.VALID
    (warning,) = warnings_of([evidence])
    assert warning.startswith("fees.md was changed elsewhere since")


def test_what_the_document_warns_of_since_is_shown(
    asked: Asking, folder: Path, opened: Opening
) -> None:
    answer = asked(EXPRESS)
    limited = FEES.replace("euros.\n\nA", "euros. This does not apply to <b>boxes</b>.\n\nA", 1)
    (folder / "fees.md").write_text(limited, "utf-8")
    bundle = opened(bundle_page(answer, gathered(answer, folder)))
    state = bundle.page.inner_text(".state.holds")
    assert state.count("It warns now: but: This does not apply to <b>boxes</b>.") == 1


def test_a_document_that_is_gone_is_told(asked: Asking, folder: Path) -> None:
    answer = asked(EXPRESS)
    (folder / "fees.md").unlink()
    (warning,) = warnings_of(gathered(answer, folder))
    assert warning.startswith("quote 1 of fees.md is gone:")
    with pytest.raises(FolderNotFound):
        gathered(answer, folder / "none")


def test_a_refusal_shows_what_was_nearest_and_cites_nothing(
    asked: Asking, folder: Path, opened: Opening
) -> None:
    bundle = opened(made(asked("Which colour has the parcel for the mayor of Berlin?"), folder))
    assert bundle.page.get_by_role("heading", name="Refused").count() == 1
    assert bundle.verify() == "Valid: all 9 checks that were made passed."
    assert bundle.page.locator("article").count() == 0
    near = bundle.page.get_by_role("region", name="Nearest, and no answer")
    assert "fees.md" in near.inner_text()


def test_an_entry_of_an_audit_log_is_checked_with_the_record(
    index: Index, folder: Path, opened: Opening, tmp_path: Path
) -> None:
    answer = index.ask(EXPRESS)
    log = AuditLog(tmp_path / "log")
    record_answer(log, index, answer, Asked(lexical=True), caller="anna")
    (line,) = log.lines()
    record = saved(answer)
    html = bundle_page(record, gathered(record, folder), line)
    bundle = opened(html)
    assert bundle.verify().startswith("Valid: all 19")
    assert line.entry.sha256 in bundle.page.content()
    other_caller = html.replace('\\"caller\\":\\"anna\\"', '\\"caller\\":\\"otto\\"')
    assert other_caller != html
    assert opened(other_caller).verify().startswith("Not valid: 1 of 19")
    other_time = html.replace('\\"sequence\\":1', '\\"sequence\\":2')
    assert other_time != html
    assert opened(other_time).verify().startswith("Not valid: 2 of 19")
    other_entry = html.replace(f">{line.entry.time}</dd>", ">2020-01-01T00:00:00Z</dd>")
    assert other_entry != html
    assert opened(other_entry).verify().startswith("Not valid: 1 of 19")


def test_the_same_answer_gives_the_same_bytes(asked: Asking, folder: Path) -> None:
    answer = asked("How long is the cable?")
    assert made(answer, folder) == made(answer, folder)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_can_be_used_by_keyboard_and_by_those_who_do_not_see_it(
    asked: Asking, folder: Path, opened: Opening, scheme: str
) -> None:
    from axe_playwright_python.sync_playwright import Axe

    bundle = opened(made(asked(EXPRESS), folder))
    bundle.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    bundle.page.focus("#files")
    bundle.page.keyboard.press("Tab")
    bundle.page.keyboard.press("Enter")
    bundle.page.wait_for_selector("#checks li")
    # As a bookmark would: the policy of the page lets no script in.
    found = Axe().run(bundle.page)
    assert [one["id"] for one in found.response["violations"]] == []
