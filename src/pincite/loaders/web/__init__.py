"""Web pages, saved pages and books."""
