"""Whether a citation holds: the same words, in the same place, with nothing left out."""
