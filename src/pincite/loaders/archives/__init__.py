"""Archives and packed files."""
