"""The stand-in model for agents: it calls a tool with the question, and quotes what comes back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from llama_index.core.base.llms.types import ChatMessage, ChatResponse, LLMMetadata, MessageRole
from llama_index.core.llms.function_calling import FunctionCallingLLM
from llama_index.core.llms.llm import ToolSelection
from llama_index.core.tools.types import BaseTool

from pincite.llama_index.llm import ExtractiveLLM
from pincite.llama_index.prompts import PromptKind
from pincite.llama_index.recognition import recognise_messages, turns_of
from pincite.llama_index.verbs.filling import filled
from pincite.llama_index.verbs.reasoning import (
    Tool,
    answer_from,
    arguments_for,
    best_tool,
    since_question,
)

_CALLS = "tool_calls"


class ExtractiveFunctionCallingLLM(ExtractiveLLM, FunctionCallingLLM):
    """An `ExtractiveLLM` for agents, and for whatever asks for objects by calling functions.

    After a question it calls the tool whose description shares most words with it, once; then it
    answers with words of what the tool gave back, or refuses. An object that has to be made is
    filled with words of the context; what is not said there stays empty.
    """

    @classmethod
    def class_name(cls) -> str:
        """The name LlamaIndex stores this model under."""
        return "pincite_extractive_function_calling_llm"

    @property
    def metadata(self) -> LLMMetadata:
        """What LlamaIndex goes by when it makes prompts: a chat model that calls functions."""
        changes = {"is_chat_model": True, "is_function_calling_model": True}
        return super().metadata.model_copy(update=changes)

    def _prepare_chat_with_tools(
        self,
        tools: Sequence[BaseTool],
        user_msg: str | ChatMessage | None = None,
        chat_history: list[ChatMessage] | None = None,
        verbose: bool = False,
        allow_parallel_tool_calls: bool = False,
        tool_required: bool = False,
        **kwargs: Any,
    ) -> dict[str, Any]:
        messages = list(chat_history or ())
        if isinstance(user_msg, str):
            user_msg = ChatMessage(role=MessageRole.USER, content=user_msg)
        if user_msg is not None:
            messages.append(user_msg)
        told = [_told(tool) for tool in tools]
        # Programs make their own tool of a class, and want it called, whether they say so or not.
        required = tool_required or any(_makes_object(tool) for tool in tools)
        return {"messages": messages, "tools": told, "tool_required": required}

    def get_tool_calls_from_response(
        self, response: ChatResponse, error_on_no_tool_call: bool = True, **kwargs: Any
    ) -> list[ToolSelection]:
        """The calls in a response; ValueError where there is none and one was wanted."""
        calls = response.message.additional_kwargs.get(_CALLS, [])
        if not calls and error_on_no_tool_call:
            raise ValueError("no tool was called: pass tools, or allow an answer without")
        return [
            ToolSelection(tool_id=one["id"], tool_name=one["name"], tool_kwargs=one["arguments"])
            for one in calls
        ]

    def _chat(self, messages: Sequence[ChatMessage], settings: dict[str, Any]) -> ChatMessage:
        tools: Sequence[Tool] = settings.get("tools") or ()
        if not tools:
            return super()._chat(messages, settings)
        recognised = recognise_messages(messages)
        question, observed = since_question(turns_of(messages))
        if settings.get("tool_required") and (
            recognised.kind is not PromptKind.BARE or not observed
        ):
            tool = best_tool(recognised.question, tools)
            return _call(messages, tool, filled(recognised, tool.parameters))
        if observed:
            said = answer_from(question, observed)
            return ChatMessage(role=MessageRole.ASSISTANT, content=said)
        tool = best_tool(question, tools)
        return _call(messages, tool, arguments_for(question, tool))


def _call(
    messages: Sequence[ChatMessage], tool: Tool, arguments: Mapping[str, object]
) -> ChatMessage:
    call = {"id": f"call_{len(messages)}", "name": tool.name, "arguments": dict(arguments)}
    return ChatMessage(role=MessageRole.ASSISTANT, content="", additional_kwargs={_CALLS: [call]})


def _told(tool: BaseTool) -> Tool:
    about = tool.metadata
    return Tool(about.get_name(), about.description, about.get_parameters_dict())


def _makes_object(tool: BaseTool) -> bool:
    return getattr(getattr(tool, "fn", None), "__name__", "") == "model_fn"
