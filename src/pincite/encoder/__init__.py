"""The models that ship in the package: sentence vectors, and close reading of pairs."""
