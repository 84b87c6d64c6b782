"""Trains the close reader: a small transformer that reads question and sentence together.

    python -m training.fit_reader PAIRS.jsonl [...] --weights DIR --out FILE.npz [--minutes 60]

PAIRS come from `training.pairs`; DIR holds model.safetensors and tokenizer.json of
all-MiniLM-L6-v2, from whose weights it starts. Needs torch. The learning rate falls to zero over
the minutes given, so the weights depend on the machine: they are kept in the repository, and
`models/build.py` makes the graph from them to the byte.

The word table stays as the sentence encoder ships it (int8), so that both models share it.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import struct
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import tokenizers
import torch
from torch import Tensor, nn
from torch.nn import functional

from training.held_out import is_held_out, title_of

LAYERS, WIDTH, HEADS, INNER = 6, 384, 12, 1536
MAX_TOKENS = 96
WRONG = 2
"""Wrong sentences read with each right one."""
BATCH = 12
"""Questions."""
RATE = 1.2e-4
WARM_UP = 0.06
SHARES = dict.fromkeys(
    ("squad_train_part", "squadshifts_wiki", "squad_train_paras", "squad_train_paras2"), 0.5
)
"""Of sets that are alike and many."""
_NAME = re.compile(r"(?<!^)\b[A-Z][\w'’-]+(?:\s+(?:of\s+|the\s+)?[A-Z][\w'’-]+)*")
_NUMBER = re.compile(r"\b\d[\d,.]*\b")


@dataclass(frozen=True)
class Group:
    """One question and what is read with it; the first sentence is right, or none is."""

    token_ids: list[list[int]]
    types: list[list[int]]
    has_right: bool
    swapped: bool
    """The last one asks about another name or number than the right sentence has."""


class Reader(nn.Module):
    """BERT with six layers, and one number from the vector of its first token."""

    def __init__(self) -> None:
        super().__init__()
        self.words = nn.Embedding(30522, WIDTH)
        self.places = nn.Embedding(512, WIDTH)
        self.types = nn.Embedding(2, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.pool = nn.Linear(WIDTH, WIDTH)
        self.out = nn.Linear(WIDTH, 1)
        self.dropout = nn.Dropout(0.1)

    def forward(self, ids: Tensor, types: Tensor) -> Tensor:
        mask = ids != 0
        places = torch.arange(ids.shape[1])
        hidden = self.words(ids) + self.places(places) + self.types(types)
        hidden = self.dropout(self.norm(hidden))
        for layer in self.layers:
            hidden = layer(hidden, mask)
        first = torch.tanh(self.pool(hidden[:, 0]))
        return self.out(self.dropout(first)).squeeze(-1).float()


class Layer(nn.Module):
    """Attention and a feed-forward block, normalised after each."""

    def __init__(self) -> None:
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(WIDTH, WIDTH) for _ in range(3))
        self.mixed = nn.Linear(WIDTH, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.inner = nn.Linear(WIDTH, INNER)
        self.outer = nn.Linear(INNER, WIDTH)
        self.last_norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.dropout = nn.Dropout(0.1)

    def forward(self, hidden: Tensor, mask: Tensor) -> Tensor:
        many, length, _ = hidden.shape

        def split(value: Tensor) -> Tensor:
            return value.view(many, length, HEADS, WIDTH // HEADS).transpose(1, 2)

        mixed = functional.scaled_dot_product_attention(
            split(self.query(hidden)),
            split(self.key(hidden)),
            split(self.value(hidden)),
            attn_mask=mask[:, None, None, :],
        )
        mixed = mixed.transpose(1, 2).reshape(many, length, WIDTH)
        hidden = self.norm(hidden + self.dropout(self.mixed(mixed)))
        inner = self.outer(functional.gelu(self.inner(hidden)))
        return self.last_norm(hidden + self.dropout(inner))


NAMES = {
    "attention.self.query": "query",
    "attention.self.key": "key",
    "attention.self.value": "value",
    "attention.output.dense": "mixed",
    "attention.output.LayerNorm": "norm",
    "intermediate.dense": "inner",
    "output.dense": "outer",
    "output.LayerNorm": "last_norm",
}


def start_from(reader: Reader, path: Path) -> None:
    """Load the weights of the sentence encoder; the word table as int8 makes it."""
    raw = path.read_bytes()
    (size,) = struct.unpack_from("<Q", raw)
    header = json.loads(raw[8 : 8 + size])

    def tensor(name: str) -> Tensor:
        start, end = header[name]["data_offsets"]
        values = np.frombuffer(raw[8 + size + start : 8 + size + end], "<f4")
        return torch.from_numpy(values.reshape(header[name]["shape"]).copy())

    words = tensor("embeddings.word_embeddings.weight")
    scale = (words.abs().amax(1, keepdim=True) / 127).clamp_min(torch.finfo().tiny)
    loaded = {
        "words.weight": torch.round(words / scale) * scale,
        "places.weight": tensor("embeddings.position_embeddings.weight"),
        "types.weight": tensor("embeddings.token_type_embeddings.weight"),
    }
    for part in ("weight", "bias"):
        loaded[f"norm.{part}"] = tensor(f"embeddings.LayerNorm.{part}")
        loaded[f"pool.{part}"] = tensor(f"pooler.dense.{part}")
        for layer in range(LAYERS):
            for theirs, own in NAMES.items():
                name = f"encoder.layer.{layer}.{theirs}.{part}"
                loaded[f"layers.{layer}.{own}.{part}"] = tensor(name)
    missing = reader.load_state_dict(loaded, strict=False).missing_keys
    assert set(missing) == {"out.weight", "out.bias"}, missing
    nn.init.normal_(reader.out.weight, std=0.02)
    nn.init.zeros_(reader.out.bias)
    reader.words.weight.requires_grad = False


class Swapper:
    """Asks about another name or number of the same shape, met in another question."""

    def __init__(self, questions: Sequence[str]) -> None:
        self._names = [name for q in questions for name in _NAME.findall(q)]
        self._numbers = [number for q in questions for number in _NUMBER.findall(q)]

    def swapped(self, question: str, sentence: str, chance: random.Random) -> str | None:
        """The other question; None where there is nothing to swap."""
        found = [(match, self._names) for match in _NAME.finditer(question)]
        found += [(match, self._numbers) for match in _NUMBER.finditer(question)]
        # What the sentence itself says is what a close reader has to compare.
        found = [(m, others) for m, others in found if m.group() in sentence]
        if not found:
            return None
        match, others = chance.choice(found)
        for _ in range(10):
            other = chance.choice(others)
            if other.casefold() not in (question + sentence).casefold():
                return question[: match.start()] + other + question[match.end() :]
        return None


def groups(
    lines: Sequence[dict[str, Any]], tokenizer: tokenizers.Tokenizer, chance: random.Random
) -> Iterator[Group]:
    """The questions in a new order, each with the sentences it is read with."""
    swapper = Swapper([line["question"] for line in lines])
    order = list(range(len(lines)))
    chance.shuffle(order)
    for number in order:
        line = lines[number]
        question = line["question"]
        right = [s for s in line["sentences"] if s["right"]]
        wrong = [s for s in line["sentences"] if not s["right"]]
        # The nearer the top, the likelier: the hardest are read most.
        picked = sorted(
            range(len(wrong)),
            key=lambda i: chance.random() ** (1.0 / (1.0 / (1 + i))),
            reverse=True,
        )[:WRONG]
        read = [(question, wrong[i]) for i in sorted(picked)]
        swapped = None
        if right:
            one = chance.choice(right)
            read.insert(0, (question, one))
            if chance.random() < 0.4:
                swapped = swapper.swapped(question, one["text"], chance)
                if swapped:
                    read.append((swapped, one))
        if not read:
            continue
        encoded = tokenizer.encode_batch([(q, f"{s['text']} | {s['around']}") for q, s in read])
        yield Group(
            [e.ids for e in encoded], [e.type_ids for e in encoded], bool(right), bool(swapped)
        )


def batches(found: Iterator[Group]) -> Iterator[list[Group]]:
    """Groups of like lengths together, so that little is padding."""
    held: list[Group] = []
    for group in found:
        held.append(group)
        if len(held) == BATCH * 24:
            yield from _by_length(held)
            held = []
    yield from _by_length(held)


def _by_length(held: list[Group]) -> Iterator[list[Group]]:
    held.sort(key=lambda group: max(map(len, group.token_ids)))
    starts = list(range(0, len(held), BATCH))
    random.Random(len(held)).shuffle(starts)
    for start in starts:
        yield held[start : start + BATCH]


def padded(rows: Sequence[Sequence[int]]) -> Tensor:
    longest = max(map(len, rows))
    return torch.tensor([[*row, *([0] * (longest - len(row)))] for row in rows])


def loss_of(reader: Reader, batch: Sequence[Group]) -> Tensor:
    """Choosing the right sentence of each question, and whether each one answers."""
    ids = padded([row for group in batch for row in group.token_ids])
    types = padded([row for group in batch for row in group.types])
    with torch.autocast("cpu", torch.bfloat16):
        logits = reader(ids, types)
    choosing: list[Tensor] = []
    judging: list[Tensor] = []
    first = 0
    for group in batch:
        count = len(group.token_ids)
        own = logits[first : first + count]
        first += count
        answers = torch.zeros(count)
        answers[0] = float(group.has_right)
        judging.append(functional.binary_cross_entropy_with_logits(own, answers))
        rivals = own[: count - 1] if group.swapped else own
        if group.has_right and len(rivals) > 1:
            choosing.append(-functional.log_softmax(rivals, 0)[0])
    total = torch.stack(judging).mean()
    return total + torch.stack(choosing).mean() if choosing else total


def train(
    reader: Reader, lines: Sequence[dict[str, Any]], tokenizer: Any, minutes: float, out: Path
) -> None:
    """Train until the time is over, however many times the questions come round."""
    chance = random.Random(1)
    optimiser = torch.optim.AdamW(
        [p for p in reader.parameters() if p.requires_grad], lr=RATE, weight_decay=0.01
    )
    begun = time.monotonic()
    step, shown = 0, 0.0
    reader.train()
    while True:
        for batch in batches(groups(lines, tokenizer, chance)):
            done = (time.monotonic() - begun) / (60 * minutes)
            if done >= 1:
                return
            rate = RATE * min(1.0, done / WARM_UP) * (1 - done)
            for group in optimiser.param_groups:
                group["lr"] = rate
            loss = loss_of(reader, batch)
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(reader.parameters(), 1.0)
            optimiser.step()
            step += 1
            shown = 0.98 * shown + 0.02 * loss.item()
            if step % 50 == 0:
                save(reader, out)
                print(f"{step} {done:.3f} {shown / (1 - 0.98**step):.4f}", flush=True)


def save(reader: Reader, out: Path) -> None:
    """Write the weights but for the word table, which is the encoder's."""
    weights = {k: v.detach().numpy() for k, v in reader.state_dict().items() if k != "words.weight"}
    np.savez(out, **packed(weights))


