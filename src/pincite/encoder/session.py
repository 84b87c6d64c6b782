"""Opens a model that ships in the package; whatever runs it is loaded no sooner than needed."""

from __future__ import annotations

import functools
import os
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.encoder.word_pieces import WordPieces
from pincite.errors import MissingExtra

if TYPE_CHECKING:
    import onnxruntime

MODELS = Path(__file__).parent / "model"
ENCODER, READER = "encoder.onnx", "close_reader.onnx"
_LOADING = {ENCODER: threading.Lock(), READER: threading.Lock()}
_INSTALL = "pip install onnxruntime, which comes with pincite"
_REINSTALL = "install pincite again without PINCITE_SKIP_MODEL, or go without, with --lexical"


def open_model(name: str) -> onnxruntime.InferenceSession:
    """The model in the file `name` of the package, run on one thread; `MissingExtra`.

    The same one whenever it is asked for: a process holds each once, however many indexes it has.
    """
    with _LOADING[name]:
        return _opened(MODELS / name)


@functools.cache
def _opened(model: Path) -> onnxruntime.InferenceSession:
    try:
        import onnxruntime
    except ImportError as error:
        raise MissingExtra("what runs the models", install=_INSTALL) from error
    if not model.is_file():
        raise MissingExtra(f"the model {model.name}", install=_REINSTALL)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # By its path, because the word table stands in a file beside it.
    return onnxruntime.InferenceSession(
        os.fspath(model), options, providers=["CPUExecutionProvider"]
    )


@functools.cache
def word_pieces() -> WordPieces:
    """The word pieces of the models, which share one vocabulary; `MissingExtra`."""
    try:
        lines = (MODELS / "vocabulary.txt").read_text("utf-8")
    except FileNotFoundError as error:
        raise MissingExtra("the vocabulary of the models", install=_REINSTALL) from error
    return WordPieces(lines.split("\n")[:-1])


def processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
