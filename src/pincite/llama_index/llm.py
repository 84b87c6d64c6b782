"""The stand-in models: LlamaIndex LLMs that can only quote the context they are given."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, Self

from llama_index.core.base.llms.types import (
    ChatMessage,
    ChatResponse,
    ChatResponseAsyncGen,
    ChatResponseGen,
    CompletionResponse,
    CompletionResponseAsyncGen,
    CompletionResponseGen,
    LLMMetadata,
    MessageRole,
)
from llama_index.core.bridge.pydantic import Field, PrivateAttr
from llama_index.core.llms.callbacks import llm_chat_callback, llm_completion_callback
from llama_index.core.llms.custom import CustomLLM
from llama_index.core.prompts import BasePromptTemplate, SelectorPromptTemplate

from pincite.index import Index
from pincite.llama_index.prompts import Recognised
from pincite.llama_index.recognition import by_names, recognise, recognise_messages
from pincite.llama_index.replies import reply
from pincite.llama_index.verbs import indexed
from pincite.llama_index.words import words_of

# LlamaIndex refuses windows that its longest template and its padding do not fit into.
_SMALLEST_WINDOW = 4096


class _FilledPrompt(str):
    """A prompt that remembers what it is, for it is of a template that LlamaIndex does not have."""

    recognised: Recognised


class _FilledMessages(list[ChatMessage]):
    """The same as messages."""

    recognised: Recognised


class ExtractiveLLM(CustomLLM):
    """Answers a query engine with the sentence of the retrieved text that answers, word for word.

    Where no sentence does it says `I could not find that in the documents.` Needs no key, no
    network and no accelerator, and says the same to the same prompt every time. It knows every
    prompt of LlamaIndex, and those of an application that keep the names of its fields, and
    replies in the form each asks for; to any other prompt it refuses.

    With an `index`, whose passages a `PinciteRetriever` retrieves, an answer is that of the index
    wherever the prompt holds the words. The index stays the caller's, who closes it.
    """

    _index: Index | None = PrivateAttr(default=None)
    context_window: int = Field(
        default=1_000_000,
        description="Tokens of a prompt and its answer; at least 4,096 for the prompt are assumed.",
    )
    num_output: int = Field(default=256, description="Tokens LlamaIndex sets aside for the answer.")

    def __init__(self, index: Index | None = None, **settings: Any) -> None:
        super().__init__(**settings)
        self._index = index

    def __deepcopy__(self, memo: dict[int, Any] | None = None) -> Self:
        """A copy with the same index, which is open once."""
        memo = {} if memo is None else memo
        memo[id(self._index)] = self._index
        return super().__deepcopy__(memo)

    @classmethod
    def class_name(cls) -> str:
        """The name LlamaIndex stores this model under."""
        return "pincite_extractive_llm"

    @property
    def metadata(self) -> LLMMetadata:
        """What LlamaIndex goes by when it makes prompts: a completion model."""
        return LLMMetadata(
            model_name="extractive",
            context_window=max(self.context_window, _SMALLEST_WINDOW + max(self.num_output, 0)),
            num_output=self.num_output,
            is_chat_model=False,
            is_function_calling_model=False,
        )

    @llm_completion_callback()
    def complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponse:
        """The reply to a prompt."""
        return CompletionResponse(text=self._complete(prompt))

    @llm_completion_callback()
    def stream_complete(
        self, prompt: str, formatted: bool = False, **kwargs: Any
    ) -> CompletionResponseGen:
        """The reply to a prompt, word by word."""
        return _completions(self._complete(prompt))

    @llm_completion_callback()
    async def acomplete(
        self, prompt: str, formatted: bool = False, **kwargs: Any
    ) -> CompletionResponse:
        """The reply to a prompt, worked out in a thread."""
        return CompletionResponse(text=await asyncio.to_thread(self._complete, prompt))

    @llm_completion_callback()
    async def astream_complete(
        self, prompt: str, formatted: bool = False, **kwargs: Any
    ) -> CompletionResponseAsyncGen:
        """The reply to a prompt, worked out in a thread, word by word."""

        async def responses() -> CompletionResponseAsyncGen:
            for response in _completions(await asyncio.to_thread(self._complete, prompt)):
                yield response

        return responses()

    @llm_chat_callback()
    def chat(self, messages: Sequence[ChatMessage], **kwargs: Any) -> ChatResponse:
        """The reply to a conversation."""
        return ChatResponse(message=self._chat(messages, kwargs))

    @llm_chat_callback()
    def stream_chat(self, messages: Sequence[ChatMessage], **kwargs: Any) -> ChatResponseGen:
        """The reply to a conversation, word by word."""
        return _chat_responses(self._chat(messages, kwargs))

    @llm_chat_callback()
    async def achat(self, messages: Sequence[ChatMessage], **kwargs: Any) -> ChatResponse:
        """The reply to a conversation, worked out in a thread."""
        return ChatResponse(message=await asyncio.to_thread(self._chat, messages, kwargs))

    @llm_chat_callback()
    async def astream_chat(
        self, messages: Sequence[ChatMessage], **kwargs: Any
    ) -> ChatResponseAsyncGen:
        """The reply to a conversation, worked out in a thread, word by word."""

        async def responses() -> ChatResponseAsyncGen:
            for response in _chat_responses(await asyncio.to_thread(self._chat, messages, kwargs)):
                yield response

        return responses()

    def _complete(self, prompt: str) -> str:
        if isinstance(prompt, _FilledPrompt):
            return self._reply(prompt.recognised)
        return self._reply(recognise(prompt, system_prompt=self.system_prompt or ""))

    def _reply(self, prompt: Recognised) -> str:
        if self._index is not None and prompt.kind in indexed.KINDS and prompt.schema is None:
            return indexed.answer(prompt, self._index)
        return reply(prompt)

    def _chat(self, messages: Sequence[ChatMessage], settings: dict[str, Any]) -> ChatMessage:
        known = messages.recognised if isinstance(messages, _FilledMessages) else None
        return _message(self._reply(known or recognise_messages(messages)))

    def _get_prompt(self, prompt: BasePromptTemplate, **prompt_args: Any) -> str:
        text = _FilledPrompt(super()._get_prompt(prompt, **prompt_args))
        found = recognise(text, system_prompt=self.system_prompt or "")
        text.recognised = by_names(found, _put_in(prompt, self, prompt_args))
        return text

    def _get_messages(self, prompt: BasePromptTemplate, **prompt_args: Any) -> list[ChatMessage]:
        messages = _FilledMessages(super()._get_messages(prompt, **prompt_args))
        found = recognise_messages(messages)
        messages.recognised = by_names(found, _put_in(prompt, self, prompt_args))
        return messages


def _put_in(
    prompt: BasePromptTemplate, llm: ExtractiveLLM, values: Mapping[str, Any]
) -> dict[str, Any]:
    """Of the values a template is filled with, by LlamaIndex's names, those it has a field for."""
    if isinstance(prompt, SelectorPromptTemplate):
        prompt = prompt.select(llm)
    called = prompt.template_var_mappings or {}
    given = {**prompt.kwargs, **values}
    return {k: v for k, v in given.items() if called.get(k, k) in prompt.template_vars}


def _message(text: str) -> ChatMessage:
    return ChatMessage(role=MessageRole.ASSISTANT, content=text)


def _completions(text: str) -> CompletionResponseGen:
    so_far = ""
    for delta in words_of(text):
        so_far += delta
        yield CompletionResponse(text=so_far, delta=delta)


def _chat_responses(message: ChatMessage) -> ChatResponseGen:
    if message.additional_kwargs:
        # A call of a tool comes whole.
        yield ChatResponse(message=message, delta=message.content or "")
        return
    so_far = ""
    for delta in words_of(message.content or ""):
        so_far += delta
        yield ChatResponse(message=_message(so_far), delta=delta)
