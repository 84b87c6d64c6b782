"""Trains the close reader: a small transformer that reads question and sentence together.

    python -m training.fit_reader PAIRS.jsonl [...] --weights DIR --out FILE.npz [--minutes 60]
                                  [--start FILE.npz]

PAIRS come from `training.pairs`; DIR holds model.safetensors and tokenizer.json of
all-MiniLM-L6-v2, from whose weights it starts, or goes on from those of an earlier run. Besides
telling which sentence answers it learns to point at the answer inside the sentence, which teaches
more a question; that part is not kept. Needs torch. The learning rate falls to zero over
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
SWAPPED = 0.5
"""Share of the questions that are also asked in a way that the right sentence does not answer."""
RATE = 1.2e-4
WARM_UP = 0.06
FROZEN = 2
"""First layers that stay as they are when it goes on from an earlier run."""
POINTING = 0.3
"""Weight of pointing at the answer."""
SHARES = dict.fromkeys(
    ("squad_train_part", "squadshifts_wiki", "squad_train_paras", "squad_train_paras2"), 0.5
)
"""Of sets that are alike and many."""
TWICE = frozenset({"nq_gold", "selqa"})
"""Sets of questions that people asked without having read the answer: few, and most like those of
users. So are the questions that were written not to be answered."""
_NAME = re.compile(r"(?<!^)\b[A-Z][\w'’-]+(?:\s+(?:of\s+|the\s+)?[A-Z][\w'’-]+)*")
_NUMBER = re.compile(r"\b\d[\d,.]*\b")


@dataclass(frozen=True)
class Group:
    """One question and what is read with it; the first sentence is right, or none is."""

    token_ids: list[list[int]]
    types: list[list[int]]
    has_right: bool
    swapped: bool
    """The last one asks almost the same, but what the first sentence does not say."""
    answer: tuple[int, int] | None
    """First and last token of the answer in the first sentence."""


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
        self.ends = nn.Linear(WIDTH, 2)
        self.dropout = nn.Dropout(0.1)

    def forward(self, ids: Tensor, types: Tensor) -> tuple[Tensor, Tensor]:
        """How well each pair answers, and each token as the answer's first and last."""
        mask = ids != 0
        places = torch.arange(ids.shape[1])
        hidden = self.words(ids) + self.places(places) + self.types(types)
        hidden = self.dropout(self.norm(hidden))
        for layer in self.layers:
            hidden = layer(hidden, mask)
        first = torch.tanh(self.pool(hidden[:, 0]))
        ends = self.ends(hidden).masked_fill(~mask[:, :, None], -1e4)
        return self.out(self.dropout(first)).squeeze(-1).float(), ends.float()


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
    assert set(missing) == {"out.weight", "out.bias", "ends.weight", "ends.bias"}, missing
    for part in (reader.out, reader.ends):
        nn.init.normal_(part.weight, std=0.02)
        nn.init.zeros_(part.bias)
    reader.words.weight.requires_grad = False


def go_on_from(reader: Reader, path: Path) -> None:
    """Load the weights that an earlier run saved."""
    with np.load(path) as stored:
        own = reader.state_dict()
        for name in stored.files:
            if name.endswith(".scale"):
                continue
            value = stored[name]
            if f"{name}.scale" in stored.files:
                value = (value.astype(np.float32) * stored[f"{name}.scale"]).T
            own[name][: len(value)] = torch.from_numpy(np.ascontiguousarray(value))
    # What the first layers learn, the earlier run has taught them; the rest goes faster alone.
    for part in (reader.words, reader.places, reader.types, reader.norm, *reader.layers[:FROZEN]):
        part.requires_grad_(False)


