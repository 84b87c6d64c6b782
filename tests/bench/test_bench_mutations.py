"""The rules by which quotes are mutated and documents edited."""

import random

from bench.data import DataSet, SourceText

from bench import edits, mutations

SENTENCE = "You must not pay more than $500 within 30 days, unless Anna Smith agreed in May 2024."
TEXT = (
    f"# Fees\n\n{SENTENCE} The office in Berlin answers letters.\n\n"
    "A refund takes 5 working days and goes to the card that you paid with before.\n\n"
    "Gift cards are valid for 5 years, however they cannot be returned to any shop.\n"
)
DATA = DataSet("set", (SourceText("a.md", "A", TEXT),), ())


def test_every_rule_makes_other_words_of_a_sentence_that_has_what_it_changes() -> None:
    made = list(mutations.mutations(SENTENCE, ["Bertha"], random.Random(1)))
    kinds = {kind for kind, _ in made}
    assert kinds >= {"date", "modal", "name", "negation", "number", "order", "truncation", "unit"}
    assert all(words != SENTENCE for _, words in made)


def test_no_mutation_is_accepted_and_every_layout_is() -> None:
    record = mutations.measure([DATA], quotes=8)
    assert mutations.count(record["asked"], "all mutations") > 20
    assert mutations.holds(record), record["wrong"]
    accepted = record["accepted"]
    assert mutations.count(accepted["substring"], "all mutations") > 0
    assert mutations.count(accepted["fuzzy"], "all mutations") > 20


def test_what_became_of_citations_is_known_from_the_edits() -> None:
    long = DataSet("set", tuple(SourceText(f"{n}.md", "T", TEXT * 4) for n in range(3)), ())
    record = edits.measure([long], edits=6)
    assert record["edits"] == 6
    assert set(record["before_any_edit"]) == {"valid"}
    assert edits.summary(record)["changed or gone, told valid"] == 0
