"""What is there for a caller follows from the rules, in whatever order they stand."""

from __future__ import annotations

import itertools

import pytest

from pincite.server.access import LOCAL, Caller, DocumentRule, Right


def test_without_rules_no_collection_is_there():
    assert Caller("nobody", frozenset(Right)).visible("handbook") is None


def test_a_rule_for_one_collection_gives_no_other():
    caller = Caller("anna", rules=(DocumentRule("handbook"),))

    assert caller.visible("handbook").is_everything
    assert caller.visible("contracts") is None


def test_what_one_rule_leaves_out_another_gives_in_any_order():
    rules = (
        DocumentRule("handbook", but=("hr/",)),
        DocumentRule("*", ("hr/holidays.md",)),
        DocumentRule("contracts", ("hr/",)),
    )

    for ordered in itertools.permutations(rules):
        visible = Caller("anna", rules=ordered).visible("handbook")
        assert visible == Caller("anna", rules=rules).visible("handbook")
        assert visible.sees("travel.md")
        assert visible.sees("hr/holidays.md")
        assert not visible.sees("hr/pay.md")


def test_the_local_caller_sees_everything_and_may_do_it():
    assert LOCAL.visible("any").is_everything
    assert all(LOCAL.may(right) for right in Right)


def test_no_right_includes_another():
    admin = Caller("root", frozenset({Right.ADMIN}))

    assert not admin.may(Right.ASK)


def test_a_rule_names_its_collection():
    with pytest.raises(ValueError, match="names no collection"):
        DocumentRule("")


@pytest.mark.parametrize("rule", [{"paths": ()}, {"paths": ("",)}, {"but": ("!a",)}])
def test_a_rule_that_could_not_be_meant_is_told(rule):
    with pytest.raises(ValueError, match=r"names no paths|no pattern of paths"):
        DocumentRule("handbook", **rule)
