"""Text in the codes of mainframes, which differ from each other in seven signs."""

from __future__ import annotations

import pytest

from pincite.loaders.decoding import decode


@pytest.mark.parametrize("encoding", ["cp037", "cp500"])
def test_the_two_codes_of_mainframes_are_told_apart_by_their_signs(encoding: str) -> None:
    text = "Dear reader! The list [see below] holds it all, and nobody knew. " * 6
    assert decode(text.encode(encoding)).text == text
