"""Measures Pincite on data sets in the common format: `python -m bench`."""