OPPOSITES = (
    "first last|largest smallest|biggest smallest|highest lowest|most least|more fewer|more less|"
    "before after|oldest newest|oldest youngest|earliest latest|longest shortest|best worst|"
    "increase decrease|increased decreased|rise fall|north south|northern southern|east west|"
    "eastern western|minimum maximum|upper lower|start end|began ended|open closed|above below|"
    "won lost|gain lose|allowed forbidden|required optional|included excluded|male female|"
    "father mother|son daughter|brother sister|husband wife|buy sell|bought sold|import export|"
    "same different|always never|early late|inside outside|major minor|positive negative|"
    "accept refuse|accepted refused|support oppose|supported opposed|domestic foreign"
)
_OPPOSITES = {
    one: other for pair in OPPOSITES.split("|") for one, other in (pair.split(), pair.split()[::-1])
}
_OPPOSED = re.compile(rf"\b(?:{'|'.join(sorted(_OPPOSITES))})\b", re.IGNORECASE)
_VERB = re.compile(
    r"(?<=\s)(?:is|are|was|were|did|does|do|can|could|has|have|had|will|would|should|must|may)\b"
    r"(?!\s+not\b)",
    re.IGNORECASE,
)
_KINDS = {
    "when": "where",
    "where": "when",
    "who": "when",
    "how many": "why did",
    "how much": "who",
    "how long": "where",
    "why": "how often",
}
_KIND = re.compile(rf"^(?:{'|'.join(sorted(_KINDS, key=len, reverse=True))})\b", re.IGNORECASE)


class Swapper:
    """Asks almost the same, but something that the sentence does not say.

    Another name or number (of a sentence nearby, or of another question), the opposite of a word,
    the question turned round with "not", or another kind of answer.
    """

    def __init__(self, questions: Sequence[str]) -> None:
        self._names = [name for q in questions for name in _NAME.findall(q)]
        self._numbers = [number for q in questions for number in _NUMBER.findall(q)]

    def swapped(
        self, question: str, sentence: str, nearby: Sequence[str], chance: random.Random
    ) -> str | None:
        """The other question; None where there is nothing to swap."""
        ways = [
            lambda: self._other_thing(question, sentence, nearby, chance),
            lambda: self._other_thing(question, sentence, nearby, chance),
            lambda: self._other_thing(question, sentence, nearby, chance),
            lambda: _replaced(_OPPOSED, question, _OPPOSITES),
            lambda: _replaced(_OPPOSED, question, _OPPOSITES),
            lambda: _VERB.sub(lambda m: f"{m.group()} not", question, count=1),
            lambda: _replaced(_KIND, question, _KINDS),
        ]
        chance.shuffle(ways)
        for way in ways[:4]:
            other = way()
            if other and other != question:
                return other
        return None

    def _other_thing(
        self, question: str, sentence: str, nearby: Sequence[str], chance: random.Random
    ) -> str | None:
        found = [(match, _NAME, self._names) for match in _NAME.finditer(question)]
        found += [(match, _NUMBER, self._numbers) for match in _NUMBER.finditer(question)]
        # What the sentence itself says is what a close reader has to compare.
        found = [(m, shape, others) for m, shape, others in found if m.group() in sentence]
        if not found:
            return None
        match, shape, others = chance.choice(found)
        here = [name for text in nearby for name in shape.findall(text)]
        if here and chance.random() < 0.6:
            others = here
        for _ in range(10):
            other = chance.choice(others)
            if other.casefold() not in (question + sentence).casefold():
                return question[: match.start()] + other + question[match.end() :]
        return None


def _replaced(pattern: re.Pattern[str], text: str, others: dict[str, str]) -> str:
    return pattern.sub(lambda m: others[m.group().lower()], text, count=1)


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
            if chance.random() < SWAPPED:
                nearby = [sentence["text"] for sentence in wrong]
                swapped = swapper.swapped(question, one["text"], nearby, chance)
                if swapped:
                    read.append((swapped, one))
        if not read:
            continue
        encoded = tokenizer.encode_batch([(q, f"{s['text']} | {s['around']}") for q, s in read])
        yield Group(
            [e.ids for e in encoded],
            [e.type_ids for e in encoded],
            bool(right),
            bool(swapped),
            _tokens_of(encoded[0], one.get("answer")) if right else None,
        )


