"""Nodes without a sentence that answers are dropped, each with its reason."""

import math

import pytest
from llama_index.core import VectorStoreIndex
from llama_index.core.schema import NodeWithScore, TextNode

from pincite.llama_index import ExtractiveLLM, LocalEmbedding, SupportedCutoff

LAMPS = "The LMP-310 floor lamp weighs 2.4 kg."
REFUNDS = "Refunds reach your card within 5 working days."
QUESTION = "How much does the LMP-310 weigh?"


def nodes(*scores: float | None) -> list[NodeWithScore]:
    texts = (LAMPS, REFUNDS)
    return [
        NodeWithScore(node=TextNode(text=texts[number % 2], id_=f"n{number}"), score=score)
        for number, score in enumerate(scores)
    ]


def kept(cutoff: SupportedCutoff, given: list[NodeWithScore]) -> list[tuple[str, float | None]]:
    found = cutoff.postprocess_nodes(given, query_str=QUESTION)
    return [(one.node.node_id, one.score) for one in found]


def test_only_nodes_that_answer_are_kept_whatever_their_score() -> None:
    assert kept(SupportedCutoff(), nodes(0.1, 0.9)) == [("n0", 0.1)]
    assert kept(SupportedCutoff(minimum=0.0), nodes(0.1, 0.9)) == [("n0", 0.1), ("n1", 0.9)]
    assert kept(SupportedCutoff(), []) == []


def test_every_node_that_answers_is_kept_and_not_the_best_alone() -> None:
    shade = "The LMP-310 lamp weighs 2.9 kg with its shade."
    given = [
        NodeWithScore(node=TextNode(text=text, id_=text), score=0.5)
        for text in (LAMPS, REFUNDS, shade)
    ]
    verdicts = SupportedCutoff().verdicts(given, QUESTION)
    assert [one.kept for one in verdicts] == [True, False, True]
    assert all(one.confidence > 0.4 for one in verdicts if one.kept)
    # In any order the same is said of each.
    again = SupportedCutoff().verdicts(given[::-1], QUESTION)
    assert again[::-1] == verdicts


def test_a_node_below_the_cutoff_is_told_how_sure_its_best_sentence_is() -> None:
    near = "The LMP-310 comes in blue."
    given = [NodeWithScore(node=TextNode(text=text, id_=text)) for text in (LAMPS, near)]
    _, verdict = SupportedCutoff(minimum=0.45).verdicts(given, QUESTION)
    assert not verdict.kept
    assert verdict.reason == (
        f"its best sentence answers with a confidence of {verdict.confidence:.2f}, below 0.45"
    )
    assert verdict.confidence > 0


def test_sentences_are_read_closely_where_that_is_wanted() -> None:
    by_words, closely = (
        SupportedCutoff(close_reading=one).verdicts(nodes(0.1, 0.9), QUESTION)
        for one in (False, True)
    )
    assert [one.kept for one in closely] == [one.kept for one in by_words] == [True, False]
    assert closely[0].confidence != by_words[0].confidence
    german = "Wie viel wiegt die LMP-310?"
    text = TextNode(text="Die Stehlampe LMP-310 wiegt 2,4 kg und ist aus Stahl gemacht.")
    (verdict,) = SupportedCutoff(close_reading=True).verdicts([NodeWithScore(node=text)], german)
    assert verdict.kept


def test_a_score_that_is_none_or_not_a_number_decides_nothing_without_a_cutoff() -> None:
    assert kept(SupportedCutoff(), nodes(math.nan, 0.9, None)) == [("n0", None), ("n2", None)]


def test_with_a_cutoff_they_are_dropped_and_the_reason_says_so() -> None:
    cutoff = SupportedCutoff(similarity_cutoff=0.5)
    verdicts = cutoff.verdicts(nodes(math.nan, 0.9, None, 0.9, 0.2, 0.9, 0.8), QUESTION)
    assert [one.kept for one in verdicts] == [False] * 6 + [True]
    assert [one.reason for one in verdicts] == [
        "its score is not a number",
        "no sentence of it has to do with the question",
        "it has no score",
        "no sentence of it has to do with the question",
        "its score 0.200 is below 0.500",
        "no sentence of it has to do with the question",
        "it holds an answer",
    ]


@pytest.mark.parametrize("question", ["", " ", "?"])
def test_without_a_question_nothing_raises(question: str) -> None:
    SupportedCutoff().verdicts(nodes(0.5, 0.5), question)
    assert SupportedCutoff().postprocess_nodes(nodes(0.5))


def test_it_works_in_a_query_engine() -> None:
    given = [one.node for one in nodes(None, None)]
    index = VectorStoreIndex(given, embed_model=LocalEmbedding())  # type: ignore[arg-type]
    engine = index.as_query_engine(llm=ExtractiveLLM(), node_postprocessors=[SupportedCutoff()])
    assert [one.node.node_id for one in engine.query(QUESTION).source_nodes] == ["n0"]
    assert not engine.query("Who painted the ceiling of the chapel?").source_nodes
