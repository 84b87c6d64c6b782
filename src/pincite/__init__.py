"""Answers from your own documents: the exact words, the exact place, or an honest refusal.

    import pincite

    with pincite.Index.open_or_build("documents") as index:
        answer = index.ask("How long do refunds take?")

`ask` gives an `Answer` or a `Refusal`; what can go wrong is a `PinciteError`.
"""

import importlib

from pincite.version import __version__

TYPE_CHECKING = False  # As type checkers take it; to load `typing` for it takes longer than this.

if TYPE_CHECKING:
    from pincite.answering.follow_up import standalone_question
    from pincite.errors import (
        ArchiveIncomplete,
        AuditDamaged,
        AuditError,
        AuditNotWritable,
        BackupUnusable,
        CalibrationDamaged,
        CheckpointUnusable,
        DirectoryInUse,
        DocumentNotFound,
        FolderError,
        FolderNotFound,
        MissingExtra,
        NotForgotten,
        NothingReadable,
        PinciteError,
        PlaceNotFound,
        PortTaken,
        QuestionsUnusable,
        RecordUnusable,
        RiskNotKept,
        StoreBusy,
        StoreDamaged,
        StoreError,
        StoreNotFound,
        StoreNotWritable,
        StoreOfAnotherFolder,
        StoreTooNew,
        TextChanged,
        UnreadableDocument,
    )
    from pincite.explanations import (
        Contribution,
        ExplainedPassage,
        ExplainedSentence,
        Explanation,
        QueryTerm,
    )
    from pincite.index import Index
    from pincite.places import (
        Box,
        CellPlace,
        ChapterPlace,
        ElementPlace,
        Mark,
        MemberPlace,
        MessagePlace,
        NodePlace,
        NotebookPlace,
        Page,
        PagePlace,
        ParagraphPlace,
        Place,
        SlidePlace,
        TimePlace,
    )
    from pincite.ranking import rank_sentences
    from pincite.records import (
        Answer,
        Basis,
        BlockKind,
        Calibration,
        Citation,
        CitationWarning,
        Conflict,
        ConflictKind,
        Excerpt,
        Extraction,
        FittedCalibration,
        IndexInfo,
        IndexReport,
        IndexState,
        Lines,
        Need,
        Passage,
        Problem,
        Progress,
        Quote,
        Refusal,
        RefusalReason,
        Retrieved,
        RiskLevel,
        Role,
        Sentence,
        Source,
        Span,
        Stretch,
        Turn,
        WarningKind,
    )
    from pincite.verifications import Change, Check, Status, Verification
    from pincite.verifying.checking import verify
    from pincite.visible import Visible

__all__ = [
    "Answer",
    "ArchiveIncomplete",
    "AuditDamaged",
    "AuditError",
    "AuditNotWritable",
    "BackupUnusable",
    "Basis",
    "BlockKind",
    "Box",
    "Calibration",
    "CalibrationDamaged",
    "CellPlace",
    "Change",
    "ChapterPlace",
    "Check",
    "CheckpointUnusable",
    "Citation",
    "CitationWarning",
    "Conflict",
    "ConflictKind",
    "Contribution",
    "DirectoryInUse",
    "DocumentNotFound",
    "ElementPlace",
    "Excerpt",
    "ExplainedPassage",
    "ExplainedSentence",
    "Explanation",
    "Extraction",
    "FittedCalibration",
    "FolderError",
    "FolderNotFound",
    "Index",
    "IndexInfo",
    "IndexReport",
    "IndexState",
    "Lines",
    "Mark",
    "MemberPlace",
    "MessagePlace",
    "MissingExtra",
    "Need",
    "NodePlace",
    "NotForgotten",
    "NotebookPlace",
    "NothingReadable",
    "Page",
    "PagePlace",
    "ParagraphPlace",
    "Passage",
    "PinciteError",
    "Place",
    "PlaceNotFound",
    "PortTaken",
    "Problem",
    "Progress",
    "QueryTerm",
    "QuestionsUnusable",
    "Quote",
    "RecordUnusable",
    "Refusal",
    "RefusalReason",
    "Retrieved",
    "RiskLevel",
    "RiskNotKept",
    "Role",
    "Sentence",
    "SlidePlace",
    "Source",
    "Span",
    "Status",
    "StoreBusy",
    "StoreDamaged",
    "StoreError",
    "StoreNotFound",
    "StoreNotWritable",
    "StoreOfAnotherFolder",
    "StoreTooNew",
    "Stretch",
    "TextChanged",
    "TimePlace",
    "Turn",
    "UnreadableDocument",
    "Verification",
    "Visible",
    "WarningKind",
    "__version__",
    "rank_sentences",
    "standalone_question",
    "verify",
]

_MODULES = (
    "errors",
    "places",
    "records",
    "explanations",
    "verifications",
    "visible",
    "index",
    "answering.follow_up",
    "ranking",
    "verifying.checking",
)

if not TYPE_CHECKING:

    def __getattr__(name):
        # When it is asked for, as all of it takes a while to load: the command line listens for
        # Ctrl-C before, and the processes that read files need little of it.
        if name in __all__:
            for module in _MODULES:
                found = getattr(importlib.import_module(f"{__name__}.{module}"), name, None)
                if found is not None:
                    globals()[name] = found
                    return found
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__():
        return [*globals(), *__all__]
