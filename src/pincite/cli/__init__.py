"""The command `pincite`: answers on stdout, everything else on stderr."""

from pincite.cli.entry import main, run

__all__ = ["main", "run"]
