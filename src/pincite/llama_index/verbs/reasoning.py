"""Steps of an agent: a tool for the question, then words of what the tool found."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pincite.answering.follow_up import standalone_question
from pincite.llama_index.likeness import best_first, fit
from pincite.llama_index.prompts import REFUSAL, PromptKind, Recognised
from pincite.llama_index.verbs.answering import one_line
from pincite.llama_index.verbs.filling import filled
from pincite.prompted import quotes_from_texts
from pincite.records import Turn

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_OBSERVED = "Observation: "
_TOOL = re.compile(
    r"^> Tool Name: (?P<name>.*?)\nTool Description: (?P<description>.*?)\n"
    r"Tool Args: (?P<args>\{.*?\})$",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool as a model is told of it."""

    name: str
    description: str
    parameters: Mapping[str, object]
    """JSON schema of its arguments."""


def reason(prompt: Recognised) -> str:
    """An action while nothing was observed since the question, then the answer (ReAct)."""
    question, observed = since_question(prompt.history)
    tools = [
        Tool(found["name"], found["description"], _schema(found["args"]))
        for found in _TOOL.finditer(prompt.fields.get("tool_desc", ""))
    ]
    if not observed and tools:
        tool = best_tool(question, tools)
        arguments = json.dumps(arguments_for(question, tool), ensure_ascii=False)
        return (
            f"Thought: I need to use a tool to help me answer the question.\n"
            f"Action: {tool.name}\nAction Input: {arguments}"
        )
    said = answer_from(question, observed)
    if said == REFUSAL:
        return f"Thought: I cannot answer the question with the provided tools.\nAnswer: {said}"
    return f"Thought: I can answer without using any more tools.\nAnswer: {said}"


def without_code(prompt: Recognised) -> str:
    """Words of what was found before; no code is written."""
    question, observed = since_question(prompt.history)
    return answer_from(question, observed)


def best_tool(question: str, tools: Sequence[Tool]) -> Tool:
    """The tool whose name and description fit the question best, the first of equals."""
    scores = fit(question, [f"{one.name.replace('_', ' ')}. {one.description}" for one in tools])
    return tools[best_first(scores)[0]]


def arguments_for(question: str, tool: Tool) -> dict[str, object]:
    """The question for its first text, the numbers of the question in turn for its numbers.

    Other arguments that the tool requires are filled with what the question says for them.
    """
    properties = tool.parameters.get("properties")
    if not isinstance(properties, dict):
        return {"input": question}
    required = tool.parameters.get("required", list(properties))
    names = [name for name in properties if isinstance(required, list) and name in required]
    texts = [name for name in names or properties if properties[name].get("type") == "string"]
    arguments: dict[str, object] = {}
    numbers = iter(_NUMBER.findall(question))
    for name in dict.fromkeys((*names, *texts[:1])):
        kind = properties[name].get("type")
        digits = next(numbers, None) if kind in ("integer", "number") else None
        if name in texts[:1]:
            arguments[name] = question
        elif digits is not None:
            arguments[name] = int(float(digits)) if kind == "integer" else float(digits)
        else:
            one = {**tool.parameters, "type": "object", "properties": {name: properties[name]}}
            asked = Recognised(kind=PromptKind.BARE, question=question, contexts=(question,))
            arguments |= filled(asked, one)
    return arguments


def answer_from(question: str, observed: Sequence[str]) -> str:
    """What of the outputs of tools answers; the last output as it is where none does alone."""
    texts = [text for text in observed if text.strip() and text.strip() != REFUSAL]
    found = quotes_from_texts(question, texts)
    if found:
        return "\n\n".join(one_line(quote.text) for quote in found)
    return texts[-1].strip() if texts else REFUSAL


def since_question(history: Sequence[Turn]) -> tuple[str, list[str]]:
    """The last question of the user, so that it stands alone, and what was observed after it."""
    asked, observed = list[Turn](), list[str]()
    for turn in history:
        if turn.role == "tool" or turn.text.startswith(_OBSERVED):
            observed.append(turn.text.removeprefix(_OBSERVED))
        elif turn.role == "user":
            asked.append(turn)
            observed = []
    # Of the turns before, only what the user said: the others are steps, and words of documents.
    return (standalone_question(asked[-1].text, asked[:-1]) if asked else ""), observed


def _schema(text: str) -> Mapping[str, object]:
    try:
        found = json.loads(text)
    except json.JSONDecodeError:
        return {}
    return found if isinstance(found, dict) else {}
