"""The service without HTTP: who asks is told what is theirs, of the collection that knows best."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pincite import Answer, Index, Refusal, Turn
from pincite.auditing.log import AuditLog
from pincite.server.access import LOCAL, Caller, DocumentRule, Right
from pincite.server.collections import Collections
from pincite.server.errors import Changed, NotAllowed, NotAsked, NotKept, NotReady, NotThere
from pincite.server.journal import Journal
from pincite.server.service import Service
from pincite.server.settings import Limits, NamedFolder
from pincite.server.unanswered import normalised
from pincite.verifications import Status
from tests.server.small import QUESTION, QUOTE, RETURNS, UNANSWERED, indexed


@contextmanager
def serving(log: Path | None = None, **folders: Path) -> Iterator[Service]:
    named = tuple(NamedFolder(name, folder) for name, folder in folders.items())
    journal = Journal(AuditLog(log), keep_documents=False, lexical=True) if log else None
    with Collections(named, lexical=True) as collections:
        collections.open(renew=False)
        yield Service(collections, journal=journal)


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return indexed(tmp_path / "shop", {"returns.md": RETURNS})


@pytest.fixture
def office(tmp_path: Path) -> Path:
    return indexed(
        tmp_path / "office",
        {"travel.md": "A journey is paid within 20 days.\n", "pay/bonus.md": "A bonus is 900.\n"},
    )


def test_of_several_collections_the_one_that_answers_is_given(shop: Path, office: Path) -> None:
    with serving(shop=shop, office=office) as service:
        reply = service.ask(LOCAL, QUESTION)
    assert (reply.collection, reply.result.text) == ("shop", QUOTE)


def test_of_collections_that_are_equally_sure_the_first_name_is_given(
    tmp_path: Path, shop: Path
) -> None:
    same = indexed(tmp_path / "same", {"returns.md": RETURNS})
    with serving(shop=shop, again=same) as service:
        assert service.ask(LOCAL, QUESTION).collection == "again"


def test_the_answer_is_that_of_the_index(shop: Path) -> None:
    history = [Turn("user", "Can I return a lamp?")]
    with serving(shop=shop) as service, Index.open(shop, lexical=True) as index:
        for question in (QUESTION, UNANSWERED):
            assert service.ask(LOCAL, question).result == index.ask(question)
        followed = service.ask(LOCAL, "Within how many days?", history=history).result
        assert followed == index.ask("Within how many days?", history=history)


def test_each_collection_is_told_when_it_is_asked(shop: Path, office: Path) -> None:
    told: list[str] = []
    with serving(shop=shop, office=office) as service:
        service.ask(LOCAL, QUESTION, asking=told.append)
    assert told == ["office", "shop"]


def test_a_document_is_asked_where_it_is(shop: Path, office: Path) -> None:
    with serving(shop=shop, office=office) as service:
        reply = service.ask(LOCAL, "When is a journey paid?", document="travel.md")
        with pytest.raises(NotThere, match=r"no document 'other\.md' in any collection"):
            service.ask(LOCAL, QUESTION, document="other.md")
        with pytest.raises(NotThere, match=r"no document 'travel\.md' in the collection 'shop'"):
            service.ask(LOCAL, QUESTION, collection="shop", document="travel.md")
    assert isinstance(reply.result, Answer)
    assert reply.collection == "office"


def test_a_document_of_two_collections_needs_the_name_of_one(tmp_path: Path, shop: Path) -> None:
    same = indexed(tmp_path / "same", {"returns.md": RETURNS})
    with serving(shop=shop, again=same) as service:
        with pytest.raises(NotAsked, match=r"'returns\.md' is in again, shop: name the collection"):
            service.ask(LOCAL, QUESTION, document="returns.md")
        named = service.ask(LOCAL, QUESTION, collection="shop", document="returns.md")
    assert named.collection == "shop"


def test_a_document_is_named_as_it_is_listed_and_in_no_other_way(shop: Path) -> None:
    with serving(shop=shop) as service:
        for path in (str(shop / "returns.md"), "./returns.md", "../shop/returns.md", ""):
            with pytest.raises(NotThere):
                service.ask(LOCAL, QUESTION, document=path)
            with pytest.raises(NotThere):
                service.original(LOCAL, "shop", path)


def test_a_question_is_not_longer_than_the_limits(shop: Path) -> None:
    limits = Limits(question_characters=20, history_turns=1, history_characters=10)
    with Collections((NamedFolder("shop", shop),), lexical=True) as collections:
        collections.open(renew=False)
        service = Service(collections, limits=limits)
        with pytest.raises(NotAsked, match="21 characters, and 20 are taken"):
            service.ask(LOCAL, "x" * 21)
        with pytest.raises(NotAsked, match="2 earlier turns, and 1 are taken"):
            service.ask(LOCAL, "Which?", history=[Turn("user", "a"), Turn("user", "b")])
        with pytest.raises(NotAsked, match="more than 10 characters"):
            service.ask(LOCAL, "Which?", history=[Turn("user", "a" * 11)])
        with pytest.raises(NotAsked, match="the question is empty"):
            service.ask(LOCAL, " \n")


def test_a_folder_without_an_index_is_not_ready_and_does_not_stop_the_others(
    tmp_path: Path, shop: Path
) -> None:
    (tmp_path / "new").mkdir()
    with serving(shop=shop, new=tmp_path / "new") as service:
        assert service.ask(LOCAL, QUESTION).collection == "shop"
        with pytest.raises(NotReady, match="'new' is not indexed yet"):
            service.ask(LOCAL, QUESTION, collection="new")


def test_each_right_opens_its_own_doors(shop: Path, tmp_path: Path) -> None:
    doors = {
        Right.ASK: lambda service, caller: service.ask(caller, QUESTION),
        Right.READ: lambda service, caller: service.text(caller, "shop", "returns.md"),
        Right.INDEX: lambda service, caller: service.unanswered(caller),
        Right.ADMIN: lambda service, caller: service.entries(caller),
    }
    with serving(tmp_path / "log", shop=shop) as service:
        for right in Right:
            caller = Caller("anna", frozenset({right}), (DocumentRule(),))
            for needed, enter in doors.items():
                if needed is right:
                    enter(service, caller)
                else:
                    with pytest.raises(NotAllowed, match=f"needs the right '{needed.value}'"):
                        enter(service, caller)


def test_the_log_is_for_those_who_see_every_document(office: Path, tmp_path: Path) -> None:
    rules = (DocumentRule(but=("pay/",)),)
    with (
        serving(tmp_path / "log", office=office) as service,
        pytest.raises(NotAllowed, match="every document of every collection"),
    ):
        service.entries(Caller("anna", frozenset(Right), rules))


def test_a_file_that_changed_is_not_given_as_the_one_that_was_indexed(shop: Path) -> None:
    with serving(shop=shop) as service:
        with service.original(LOCAL, "shop", "returns.md").file as file:
            assert file.read() == RETURNS.encode()
        (shop / "returns.md").write_text("Something else.\n")
        with pytest.raises(Changed):
            service.original(LOCAL, "shop", "returns.md")
        (shop / "returns.md").unlink()
        (shop / "returns.md").symlink_to("/etc/passwd")
        with pytest.raises(Changed):
            service.original(LOCAL, "shop", "returns.md")


def test_a_page_of_what_is_no_pdf_is_not_there(shop: Path) -> None:
    with serving(shop=shop) as service, pytest.raises(NotThere, match="it is no PDF"):
        service.page(LOCAL, "shop", "returns.md", 1, 500)


def test_citations_are_checked_against_the_documents_of_the_collection(shop: Path) -> None:
    with serving(shop=shop) as service:
        answer = service.ask(LOCAL, QUESTION).result
        assert isinstance(answer, Answer)
        (verified,) = service.verify(LOCAL, answer.citations).verifications
        assert verified.status is Status.VALID
        (shop / "returns.md").write_text(RETURNS.replace("45", "60"))
        (changed,) = service.verify(LOCAL, answer.citations).verifications
    assert (changed.status, changed.now) == (Status.CHANGED, QUOTE.replace("45", "60"))


def test_a_citation_of_a_file_that_is_not_in_the_index_is_gone_whether_or_not_there_is_one(
    shop: Path, office: Path
) -> None:
    with serving(shop=shop, office=office) as service:
        answer = service.ask(LOCAL, QUESTION).result
        assert isinstance(answer, Answer)
        found = []
        for _ in range(2):
            (one,) = service.verify(LOCAL, answer.citations, collection="office").verifications
            found.append(one)
            # Not in the index, but in the folder.
            (office / "returns.md").write_text(RETURNS)
    assert [one.status for one in found] == [Status.GONE, Status.GONE]
    assert found[0] == found[1]


def test_questions_without_an_answer_are_grouped_and_counted(shop: Path, tmp_path: Path) -> None:
    with serving(tmp_path / "log", shop=shop) as service:
        for question in ("Who wrote Fidelio?", QUESTION, "who  wrote fidelio", "Who wrote Aida?"):
            service.ask(LOCAL, question)
        service.notice(LOCAL, "shop", "Who wrote Fidelio ?", "customers ask for it")
        service.notice(LOCAL, "shop", "Who wrote Fidelio ?", "")
        first, second = service.unanswered(LOCAL)
    assert (first.question, first.count, first.told) == ("who  wrote fidelio", 2, 2)
    assert first.notes == ("customers ask for it",)
    assert (second.question, second.count, second.told) == ("Who wrote Aida?", 1, 0)


def test_a_question_that_was_erased_from_the_log_is_not_told_any_more(
    shop: Path, tmp_path: Path
) -> None:
    with serving(tmp_path / "log", shop=shop) as service:
        service.ask(LOCAL, "Who wrote Fidelio?")
        service.ask(LOCAL, "Who wrote Aida?")
        assert len(service.unanswered(LOCAL)) == 2
        AuditLog(tmp_path / "log").erase([1], reason="asked to")
        assert [one.question for one in service.unanswered(LOCAL)] == ["Who wrote Aida?"]
        service.ask(LOCAL, "Who wrote Aida?")
        assert [one.count for one in service.unanswered(LOCAL)] == [2]


def test_a_question_that_was_answered_later_is_without_an_answer_no_more(
    shop: Path, tmp_path: Path
) -> None:
    with serving(tmp_path / "log", shop=shop) as service:
        refused = service.ask(LOCAL, "How much does the vase weigh?").result
        (shop / "lamp.md").write_text("The vase weighs 2.4 kg.\n")
        Index.open_or_build(shop, lexical=True).close()
        answered = service.ask(LOCAL, "How much does the vase weigh?").result
        assert (type(refused), type(answered)) == (Refusal, Answer)
        assert service.unanswered(LOCAL) == []


def test_of_a_collection_that_is_not_there_for_them_a_caller_is_told_no_question(
    shop: Path, office: Path, tmp_path: Path
) -> None:
    anna = Caller("anna", frozenset(Right), (DocumentRule(collection="office"),))
    with serving(tmp_path / "log", shop=shop, office=office) as service:
        service.ask(LOCAL, UNANSWERED, collection="shop")
        service.ask(LOCAL, UNANSWERED, collection="office")
        assert [one.collection for one in service.unanswered(anna)] == ["office"]
        with pytest.raises(NotThere):
            service.notice(anna, "shop", UNANSWERED, "")


def test_the_log_tells_who_asked_what_of_which_collection(shop: Path, tmp_path: Path) -> None:
    anna = Caller("anna", frozenset(Right), (DocumentRule(),))
    with serving(tmp_path / "log", shop=shop) as service:
        service.ask(anna, QUESTION)
        service.ask(LOCAL, UNANSWERED)
        service.notice(anna, "shop", UNANSWERED, "why?")
        entries = service.entries(LOCAL)
        assert not service.check_log(LOCAL).faults
    told = [(line.entry.kind, line.record()["caller"]) for line in entries]
    assert told == [("answer", "anna"), ("refusal", "local"), ("notice", "anna")]
    assert entries[0].record()["asked"]["collection"] == "shop"
    assert entries[0].record()["record"]["text"] == QUOTE


def test_without_a_log_nothing_is_kept_and_that_is_said(shop: Path) -> None:
    with serving(shop=shop) as service:
        assert isinstance(service.ask(LOCAL, QUESTION).result, Answer)
        with pytest.raises(NotKept):
            service.unanswered(LOCAL)


@pytest.mark.parametrize(
    ("question", "same"),
    [("Who  wrote it?", "who wrote it"), ("STRASSE?!", "straße"), ("谁写的？", "谁写的")],
)
def test_questions_that_differ_in_case_spaces_and_end_marks_count_as_one(
    question: str, same: str
) -> None:
    assert normalised(question) == normalised(same)
