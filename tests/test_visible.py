"""Patterns of paths that say which documents somebody sees."""

from __future__ import annotations

import unicodedata

import pytest

from pincite.visible import Visible


@pytest.mark.parametrize(
    ("pattern", "seen", "unseen"),
    [
        ("**", "a/b.md", None),
        ("hr/", "hr/a.md", "hr.md"),
        ("/hr/", "hr/a.md", "old/hr/a.md"),
        ("*.md", "deep/in/a.md", "a.txt"),
        ("public/*.md", "public/a.md", "public/inner/a.md"),
        ("mail.mbox", "mail.mbox/3", "mail.mbox2"),
        ("[*]x", "*x", "ax"),
    ],
)
def test_patterns_are_those_of_gitignore(pattern: str, seen: str, unseen: str | None):
    assert Visible((pattern,)).sees(seen)
    assert unseen is None or not Visible((pattern,)).sees(unseen)


def test_what_is_denied_is_not_seen_whatever_allows_it():
    visible = Visible(("**", "hr/holidays.md"), ("hr/",))

    assert visible.sees("travel.md")
    assert not visible.sees("hr/holidays.md")


def test_nothing_is_seen_where_nothing_is_allowed():
    assert not Visible((), ()).sees("a.md")


@pytest.mark.parametrize(
    "pattern",
    [
        *("", " ", "hr/ ", "!hr/", "hr\\", "./hr/", "../hr", "a/../b", "#hr", "/"),
        *("[z-a]", "a[", "a\nb", "a\0b"),
    ],
)
def test_a_pattern_that_would_never_fit_is_told(pattern: str):
    with pytest.raises(ValueError, match="is no pattern of paths"):
        Visible(("**",), (pattern,))


def test_a_name_counts_the_same_however_its_letters_are_composed():
    composed = unicodedata.normalize("NFC", "Prüfung.md")
    apart = unicodedata.normalize("NFD", composed)

    assert not Visible(("**",), (composed,)).sees(apart)
    assert not Visible(("**",), (apart,)).sees(composed)


def test_only_a_rule_that_leaves_nothing_out_is_everything():
    assert Visible().is_everything
    assert not Visible(("**",), ("hr/",)).is_everything
    assert not Visible(("*",)).is_everything


def test_of_a_folder_is_told_only_to_who_sees_what_is_in_it():
    visible = Visible(("**",), ("hr/**",))

    assert visible.sees("hr")
    assert not visible.sees_about("hr")
    assert visible.sees_about("public")


def test_equal_rules_are_equal_however_they_are_written():
    assert Visible(("b", "a", "a")) == Visible(("a", "b"))


def test_two_rules_together_see_what_one_of_them_sees():
    staff, hr = Visible(("**",), ("hr/",)), Visible(("hr/*.md",))

    assert (staff | hr).sees("hr/pay.md")
    assert (staff | hr).sees("a.md")
    assert not (staff | hr).sees("hr/pay.xlsx")
    assert staff | hr == hr | staff
    assert staff | hr | staff == staff | hr


def test_with_one_rule_that_leaves_nothing_out_nothing_is_left_out():
    assert Visible(("**",), ("hr/",)) | Visible() == Visible()
    assert Visible(()) | Visible(("a",)) == Visible(("a",))
    assert Visible(()) | Visible(()) == Visible(())
