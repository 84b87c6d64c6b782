"""Objects of a JSON schema, filled with words of the contexts.

A field is asked for by its name and description. What the contexts do not say stays null, its
default or empty: nothing is made up to fill it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pincite.llama_index.prompts import REFUSAL, PromptKind, Recognised
from pincite.llama_index.verbs.answering import (
    answer,
    cite,
    cite_again,
    one_line,
    refine,
    tell_result,
)
from pincite.llama_index.verbs.asking import split
from pincite.llama_index.verbs.choosing import chosen, relevant
from pincite.llama_index.verbs.judging import criticism
from pincite.prompted import quotes_from_texts

_DEEPEST = 6
"""A schema that holds itself is followed this far."""
_ANSWERS = frozenset("answer response result text content output summary reply".split())
_NUMBER = re.compile(r"(?<![\w.-])-?\d[\d,]*(?:\.\d+)?")
"""Not one in a code, such as LMP-310."""
_SAY = {
    PromptKind.ANSWER: answer,
    PromptKind.REFINE: refine,
    PromptKind.CITE: cite,
    PromptKind.CITE_AGAIN: cite_again,
    PromptKind.TELL_RESULT: tell_result,
}


def fill(prompt: Recognised) -> str:
    """The object that `prompt.schema` describes, as JSON."""
    return json.dumps(filled(prompt, prompt.schema or {}), ensure_ascii=False)


def filled(prompt: Recognised, schema: Mapping[str, object]) -> dict[str, object]:
    """The object that the schema describes; in a refine step the one there is, if it is better."""
    existing = _object_in(prompt.existing_answer)
    if existing is not None:
        texts = [value for value in existing.values() if isinstance(value, str)]
        prompt = replace(prompt, existing_answer="\n\n".join(texts))
        if refine(prompt) == prompt.existing_answer:
            return existing
        prompt = replace(prompt, kind=PromptKind.ANSWER)
    definitions = schema.get("$defs")
    source = _Source(
        prompt=prompt,
        texts=tuple(text for text in prompt.contexts or (prompt.question,) if text != REFUSAL),
        known=_known(prompt),
        definitions=definitions if isinstance(definitions, dict) else {},
    )
    value = source.value("", schema, 0)
    return value if isinstance(value, dict) else {}


def _object_in(text: str) -> dict[str, object] | None:
    try:
        found = json.loads(text)
    except json.JSONDecodeError:
        return None
    return found if isinstance(found, dict) else None


def _known(prompt: Recognised) -> dict[str, object]:
    """The values of fields that LlamaIndex's own objects have."""
    match prompt.kind:
        case PromptKind.CHOOSE | PromptKind.CHOOSE_SEVERAL:
            # LlamaIndex counts these from 1 as well.
            found = [{"index": number, "reason": reason} for number, reason in chosen(prompt)]
            return {"selections": found, "choice": found[0]["index"], **found[0]}
        case PromptKind.RELEVANCE:
            documents = [
                {"document_number": number, "relevance": grade}
                for number, grade in relevant(prompt)
            ]
            return {"documents": documents}
        case PromptKind.SPLIT:
            return {"items": split(prompt)}
        case PromptKind.CRITICISM:
            return {"passing": False, "feedback": criticism(prompt)}
        case PromptKind.TRIPLETS_JSON:
            return {"triplets": []}
        case kind if kind in _SAY:
            said = _SAY[kind](prompt)
            return {"answer": said, "query_satisfied": said != REFUSAL}
    # What a tool is asked; no object of words is called so.
    return dict.fromkeys(("input", "query", "question"), prompt.question)


