"""What the tools do: arguments checked, the documents asked, records and readable text given."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

from pincite.errors import RecordUnusable
from pincite.records import Refusal, Turn
from pincite.render import dumps, search_to_json, to_json
from pincite.render.saved import not_compared, read_records
from pincite.render.text import answer_text, counted, excerpt_text, refusal_text, search_text
from pincite.render.verified import verified_text, verified_to_json
from pincite.server.access import Caller
from pincite.server.errors import NotAsked
from pincite.server.mcp.addresses import address_of
from pincite.server.mcp.tools import TOOLS
from pincite.server.service import Service

Called = tuple[dict[str, Any], str]
"""The structured result of a tool, and the same as text for a reader."""

_CHECKS = {tool.name: Draft202012Validator(tool.input_schema) for tool in TOOLS}
_MOST = {
    tool.name: {
        name: schema["maxItems"]
        for name, schema in tool.input_schema["properties"].items()
        if "maxItems" in schema
    }
    for tool in TOOLS
}
"""How many entries each list among the arguments may have."""
APART = frozenset({"verify"})
"""The tools that have files read in other processes."""
_SURROGATES = re.compile("[\ud800-\udfff]")
_LONGEST_SHOWN = 200


def checked_arguments(tool: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    """The arguments, where they are such as the tool takes; `NotAsked`."""
    for name, most in _MOST[tool].items():
        # Before any of it is looked at: each that is wrong would be a fault of its own.
        if isinstance(given := arguments.get(name), list) and len(given) > most:
            raise NotAsked(f"{tool}: {name}: it has {len(given)} entries, and {most} are taken")
    fault = best_match(_CHECKS[tool].iter_errors(arguments))
    if fault is None:
        return arguments
    where = ".".join(str(part) for part in fault.absolute_path)
    what = fault.message
    if len(what) > _LONGEST_SHOWN:
        what = f"it does not fit {fault.validator!r}: {fault.validator_value!r}"[:_LONGEST_SHOWN]
    raise NotAsked(f"{tool}: {f'{where}: ' if where else ''}{what}")


def call(tool: str, given: Mapping[str, Any], service: Service, caller: Caller) -> Called:
    """Do what a tool does with arguments that are checked; raises as the service does."""
    record, text = _CALLS[tool](given, service, caller)
    return sendable(record), sendable(text)


def sendable(value: Any) -> Any:
    """The same with what UTF-8 cannot hold replaced, code point for code point."""
    if isinstance(value, str):
        return _SURROGATES.sub("\ufffd", value)
    if isinstance(value, list):
        return [sendable(one) for one in value]
    if isinstance(value, dict):
        return {key: sendable(one) for key, one in value.items()}
    return value


def _ask(given: Mapping[str, Any], service: Service, caller: Caller) -> Called:
    reply = service.ask(
        caller,
        given["question"],
        collection=given.get("collection"),
        document=given.get("document"),
        history=[Turn(turn["role"], turn["text"]) for turn in given.get("history", ())],
        risk=given.get("risk"),
    )
    result = reply.result
    text = refusal_text(result) if isinstance(result, Refusal) else answer_text(result)
    if len(service.names(caller)) > 1:
        text += f"\nCollection: {reply.collection}\n"
    return {"collection": reply.collection, **to_json(result)}, text


def _search(given: Mapping[str, Any], service: Service, caller: Caller) -> Called:
    found = service.search(
        caller,
        given["question"],
        collection=given.get("collection"),
        document=given.get("document"),
        limit=given.get("limit", 10),
    )
    record = search_to_json(given["question"], found.results, found.state, stale=found.stale)
    return {"collection": found.collection, **record}, search_text(found.results)


def _show(given: Mapping[str, Any], service: Service, caller: Caller) -> Called:
    shown = service.show(caller, given["locator"], collection=given.get("collection"))
    text = excerpt_text(shown.excerpt)
    return {"collection": shown.collection, **to_json(shown.excerpt)}, text


def _verify(given: Mapping[str, Any], service: Service, caller: Caller) -> Called:
    record = dict(given["record"])
    named = given.get("collection", record.pop("collection", None))
    if named is not None and not isinstance(named, str):
        raise NotAsked("the collection of the record is no name")
    try:
        (saved,) = read_records(dumps(record).encode(), name="record")
    except RecordUnusable as error:
        raise NotAsked(
            f"the record cannot be used: {error.detail}: give what `ask` gave"
        ) from error
    found = service.verify(caller, saved.citations, collection=named, version=saved.version)
    verified = [found.verifications]
    faults = [saved.fault] if saved.fault else []
    besides = not_compared([saved])
    record = {"collection": found.collection, **verified_to_json(verified, faults, besides)}
    return record, verified_text(verified, faults, besides)


def _list_documents(given: Mapping[str, Any], service: Service, caller: Caller) -> Called:
    listings = service.documents(caller, collection=given.get("collection"))
    infos = {listing.collection: listing.info for listing in listings}
    found = [
        {
            "collection": name,
            "path": source.path,
            "title": source.title,
            "media_type": source.media_type,
            "modified": source.modified,
            "uri": address_of(name, source.path),
        }
        for name, info in infos.items()
        for source in info.documents
        if source.path.startswith(given.get("under", ""))
    ]
    offset = given.get("offset", 0)
    end = offset + given.get("limit", 100)
    record = {
        "collections": [
            {
                "name": name,
                "document_count": info.document_count,
                "problem_count": len({problem.path for problem in info.problems}),
            }
            for name, info in infos.items()
        ],
        "documents": found[offset:end],
        "total": len(found),
        "next_offset": end if end < len(found) else None,
    }
    lines = [f"{one['uri']}  {one['title']}" for one in found[offset:end]]
    heading = f"{counted(len(found), 'document')}"
    if lines and len(lines) < len(found):
        heading += f", {offset + 1} to {offset + len(lines)}"
    return record, "\n".join([heading, *lines]) + "\n"


_CALLS: dict[str, Callable[[Mapping[str, Any], Service, Caller], Called]] = {
    "ask": _ask,
    "search": _search,
    "show": _show,
    "verify": _verify,
    "list_documents": _list_documents,
}
