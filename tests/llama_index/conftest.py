import pytest

pytest.importorskip("llama_index.core")
pytest.importorskip("onnxruntime")
