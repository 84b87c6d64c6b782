"""What a caller or a person sees: the published JSON records, and text for a terminal."""

from pincite.render.record import (
    dumps,
    error_to_json,
    load_schema,
    search_to_json,
    to_json,
)

__all__ = ["dumps", "error_to_json", "load_schema", "search_to_json", "to_json"]
