"""What a text is made of: languages, sentences, passages, terms."""

ANALYSIS = "2"
"""Version of all of it: to be changed whenever any text comes out cut or analysed differently,
so that indexes made before are built anew."""
