import importlib.util
from pathlib import Path

import numpy as np
import pytest

import pincite.encoder.session as session_module
from pincite.encoder.encode import DIMENSIONS, MAX_TOKENS, Encoder
from pincite.errors import MissingExtra

pytest.importorskip("onnxruntime")

TEXTS = [
    "The money goes back to the card you paid with within 5 working days.",
    "A refund reaches your card within a week.",
    "The lamp needs a bulb with an E27 fitting.",
    "",
    "Lieferung innerhalb von drei Tagen. 三个工作日内送达。",
    "word " * 400,
    "One\nmore\ttext \ud800 with a lone surrogate and a \x00.",
]


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    return Encoder(threads=2)


def test_a_vector_has_length_one_and_one_row_for_each_text(encoder: Encoder) -> None:
    vectors = encoder.encode(TEXTS)
    assert vectors.shape == (len(TEXTS), DIMENSIONS)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)


def test_no_texts_give_no_rows(encoder: Encoder) -> None:
    assert encoder.encode([]).shape == (0, DIMENSIONS)


def test_sentences_that_mean_the_same_are_nearer_than_others(encoder: Encoder) -> None:
    money, refund, lamp = encoder.encode(TEXTS[:3])
    assert money @ refund > 0.5 > money @ lamp + 0.2


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("batch", [1, 2, 3, 64])
def test_a_text_has_the_same_bytes_in_any_batch_and_on_any_number_of_threads(
    encoder: Encoder, threads: int, batch: int
) -> None:
    other = Encoder(threads=threads)
    batches = [other.encode(TEXTS[at : at + batch]) for at in range(0, len(TEXTS), batch)]
    assert np.concatenate(batches).tobytes() == encoder.encode(TEXTS).tobytes()


def test_the_words_of_the_original_vocabulary_frame_and_split_a_text(encoder: Encoder) -> None:
    # [CLS] the desk lamp ' s e ##27 bulb [SEP], as in the vocabulary of the original model.
    assert encoder.token_ids("The Desk-Lamp's E27") == [
        101, 1996, 4624, 1011, 10437, 1005, 1055, 1041, 22907, 102,
    ]  # fmt: skip


def test_a_long_text_is_cut_where_the_original_model_cuts_it(encoder: Encoder) -> None:
    assert len(encoder.token_ids("word " * 400)) == MAX_TOKENS == 256
    long, longer = encoder.encode(["word " * 254, "word " * 400])
    assert long.tobytes() == longer.tobytes()


def test_one_text_given_as_a_string_is_refused(encoder: Encoder) -> None:
    with pytest.raises(ValueError, match="sequence of texts"):
        encoder.encode("one text")


def test_less_than_one_thread_is_refused() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        Encoder(threads=0)


def test_a_missing_model_says_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(session_module, "MODELS", tmp_path)
    with pytest.raises(MissingExtra, match="without PINCITE_SKIP_MODEL"):
        Encoder().encode(["text"])


def test_the_model_files_are_the_ones_their_build_program_makes_and_no_others(
    tmp_path: Path,
) -> None:
    pytest.importorskip("onnx")
    path = Path(__file__).parents[2] / "models" / "build.py"
    spec = importlib.util.spec_from_file_location("build_model", path)
    assert spec is not None
    assert spec.loader is not None
    build = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(build)
    assert build.problems() == []
    assert len(build.problems(tmp_path)) == len(build.CHECKSUMS) + 1
    (tmp_path / "old.onnx").write_bytes(b"")
    assert build.problems(tmp_path)[-1] == f"{tmp_path / 'old.onnx'} is none of them"


def test_a_process_holds_a_model_once_however_many_use_it() -> None:
    first, second = Encoder(), Encoder(threads=1)
    first.encode(["a"])
    second.encode(["b"])
    assert first._load() is second._load()
