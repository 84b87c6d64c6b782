"""For those who keep the documents: indexes, questions without an answer, the log, figures."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

from fastapi.testclient import TestClient
from jsonschema import Draft202012Validator

from pincite.auditing.checking import check
from pincite.auditing.log import AuditLog
from pincite.render import load_schema
from pincite.server.app import AUDIT, create_app
from tests.server.small import QUESTION, UNANSWERED, inside, settings, until_indexed


def test_a_new_file_answers_once_the_collection_is_indexed_again(
    http: TestClient, shop: Path
) -> None:
    before = until_indexed(http)
    (shop / "vase.md").write_text("The vase weighs 7 kg.\n")
    reply = http.post("/index", json={"collection": "shop"})
    assert (reply.status_code, reply.json()) == (202, {"collection": "shop", "begun": True})
    after = until_indexed(http)
    assert (before["document_count"], after["document_count"]) == (2, 3)
    assert not after["problem"]
    answer = http.post("/ask", json={"question": "How much does the vase weigh?"}).json()
    assert answer["text"] == "The vase weighs 7 kg."


def test_an_index_that_was_deleted_is_made_anew_and_asked(http: TestClient, shop: Path) -> None:
    until_indexed(http)
    shutil.rmtree(shop / ".pincite")
    (shop / "vase.md").write_text("The vase weighs 7 kg.\n")
    http.post("/index", json={"collection": "shop"})
    until_indexed(http)
    answer = http.post("/ask", json={"question": "How much does the vase weigh?"}).json()
    assert answer["text"] == "The vase weighs 7 kg."


def test_what_could_not_be_read_is_told(http: TestClient, shop: Path) -> None:
    (shop / "broken.pdf").write_bytes(b"%PDF-1.4 and no more")
    until_indexed(http)
    http.post("/index", json={"collection": "shop"})
    found = until_indexed(http)
    assert [one["path"] for one in found["problems"]] == ["broken.pdf"]  # type: ignore[attr-defined]
    (listing,) = http.get("/documents").json()["collections"]
    assert [one["path"] for one in listing["problems"]] == ["broken.pdf"]


def test_a_folder_without_an_index_is_made_one_and_the_server_is_ready_then(
    tmp_path: Path,
) -> None:
    from pincite.server.app import create_app
    from tests.server.small import settings

    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "lamp.txt").write_text("The lamp weighs 2 kg.\n")
    app = create_app(settings(tmp_path / "state", new=tmp_path / "new"))
    with inside(app) as http:
        early = http.post("/ask", json={"question": "How much does the lamp weigh?"})
        until_indexed(http)
        assert http.get("/readyz").status_code == 200
        late = http.post("/ask", json={"question": "How much does the lamp weigh?"})
    assert early.status_code == 503
    assert early.headers["retry-after"]
    assert late.json()["text"] == "The lamp weighs 2 kg."


def test_a_run_that_fails_names_no_place_on_the_machine(http: TestClient, shop: Path) -> None:
    until_indexed(http)
    for file in sorted(shop.rglob("*.*"), reverse=True):
        if file.is_file() and ".pincite" not in file.parts:
            file.unlink()
    shop.rename(shop.with_name("elsewhere"))
    http.post("/index", json={"collection": "shop"})
    reply = http.get("/index")
    while reply.json()["collections"][0]["running"]:
        reply = http.get("/index")
    assert "the log of the server says why" in reply.text
    assert str(shop.parent) not in reply.text


def test_questions_without_an_answer_and_what_was_told_of_them(http: TestClient) -> None:
    http.post("/ask", json={"question": UNANSWERED})
    told = {"collection": "shop", "question": UNANSWERED, "note": "many ask"}
    assert http.post("/notices", json=told).status_code == 204
    (question,) = http.get("/unanswered").json()["questions"]
    assert (question["question"], question["count"], question["notes"]) == (
        UNANSWERED,
        1,
        ["many ask"],
    )


def test_the_log_is_listed_in_parts_and_found_whole(http: TestClient) -> None:
    for question in (QUESTION, UNANSWERED):
        http.post("/ask", json={"question": question})
    first = http.get("/audit", params={"limit": 1}).json()
    rest = http.get("/audit", params={"after": first["next_after"]}).json()
    assert [one["kind"] for one in (*first["entries"], *rest["entries"])] == ["answer", "refusal"]
    assert rest["next_after"] is None
    checked = http.get("/audit/verify").json()
    Draft202012Validator(load_schema("audit-1")).validate(checked)
    assert checked["whole"]


def test_figures_count_requests_by_route_and_name_no_document(http: TestClient) -> None:
    http.get("/documents/shop/returns.md")
    http.get("/documents/shop/made-up.md")
    http.request("MADEUP", "/ask")
    figures = http.get("/metrics").text
    route = 'route="/documents/{collection}/{path:path}"'
    assert f'pincite_requests_total{{method="GET",{route},status="200"}} 1.0' in figures
    assert 'method="other"' in figures
    assert "returns" not in figures
    assert "made-up" not in figures


def test_a_log_that_follows_the_disk_later_is_whole_when_the_server_ends(
    tmp_path: Path, shop: Path
) -> None:
    later = replace(settings(tmp_path / "later", shop=shop), audit_sync_seconds=60.0)
    with inside(create_app(later)) as http:
        until_indexed(http)
        for _ in range(5):
            assert http.post("/ask", json={"question": QUESTION}).status_code == 200
    log = AuditLog(tmp_path / "later" / AUDIT)
    head = log.head()
    assert head is not None
    assert head["sequence"] == sum(1 for _ in log.lines())
    assert head["sequence"] >= 1
    assert not check(log).faults
