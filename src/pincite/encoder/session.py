"""Opens a model that ships in the package; whatever runs it is loaded no sooner than needed."""

from __future__ import annotations

import os
from importlib import resources
from typing import TYPE_CHECKING

from pincite.errors import MissingExtra

if TYPE_CHECKING:
    import onnxruntime
    import tokenizers

_INSTALL = "pip install onnxruntime tokenizers, which come with pincite"
_REINSTALL = "install pincite again without PINCITE_SKIP_MODEL, or go without, with --lexical"


def tokenizer_and_session(
    name: str,
) -> tuple[tokenizers.Tokenizer, onnxruntime.InferenceSession]:
    """The word pieces and the model in the file `name` of the package; `MissingExtra`."""
    try:
        import onnxruntime
        import tokenizers
    except ImportError as error:
        raise MissingExtra("what runs the models", install=_INSTALL) from error
    model = resources.files("pincite.encoder") / "model"
    try:
        tokenizer = tokenizers.Tokenizer.from_str((model / "tokenizer.json").read_text("utf-8"))
        graph = (model / name).read_bytes()
    except FileNotFoundError as error:
        raise MissingExtra(f"the model {name}", install=_REINSTALL) from error
    tokenizer.no_padding()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
    return tokenizer, session


def processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def sound(text: str) -> str:
    """`text` as the tokenizer can take it: a lone surrogate, which UTF-8 has no bytes for, is
    replaced."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")
