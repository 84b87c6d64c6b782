"""An answer with its evidence in one HTML file, which anyone can check without Pincite."""

from pincite.bundling.evidence import Evidence, gathered
from pincite.bundling.page import bundle_page

__all__ = ["Evidence", "bundle_page", "gathered"]
