"""Build hook of the wheel: makes the models where it is not there yet."""

from __future__ import annotations

import os
import runpy
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SKIP = "PINCITE_SKIP_MODEL"


class ModelBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """Runs models/build.py before a wheel is packed or an editable install is made.

    A wheel without its model would fail only when somebody encodes a text, so a model that
    cannot be made fails the build, unless the environment says to go without.
    """

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        build = runpy.run_path(str(Path(self.root) / "models" / "build.py"))
        wrong = build["problems"]()
        if not wrong:
            return
        if os.environ.get(SKIP, "") not in ("", "0"):
            self.app.display_warning(f"{SKIP} is set: Pincite is built without its models")
            return
        try:
            build["build"]()
        except build["BuildError"] as error:
            sys.exit(
                f"{error}\nThe models could not be made. Where the weights cannot "
                f"be had, set {SKIP}=1 to build Pincite without it."
            )
