"""Plain text, Markdown, light markup and source code: text that is the file itself."""
