"""Every prompt of LlamaIndex, and what it asks for.

Templates are taken from the installed LlamaIndex by their names; a name that a release does not
have is passed over. `tests/llama_index/test_catalogue.py` goes through all templates of the
release and fails where one is neither here nor among those that it names as no prompts.
"""

from __future__ import annotations

import functools
import importlib
from dataclasses import dataclass

from llama_index.core.prompts import BasePromptTemplate, PromptTemplate

from pincite.llama_index.prompts import PromptKind as Kind
from pincite.llama_index.shapes import Forms, Shape, forms_of, marked, shape_of

PACKAGE = "llama_index.core"

TEMPLATES: dict[Kind, str] = {
    Kind.ANSWER: """
        prompts.default_prompts.DEFAULT_TEXT_QA_PROMPT
        prompts.default_prompts.DEFAULT_TREE_SUMMARIZE_PROMPT
        prompts.default_prompts.DEFAULT_TABLE_CONTEXT_PROMPT
        prompts.chat_prompts.CHAT_TEXT_QA_PROMPT
        prompts.chat_prompts.CHAT_TREE_SUMMARIZE_PROMPT
        prompts.chat_prompts.CHAT_CONTENT_QA_PROMPT
        prompts.chat_prompts.CHAT_CONTENT_TREE_SUMMARIZE_PROMPT
    """,
    Kind.REFINE: """
        prompts.default_prompts.DEFAULT_REFINE_PROMPT
        prompts.default_prompts.DEFAULT_REFINE_TABLE_CONTEXT_PROMPT
        prompts.chat_prompts.CHAT_REFINE_PROMPT
        prompts.chat_prompts.CHAT_CONTENT_REFINE_PROMPT
        prompts.chat_prompts.CHAT_REFINE_TABLE_CONTEXT_PROMPT
    """,
    Kind.CITE: """
        query_engine.citation_query_engine.CITATION_QA_TEMPLATE
        query_engine.citation_query_engine.CITATION_CHAT_CONTENT_QA_TEMPLATE
    """,
    Kind.CITE_AGAIN: """
        query_engine.citation_query_engine.CITATION_REFINE_TEMPLATE
        query_engine.citation_query_engine.CITATION_CHAT_CONTENT_REFINE_TEMPLATE
    """,
    Kind.TELL_RESULT: """
        indices.struct_store.sql_query.DEFAULT_RESPONSE_SYNTHESIS_PROMPT
        indices.struct_store.sql_query.DEFAULT_RESPONSE_SYNTHESIS_PROMPT_V2
        indices.struct_store.json_query.DEFAULT_RESPONSE_SYNTHESIS_PROMPT
        indices.property_graph.sub_retrievers.text_to_cypher.DEFAULT_SUMMARY_TEMPLATE
        query_engine.knowledge_graph_query_engine.DEFAULT_KG_RESPONSE_ANSWER_PROMPT
        query_engine.sql_join_query_engine.DEFAULT_SQL_JOIN_SYNTHESIS_PROMPT
        query_engine.sql_vector_query_engine.DEFAULT_SQL_VECTOR_SYNTHESIS_PROMPT
    """,
    Kind.CONDENSE: """
        chat_engine.condense_question.DEFAULT_PROMPT
        chat_engine.condense_plus_context.DEFAULT_CONDENSE_PROMPT_TEMPLATE
    """,
    Kind.ASK_AGAIN: """
        prompts.default_prompts.DEFAULT_HYDE_PROMPT
        indices.query.query_transform.prompts.DEFAULT_DECOMPOSE_QUERY_TRANSFORM_PROMPT
        indices.query.query_transform.prompts.DEFAULT_IMAGE_OUTPUT_PROMPT
        indices.query.query_transform.feedback_transform.DEFAULT_RESYNTHESIS_PROMPT
        indices.struct_store.container_builder.DEFAULT_CONTEXT_QUERY_TMPL
    """,
    Kind.ASK_NEXT: """
        indices.query.query_transform.prompts.DEFAULT_STEP_DECOMPOSE_QUERY_TRANSFORM_PROMPT
    """,
    Kind.ASK_MORE: """
        query_engine.sql_join_query_engine.DEFAULT_SQL_AUGMENT_TRANSFORM_PROMPT
    """,
    Kind.SPLIT: "question_gen.prompts.DEFAULT_SUB_QUESTION_PROMPT_TMPL",
    Kind.VARY: "retrievers.fusion_retriever.QUERY_GEN_PROMPT",
    Kind.PLAN_SEARCHES: "query_engine.flare.base.DEFAULT_INSTRUCT_PROMPT",
    Kind.INSERT_ANSWERS: "query_engine.flare.answer_inserter.DEFAULT_ANSWER_INSERT_PROMPT",
    Kind.CHOOSE: """
        selectors.prompts.DEFAULT_SINGLE_SELECT_PROMPT
        selectors.prompts.DEFAULT_SINGLE_PYD_SELECT_PROMPT_TMPL
    """,
    Kind.CHOOSE_SEVERAL: """
        selectors.prompts.DEFAULT_MULTIPLE_SELECT_PROMPT
        selectors.prompts.DEFAULT_MULTI_PYD_SELECT_PROMPT_TMPL
    """,
    Kind.NUMBER: "prompts.default_prompts.DEFAULT_QUERY_PROMPT",
    Kind.NUMBERS: "prompts.default_prompts.DEFAULT_QUERY_PROMPT_MULTIPLE",
    Kind.PLACE: "prompts.default_prompts.DEFAULT_INSERT_PROMPT",
    Kind.RELEVANCE: """
        prompts.default_prompts.DEFAULT_CHOICE_SELECT_PROMPT
        prompts.default_prompts.STRUCTURED_CHOICE_SELECT_PROMPT
        prompts.chat_prompts.CHAT_CONTENT_CHOICE_SELECT_PROMPT
    """,
    Kind.RANK: "prompts.default_prompts.RANKGPT_RERANK_PROMPT",
    Kind.KEYWORDS: """
        prompts.default_prompts.DEFAULT_KEYWORD_EXTRACT_TEMPLATE
        prompts.default_prompts.DEFAULT_QUERY_KEYWORD_EXTRACT_TEMPLATE
    """,
    Kind.KEYWORD_LIST: "extractors.metadata_extractors.DEFAULT_KEYWORD_EXTRACT_TEMPLATE",
    Kind.SYNONYMS: "indices.knowledge_graph.retrievers.DEFAULT_SYNONYM_EXPAND_PROMPT",
    Kind.SYNONYMS_JOINED: """
        indices.property_graph.sub_retrievers.llm_synonym.DEFAULT_SYNONYM_EXPAND_TEMPLATE
    """,
    Kind.TITLE: """
        extractors.metadata_extractors.DEFAULT_TITLE_NODE_TEMPLATE
        extractors.metadata_extractors.DEFAULT_TITLE_COMBINE_TEMPLATE
    """,
    Kind.SUMMARY: """
        prompts.default_prompts.DEFAULT_SUMMARY_PROMPT
        extractors.metadata_extractors.DEFAULT_SUMMARY_EXTRACT_TEMPLATE
        extractors.metadata_extractors.DEFAULT_EXTRACT_TEMPLATE_STR
        postprocessor.node_recency.DEFAULT_QUERY_EMBEDDING_TMPL
    """,
    Kind.QUESTIONS: """
        extractors.metadata_extractors.DEFAULT_QUESTION_GEN_TMPL
        evaluation.dataset_generation.DEFAULT_QUESTION_GENERATION_PROMPT
        llama_dataset.legacy.embedding.DEFAULT_QA_GENERATE_PROMPT_TMPL
    """,
    Kind.FACTS: "memory.memory_blocks.fact.DEFAULT_FACT_EXTRACT_PROMPT",
    Kind.FEWER_FACTS: "memory.memory_blocks.fact.DEFAULT_FACT_CONDENSE_PROMPT",
    Kind.FAITHFUL: """
        evaluation.faithfulness.DEFAULT_EVAL_TEMPLATE
        evaluation.faithfulness.LLAMA3_8B_EVAL_TEMPLATE
        evaluation.multi_modal.faithfulness.DEFAULT_EVAL_TEMPLATE
    """,
    Kind.FAITHFUL_STILL: """
        evaluation.faithfulness.DEFAULT_REFINE_TEMPLATE
        evaluation.multi_modal.faithfulness.DEFAULT_REFINE_TEMPLATE
    """,
    Kind.RELEVANT: """
        evaluation.relevancy.DEFAULT_EVAL_TEMPLATE
        evaluation.multi_modal.relevancy.DEFAULT_EVAL_TEMPLATE
    """,
    Kind.RELEVANT_STILL: """
        evaluation.relevancy.DEFAULT_REFINE_TEMPLATE
        evaluation.multi_modal.relevancy.DEFAULT_REFINE_TEMPLATE
    """,
    Kind.CONTEXT_SCORE: "evaluation.context_relevancy.DEFAULT_EVAL_TEMPLATE",
    Kind.CONTEXT_SCORE_STILL: "evaluation.context_relevancy.DEFAULT_REFINE_TEMPLATE",
    Kind.ANSWER_SCORE: "evaluation.answer_relevancy.DEFAULT_EVAL_TEMPLATE",
    Kind.CORRECTNESS: """
        evaluation.correctness.DEFAULT_EVAL_TEMPLATE
        evaluation.correctness.DEFAULT_USER_TEMPLATE
    """,
    Kind.BETTER_OF_TWO: """
        evaluation.pairwise.DEFAULT_EVAL_TEMPLATE
        evaluation.pairwise.DEFAULT_USER_TEMPLATE
    """,
    Kind.CRITICISM: "evaluation.guideline.DEFAULT_EVAL_TEMPLATE",
    Kind.TRIPLETS: "prompts.default_prompts.DEFAULT_KG_TRIPLET_EXTRACT_PROMPT",
    Kind.TRIPLETS_JSON: """
        prompts.default_prompts.DEFAULT_DYNAMIC_EXTRACT_PROMPT
        prompts.default_prompts.DEFAULT_DYNAMIC_EXTRACT_PROPS_PROMPT
        indices.property_graph.transformations.schema_llm.DEFAULT_SCHEMA_PATH_EXTRACT_PROMPT
    """,
    Kind.FIELDS: "prompts.default_prompts.DEFAULT_SCHEMA_EXTRACT_PROMPT",
    Kind.SQL: """
        prompts.default_prompts.DEFAULT_TEXT_TO_SQL_PROMPT
        prompts.default_prompts.DEFAULT_TEXT_TO_SQL_PGVECTOR_PROMPT
        prompts.default_prompts.DEFAULT_JSONALYZE_PROMPT
    """,
    Kind.CYPHER: "graph_stores.types.DEFAULT_CYPHER_TEMPALTE",
    Kind.JSON_PATH: "prompts.default_prompts.DEFAULT_JSON_PATH_PROMPT",
    Kind.STORE_QUERY: """
        indices.vector_store.retrievers.auto_retriever.prompts.DEFAULT_VECTOR_STORE_QUERY_PROMPT
    """,
    Kind.DIRECTION: """
        postprocessor.node.DEFAULT_INFER_PREV_NEXT_TMPL
        postprocessor.node.DEFAULT_REFINE_INFER_PREV_NEXT_TMPL
    """,
    Kind.MASK: "postprocessor.pii.DEFAULT_PII_TMPL",
}
"""By what it asks for, each template that is sent to a model on its own."""