def _tokens_of(pair: tokenizers.Encoding, answer: list[int] | None) -> tuple[int, int] | None:
    """First and last token of the code points `answer` of the second text; None where cut off."""
    if answer is None:
        return None
    held = [
        place
        for place, (sequence, (start, end)) in enumerate(
            zip(pair.sequence_ids, pair.offsets, strict=True)
        )
        if sequence == 1 and start < answer[1] and end > answer[0]
    ]
    return (held[0], held[-1]) if held else None


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
    """Choosing the right sentence of each question, whether each one answers, and where."""
    ids = padded([row for group in batch for row in group.token_ids])
    types = padded([row for group in batch for row in group.types])
    # Twice as quick where the processor multiplies such numbers; the loss is summed in full.
    with torch.autocast("cpu", dtype=torch.bfloat16):
        logits, ends = reader(ids, types)
    pointing: list[Tensor] = []
    choosing: list[Tensor] = []
    judging: list[Tensor] = []
    first = 0
    for group in batch:
        count = len(group.token_ids)
        own = logits[first : first + count]
        if group.answer:
            falls = -functional.log_softmax(ends[first], 0)
            pointing.append((falls[group.answer[0], 0] + falls[group.answer[1], 1]) / 2)
        first += count
        answers = torch.zeros(count)
        answers[0] = float(group.has_right)
        judging.append(functional.binary_cross_entropy_with_logits(own, answers))
        rivals = own[: count - 1] if group.swapped else own
        if group.has_right and len(rivals) > 1:
            choosing.append(-functional.log_softmax(rivals, 0)[0])
    total = torch.stack(judging).mean()
    if choosing:
        total = total + torch.stack(choosing).mean()
    if pointing:
        total = total + POINTING * torch.stack(pointing).mean()
    return total


def train(
    reader: Reader,
    lines: Sequence[dict[str, Any]],
    tokenizer: tokenizers.Tokenizer,
    minutes: float,
    out: Path,
    highest_rate: float,
) -> None:
    """Train until the time is over, however many times the questions come round."""
    chance = random.Random(1)
    optimiser = torch.optim.AdamW(
        [p for p in reader.parameters() if p.requires_grad], lr=highest_rate, weight_decay=0.01
    )
    begun = time.monotonic()
    step, shown = 0, 0.0
    reader.train()
    while True:
        for batch in batches(groups(lines, tokenizer, chance)):
            done = (time.monotonic() - begun) / (60 * minutes)
            if done >= 1:
                return
            rate = highest_rate * min(1.0, done / WARM_UP) * (1 - done)
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
    left_out = ("words.weight", "ends.weight", "ends.bias")
    weights = {k: v.detach().numpy() for k, v in reader.state_dict().items() if k not in left_out}
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
    parser.add_argument("--start", type=Path, help="weights of an earlier run")
    parser.add_argument("--rate", type=float, default=RATE)
    options = parser.parse_args()
    torch.manual_seed(1)
    tokenizer = tokenizers.Tokenizer.from_file(str(options.weights / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAX_TOKENS, strategy="longest_first")
    lines = [json.loads(line) for path in options.pairs for line in path.open()]
    keep = random.Random(2)
    lines = [line for line in lines if keep.random() < SHARES.get(line["set"], 1.0)]
    lines = [
        line for line in lines if line["sentences"] and not is_held_out(line["set"], title_of(line))
    ]
    lines += [line for line in lines if line["set"] in TWICE or _is_near_miss(line)]
    print(len(lines), "questions", flush=True)
    reader = Reader()
    start_from(reader, options.weights / "model.safetensors")
    if options.start:
        go_on_from(reader, options.start)
    train(reader, lines, tokenizer, options.minutes, options.out, options.rate)
    save(reader, options.out)


def _is_near_miss(line: dict[str, Any]) -> bool:
    return line["kind"] == "near_miss" and line["set"].startswith("squad")


if __name__ == "__main__":
    main()
