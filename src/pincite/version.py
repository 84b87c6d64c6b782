"""The version, as code: asking the package metadata for it costs every start some 40 ms."""

__version__ = "0.1.0"
