"""Word, PowerPoint, OpenDocument and RTF."""
