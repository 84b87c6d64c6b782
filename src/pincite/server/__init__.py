"""Answers over HTTP: the documents of a team behind one address."""