@dataclass(frozen=True, slots=True)
class _Source:
    """Where the values come from."""

    prompt: Recognised
    texts: tuple[str, ...]
    known: Mapping[str, object]
    definitions: Mapping[str, object]

    def value(self, name: str, schema: Mapping[str, object], depth: int) -> object:
        schema = self._resolved(schema)
        if name in self.known and _is_of(self.known[name], schema):
            return self.known[name]
        if "const" in schema:
            return schema["const"]
        if isinstance(options := schema.get("enum"), list) and options:
            return self._option(name, schema, options)
        match schema.get("type"):
            case "object":
                return self._object(schema, depth)
            case "array":
                return self._array(name, schema, depth)
            case "boolean" if schema.get("nullable"):
                # Words that are about it do not say whether it is so.
                return schema.get("default")
            case "boolean":
                said = self.known.get("query_satisfied", bool(self._found(name, schema)))
                return bool(schema.get("default", said))
            case "integer" | "number" as kind:
                return self._number(name, schema, kind == "integer")
            case "null":
                return None
        return self._text(name, schema)

    def _resolved(self, schema: Mapping[str, object]) -> Mapping[str, object]:
        """The schema behind references, and the first of several that is not null."""
        for _ in range(_DEEPEST):
            reference = schema.get("$ref")
            options = schema.get("anyOf") or schema.get("oneOf") or schema.get("allOf")
            if isinstance(reference, str):
                found = self.definitions.get(reference.rpartition("/")[2])
                schema = found if isinstance(found, dict) else {}
            elif isinstance(options, list) and options:
                inner = [one for one in options if isinstance(one, dict)]
                real = [one for one in inner if one.get("type") != "null"]
                outer = {key: schema[key] for key in ("default", "description") if key in schema}
                nullable = {"nullable": True} if len(real) < len(inner) else {}
                schema = {**(real[0] if real else {"type": "null"}), **outer, **nullable}
            else:
                break
        return schema

    def _object(self, schema: Mapping[str, object], depth: int) -> dict[str, object]:
        properties = schema.get("properties")
        if not isinstance(properties, dict) or depth >= _DEEPEST:
            return {}
        texts = [name for name, one in properties.items() if _is_answer(self._resolved(one))]
        # One text alone is the answer, whatever it is called.
        alone = texts[0] if len(texts) == 1 and depth == 0 and texts[0] not in self.known else ""
        filled = {
            name: self.value(name, one, depth + 1)
            for name, one in properties.items()
            if name != alone
        }
        return {name: filled[name] if name in filled else self._answer() for name in properties}

    def _array(self, name: str, schema: Mapping[str, object], depth: int) -> object:
        item = schema.get("items")
        inner = self._resolved(item) if isinstance(item, dict) else {"type": "string"}
        least = schema.get("minItems", 0)
        wanted = least if isinstance(least, int) else 0
        if inner.get("type") in (None, "string") and "enum" not in inner:
            found: list[object] = [*self._found(name, schema)]
        elif inner.get("type") == "object" and depth < _DEEPEST:
            one = self.value(name, inner, depth + 1)
            found = [one] if isinstance(one, dict) and any(one.values()) else []
        else:
            found = []
        while len(found) < wanted and depth < _DEEPEST:
            found.append(self.value(name, inner, depth + 1))
        return found

    def _text(self, name: str, schema: Mapping[str, object]) -> object:
        if name in _ANSWERS:
            return self._answer()
        found = self._found(name, schema)
        if found:
            return " ".join(found)
        return schema.get("default", None if schema.get("nullable") else "")

    def _number(self, name: str, schema: Mapping[str, object], whole: bool) -> object:
        for words in (*self._found(name, schema), *self._found("", {})):
            if digits := _NUMBER.search(words):
                value = float(digits.group().replace(",", ""))
                return int(value) if whole else value
        if "default" in schema or schema.get("nullable"):
            return schema.get("default")
        return schema.get("minimum", 0)

    def _option(self, name: str, schema: Mapping[str, object], options: Sequence[object]) -> object:
        said = " ".join((*self._found(name, schema), *self._found("", {}))).casefold()
        named = [one for one in options if str(one).casefold() in said]
        return named[0] if named else schema.get("default", options[0])

    def _answer(self) -> str:
        if "answer" in self.known:
            return str(self.known["answer"])
        return "\n\n".join(self._found("", {})) or REFUSAL

    def _found(self, name: str, schema: Mapping[str, object]) -> tuple[str, ...]:
        """What the texts say of a field, or to the question where there is no field."""
        described = schema.get("description", "")
        asked = f"{name.replace('_', ' ')} {described}".strip() or self.prompt.question
        if not self.prompt.contexts and asked == self.prompt.question:
            return ()
        found = quotes_from_texts(asked, self.texts, history=self.prompt.history)
        return tuple(one_line(quote.text) for quote in found)


def _is_answer(schema: Mapping[str, object]) -> bool:
    """Whether a field is a text that has to be there."""
    special = any(key in schema for key in ("enum", "const", "default", "nullable", "format"))
    return schema.get("type") == "string" and not special


def _is_of(value: object, schema: Mapping[str, object]) -> bool:
    kinds = {"string": str, "integer": int, "boolean": bool, "array": list, "object": dict}
    wanted = kinds.get(str(schema.get("type")))
    return wanted is None or isinstance(value, wanted)
