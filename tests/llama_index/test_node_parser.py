"""Nodes with exact offsets, from Pincite's parser and from others."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from llama_index.core import Document
from llama_index.core.ingestion import IngestionPipeline
from llama_index.core.node_parser import MarkdownNodeParser, SentenceSplitter
from llama_index.core.schema import MetadataMode, NodeRelationship, TextNode

from pincite.llama_index import PinciteNodeParser, PinciteReader
from pincite.llama_index.anchoring import anchored
from pincite.llama_index.nodes import anchor_of
from tests.loaders.pdf_files import make_pdf, print_lines

MARKDOWN = (
    "# Title\n\nOne. Two.\n\n## Part\n\n- a\n- b\n\n| x | y |\n|---|---|\n| 1 | 2 |\n\nOne. Two.\n"
)
TEXTS = {
    "markdown": MARKDOWN,
    "repeated": "Same words. " * 300,
    "crlf": MARKDOWN.replace("\n", "\r\n"),
    "bom": "\ufeff" + MARKDOWN,
    "emoji": "# 🙂\n\nSay 👩‍👩‍👧 and go. 🇩🇪 Stop.\n" * 40,
    "cjk": "# 返金\n\n返金は五日以内です。カードに戻ります。\n" * 40,
    "nfd": "Cafe\u0301 opens. " * 200,
    "long line": "word " * 2000,
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=list(TEXTS))
def test_every_node_is_the_text_at_its_offsets(text: str) -> None:
    document = Document(text=text, metadata={"file_path": "a.md"})
    nodes = PinciteNodeParser().get_nodes_from_documents([document])
    assert nodes
    for node in nodes:
        assert isinstance(node, TextNode)
        assert text[node.start_char_idx : node.end_char_idx] == node.text
        assert node.ref_doc_id == document.doc_id
        assert anchor_of(node) is not None
    spoken = "".join(node.text for node in nodes if isinstance(node, TextNode))
    assert spoken.split() == text.split()


@given(st.text(alphabet="a. \n\r#-|🙂返\u0301\ufeff", max_size=200))
@settings(max_examples=60, deadline=None)
def test_offsets_are_exact_whatever_the_text(text: str) -> None:
    for node in PinciteNodeParser().get_nodes_from_documents([Document(text=text)]):
        assert isinstance(node, TextNode)
        assert text[node.start_char_idx : node.end_char_idx] == node.text


def test_ids_are_the_same_again_and_no_two_are_equal() -> None:
    def ids() -> list[str]:
        documents = [
            Document(text=MARKDOWN, metadata={"file_path": "a.md"}),
            Document(text="Page.", metadata={"file_path": "b.pdf", "page_label": "1"}),
            Document(text="Page.", metadata={"file_path": "b.pdf", "page_label": "2"}),
            Document(text="Other.", metadata={"file_path": "a.md"}),
        ]
        return [node.node_id for node in PinciteNodeParser().get_nodes_from_documents(documents)]

    assert ids() == ids()
    assert len(set(ids())) == len(ids())


def test_metadata_is_kept_and_not_embedded_and_neighbours_are_linked() -> None:
    document = Document(text=MARKDOWN, metadata={"file_path": "a.md", "author": "Ada"})
    nodes = IngestionPipeline(transformations=[PinciteNodeParser()]).run(documents=[document])
    assert nodes[-1].metadata["headings"] == "Title > Part"
    assert nodes[0].metadata["author"] == "Ada"
    assert nodes[0].get_content(MetadataMode.EMBED) == nodes[0].text
    assert nodes[0].get_content(MetadataMode.LLM).strip() == (
        f"file_path: a.md\nheadings: Title\nauthor: Ada\n\n{nodes[0].text}".strip()
    )
    assert nodes[0].relationships[NodeRelationship.NEXT].node_id == nodes[1].node_id
    assert nodes[1].relationships[NodeRelationship.PREVIOUS].node_id == nodes[0].node_id


def test_nodes_of_another_parser_have_their_true_place_or_none() -> None:
    document = Document(text="x y. y", id_="d")
    splitter = SentenceSplitter(chunk_size=4, chunk_overlap=0, include_metadata=False)
    first, second = TextNode(text="x y."), TextNode(text="y", start_char_idx=2, end_char_idx=3)
    for node in (first, second):
        node.relationships[NodeRelationship.SOURCE] = document.as_related_node_info()
    found = anchored([first, second], [document])
    assert [one.start_char_idx for one in found if isinstance(one, TextNode)] == [0, 5]
    twice = Document(text="One. Two. One.", id_="t")
    lone = TextNode(text="One.", start_char_idx=0, end_char_idx=4)
    lone.relationships[NodeRelationship.SOURCE] = twice.as_related_node_info()
    (unsure,) = anchored([lone], [twice])
    assert isinstance(unsure, TextNode)
    assert (unsure.start_char_idx, anchor_of(unsure)) == (None, None)
    assert splitter.split_text("x y. y")


def test_markdown_then_sentences_is_put_right() -> None:
    text = "# A\n\nFirst part. It is short.\n\n# B\n\nSecond part. It is short.\n"
    document = Document(text=text, id_="d", metadata={"file_path": "a.md"})
    pipeline = IngestionPipeline(
        transformations=[MarkdownNodeParser(), SentenceSplitter(chunk_size=40, chunk_overlap=0)]
    )
    nodes = pipeline.run(documents=[document])
    for node in anchored(nodes, [document]):
        assert isinstance(node, TextNode)
        if node.start_char_idx is not None:
            assert text[node.start_char_idx : node.end_char_idx] == node.text


def test_the_reader_gives_one_document_a_file_and_says_what_it_could_not_read(tmp_path) -> None:
    (tmp_path / "a.html").write_text("<h1>Refunds</h1><p>Within 5 days. Within 5 days.</p>")
    (tmp_path / "b.md").write_bytes(MARKDOWN.encode())
    lines = print_lines(60, 700, "Same words stand", "here twice. Same words stand here", "twice.")
    (tmp_path / "p.pdf").write_bytes(make_pdf([lines, lines]))
    (tmp_path / ".hidden.md").write_text("Hidden.")
    (tmp_path / "c.zip").write_bytes(b"PK\x03\x04 broken")
    reader = PinciteReader()
    documents = reader.load_data(tmp_path)
    assert [document.doc_id for document in documents] == ["a.html", "b.md", "p.pdf"]
    assert list(reader.unread) == ["c.zip"]
    for node in PinciteNodeParser().get_nodes_from_documents(documents):
        text = next(one.text for one in documents if one.doc_id == node.ref_doc_id)
        assert isinstance(node, TextNode)
        assert text[node.start_char_idx : node.end_char_idx] == node.text
        anchor = anchor_of(node)
        assert anchor is not None
        assert anchor.source.path == node.ref_doc_id
