"""Structured data, notebooks and subtitles."""