SYSTEM_TEMPLATES: dict[Kind, str] = {
    Kind.ANSWER: """
        chat_engine.context.DEFAULT_CONTEXT_TEMPLATE
        chat_engine.condense_plus_context.DEFAULT_CONTEXT_PROMPT_TEMPLATE
    """,
    Kind.REFINE: """
        chat_engine.context.DEFAULT_REFINE_TEMPLATE
        chat_engine.condense_plus_context.DEFAULT_CONTEXT_REFINE_PROMPT_TEMPLATE
    """,
    Kind.CODE: "agent.workflow.codeact_agent.DEFAULT_CODE_ACT_PROMPT",
}
"""Those that are the system's message; what was said, and the question, come after it."""

FORMATTED_SYSTEM_TEMPLATES: dict[Kind, str] = {
    Kind.REASON: """
        agent.react.prompts.REACT_CHAT_SYSTEM_HEADER
        agent.react.prompts.CONTEXT_REACT_CHAT_SYSTEM_HEADER
    """,
}
"""The same, filled in by `str.format`, which makes one brace of two."""

CONVERSATION = "conversation"
"""The field that holds what follows a system's template: in a prompt that is one text, all
messages; in a message, the system prompt of the application."""


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The shapes of all prompts, the longest first, as it asks for most agreement."""

    texts: tuple[tuple[Kind, Shape], ...]
    messages: tuple[tuple[Kind, tuple[tuple[str, Shape], ...]], ...]
    systems: tuple[tuple[Kind, Shape], ...]
    system_texts: tuple[tuple[Kind, Shape], ...]


def template(path: str) -> BasePromptTemplate | str | None:
    """What the installed LlamaIndex has under a name of this module; None where it has nothing."""
    module, _, name = path.rpartition(".")
    try:
        found = getattr(importlib.import_module(f"{PACKAGE}.{module}"), name, None)
    except ImportError:
        return None
    return found if isinstance(found, BasePromptTemplate | str) else None


@functools.cache
def catalogue() -> Catalogue:
    """The shapes of the prompts of the installed LlamaIndex."""
    forms: list[tuple[Kind, Forms]] = [
        (kind, forms_of(found))
        for kind, names in TEMPLATES.items()
        for path in names.split()
        if (found := template(path)) is not None
    ]
    systems = [(kind, _filled(text)) for kind, text in _texts(SYSTEM_TEMPLATES)]
    systems += [(kind, _formatted(text)) for kind, text in _texts(FORMATTED_SYSTEM_TEMPLATES)]
    return Catalogue(
        texts=_longest_first([(kind, shape) for kind, one in forms for shape in one.texts]),
        messages=tuple((kind, one.messages) for kind, one in forms if one.messages),
        systems=_longest_first(
            # An application's own system prompt is written right behind.
            [(kind, shape_of(f"{text.rstrip()}{marked(CONVERSATION)}")) for kind, text in systems]
        ),
        system_texts=_longest_first(
            [
                (kind, shape_of(f"system: {text.rstrip()}{marked(CONVERSATION)}\nassistant:"))
                for kind, text in systems
            ]
        ),
    )


def _texts(names: dict[Kind, str]) -> list[tuple[Kind, str]]:
    found = [(kind, template(path)) for kind, paths in names.items() for path in paths.split()]
    return [(kind, text) for kind, text in found if isinstance(text, str)]


def _filled(text: str) -> str:
    names = PromptTemplate(text).template_vars
    return PromptTemplate(text).format(None, None, **{name: marked(name) for name in names})


def _formatted(text: str) -> str:
    names = ("tool_desc", "tool_names", "context")
    return text.format(**{name: marked(name) for name in names})


def _longest_first(found: list[tuple[Kind, Shape | None]]) -> tuple[tuple[Kind, Shape], ...]:
    known = [(kind, shape) for kind, shape in found if shape is not None]
    return tuple(sorted(known, key=lambda one: -one[1].length))
