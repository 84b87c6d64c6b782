import asyncio
from collections.abc import Iterator

import pytest

pytest.importorskip("llama_index.core")
pytest.importorskip("onnxruntime")


@pytest.fixture(autouse=True)
def event_loop_that_is_closed() -> Iterator[None]:
    """LlamaIndex's synchronous calls take the loop of the thread, or make one and leave it open."""
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    yield
    loop.close()
    asyncio.set_event_loop(None)