def packed(weights: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The matrices of the products as int8 with one scale an output, as `models/build.py` has them.

    Transposed, so that the graph multiplies by them from the right; all else as it is.
    """
    held: dict[str, np.ndarray] = {}
    for name, value in weights.items():
        if value.ndim == 2 and name not in ("places.weight", "types.weight"):
            matrix = value.T
            largest = np.abs(matrix).max(axis=0, keepdims=True)
            scale = np.maximum(largest / np.float32(127), np.finfo(np.float32).tiny)
            held[name] = np.rint(matrix / scale).astype(np.int8)
            held[f"{name}.scale"] = scale.astype(np.float32).reshape(-1)
        else:
            held[name] = value if name != "places.weight" else value[:128]
    return held


def main() -> None:
    """Train and write the weights."""
    parser = argparse.ArgumentParser(prog="python -m training.fit_reader")
    parser.add_argument("pairs", type=Path, nargs="+")
    parser.add_argument("--weights", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=60)
    options = parser.parse_args()
    torch.manual_seed(1)
    tokenizer = tokenizers.Tokenizer.from_file(str(options.weights / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAX_TOKENS, strategy="only_second")
    lines = [json.loads(line) for path in options.pairs for line in path.open()]
    keep = random.Random(2)
    lines = [line for line in lines if keep.random() < SHARES.get(line["set"], 1.0)]
    lines = [
        line for line in lines if line["sentences"] and not is_held_out(line["set"], title_of(line))
    ]
    print(len(lines), "questions", flush=True)
    reader = Reader()
    start_from(reader, options.weights / "model.safetensors")
    train(reader, lines, tokenizer, options.minutes, options.out)
    save(reader, options.out)


if __name__ == "__main__":
    main()
