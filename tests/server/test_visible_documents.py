"""What a caller may not see is nowhere in what the service gives them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pincite import Answer, Index, Refusal, Status
from pincite.server.access import Caller, DocumentRule, Right
from pincite.server.collections import Collections
from pincite.server.errors import NotAllowed, NotThere
from pincite.server.service import Service
from pincite.server.settings import NamedFolder

EVERY = frozenset(Right)
CHIEF = Caller("chief", EVERY, (DocumentRule(),))
CLERK = Caller("clerk", EVERY, (DocumentRule("handbook", but=("pay/",)),))
PAY = "What is the bonus of the clerks?"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "handbook"
    (folder / "pay").mkdir(parents=True)
    (folder / "pay" / "bonus.md").write_text("The bonus of the clerks is 900 euros.\n")
    (folder / "travel.md").write_text("A journey is paid within 20 days.\n")
    (folder / ".key").write_text("The secret is swordfish.\n")
    Index.open_or_build(folder).close()
    return folder


@pytest.fixture
def service(folder: Path, tmp_path: Path) -> Iterator[Service]:
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "plan.md").write_text("The plan is to wait.\n")
    Index.open_or_build(secret).close()
    folders = (NamedFolder("handbook", folder), NamedFolder("secret", secret))
    with Collections(folders) as collections:
        collections.open(renew=False)
        yield Service(collections)


def test_each_caller_is_answered_from_what_is_there_for_them(service: Service) -> None:
    assert isinstance(service.ask(CHIEF, PAY).result, Answer)
    refused = service.ask(CLERK, PAY).result
    assert isinstance(refused, Refusal)
    assert "bonus" in refused.missing
    assert service.ask(CLERK, "When is a journey paid?").result.text.endswith("within 20 days.")


def test_a_collection_without_a_rule_is_as_one_that_does_not_exist(service: Service) -> None:
    assert service.names(CLERK) == ("handbook",)
    said = []
    for name in ("secret", "nowhere"):
        with pytest.raises(NotThere) as raised:
            service.ask(CLERK, PAY, collection=name)
        said.append(str(raised.value).replace(name, ""))
    assert said[0] == said[1]


@pytest.mark.parametrize(
    "path", ["pay/bonus.md", "pay/nothing.md", ".key", "../secret/plan.md", "/etc/passwd"]
)
def test_a_hidden_document_is_as_one_that_does_not_exist(service: Service, path: str) -> None:
    asked = (
        lambda: service.ask(CLERK, PAY, document=path),
        lambda: service.ask(CLERK, PAY, document=path, collection="handbook"),
        lambda: service.search(CLERK, PAY, document=path),
        lambda: service.show(CLERK, path),
        lambda: service.show(CLERK, f"{path}:1"),
        lambda: service.text(CLERK, "handbook", path),
        lambda: service.original(CLERK, "handbook", path),
    )
    for ask in asked:
        with pytest.raises(NotThere, match="there is no document"):
            ask()


def test_a_document_is_shown_by_its_own_path_and_no_way_round(
    service: Service, folder: Path
) -> None:
    assert service.show(CHIEF, "pay/bonus.md:1").excerpt.document.path == "pay/bonus.md"
    for path in ("./travel.md", "pay/../travel.md", "../handbook/travel.md", f"{folder}/travel.md"):
        for locator in (path, f"{path}:1", f"{path}#char=0,5"):
            with pytest.raises(NotThere) as raised:
                service.show(CHIEF, locator)
            assert str(raised.value) == f"there is no document {locator!r} in any collection"


def test_a_listing_counts_what_is_there(service: Service) -> None:
    (listing,) = service.documents(CLERK)
    assert [source.path for source in listing.info.documents] == ["travel.md"]
    assert (listing.info.document_count, listing.info.passage_count) == (1, 1)
    assert listing.info.state.fingerprint != service.documents(CHIEF)[0].info.state.fingerprint


def test_a_citation_of_a_hidden_document_is_of_one_that_is_gone(
    service: Service, folder: Path
) -> None:
    answer = service.ask(CHIEF, PAY, collection="handbook").result
    (citation,) = answer.citations
    assert service.verify(CHIEF, [citation], collection="handbook").verifications[0].status == (
        Status.VALID
    )
    hidden = service.verify(CLERK, [citation], collection="handbook").verifications[0]
    assert hidden.status is Status.GONE

    (folder / "pay" / "bonus.md").unlink()
    assert service.verify(CLERK, [citation], collection="handbook").verifications[0] == hidden
    gone = service.verify(CHIEF, [citation], collection="handbook").verifications[0]
    assert gone.status is Status.GONE
    assert str(folder) not in repr(gone)


def test_whoever_indexes_a_collection_sees_all_of_it(service: Service) -> None:
    (kept,) = service.kept(CHIEF, collection="handbook")
    assert kept.state.is_open
    assert service.kept(CLERK) == []
    for ask in (
        lambda name: service.kept(CLERK, collection=name),
        lambda name: service.renew(CLERK, name),
    ):
        with pytest.raises(NotAllowed):
            ask("handbook")
        with pytest.raises(NotThere):
            ask("secret")


@pytest.mark.parametrize("right", sorted(Right))
def test_without_a_right_nothing_is_told(service: Service, right: Right) -> None:
    caller = Caller("one", EVERY - {right}, (DocumentRule(),))
    needs = {
        Right.ASK: [
            lambda: service.ask(caller, PAY),
            lambda: service.search(caller, PAY),
            lambda: service.show(caller, "travel.md"),
            lambda: service.verify(caller, []),
            lambda: service.documents(caller),
            lambda: service.ask_given(caller, PAY, []),
        ],
        Right.READ: [
            lambda: service.text(caller, "handbook", "travel.md"),
            lambda: service.original(caller, "handbook", "travel.md"),
        ],
        Right.INDEX: [
            lambda: service.kept(caller),
            lambda: service.renew(caller, "handbook"),
            lambda: service.unanswered(caller),
        ],
        Right.ADMIN: [lambda: service.entries(caller), lambda: service.check_log(caller)],
    }
    for ask in needs[right]:
        with pytest.raises(NotAllowed, match=f"needs the right '{right}'"):
            ask()
