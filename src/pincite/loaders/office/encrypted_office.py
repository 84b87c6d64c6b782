"""Office files with a password (DOCX, XLSX, PPTX): opened with one of the passwords given."""

from __future__ import annotations

import io

from pincite.loaders.extracted import LoadSettings, UnreadableContent
from pincite.records import Need

_PASSWORD_OF_ALL = "VelvetSweatshop"
"""Excel opens files that are only protected against changes with it, without asking."""
_LARGEST = 200_000_000
"""Bytes; opening takes up to five times that in memory."""
_MOST_ROUNDS = 1_000_000
"""Of hashing a password; Office does 100,000."""


def decrypted(data: bytes, settings: LoadSettings) -> bytes:
    """The office file inside `data`. Raises `UnreadableContent` where no password opens it."""
    if len(data) > _LARGEST:
        raise UnreadableContent(
            f"is an encrypted office file of {len(data) // 1_000_000} MB; up to"
            f" {_LARGEST // 1_000_000} MB are read: save it without its password"
        )
    # Few folders hold such files, and the library brings 18 MB of cryptography: it is an extra.
    try:
        import msoffcrypto
        from msoffcrypto.exceptions import InvalidKeyError
    except ImportError as error:
        raise UnreadableContent(
            "is an office file with a password: install pincite[passwords], put its password in a"
            " file and name that with --password-file; or save it without",
            need=Need.PASSWORD,
        ) from error

    try:
        file = msoffcrypto.OfficeFile(io.BytesIO(data))
        rounds = file.info.get("spinValue", 0) if isinstance(file.info, dict) else 0
        if rounds > _MOST_ROUNDS:
            raise UnreadableContent(
                f"is encrypted and asks for {rounds:,} rounds of hashing a password, which no"
                " office program does: it is not read"
            )
        for password in (_PASSWORD_OF_ALL, *settings.passwords):
            made = io.BytesIO()
            try:
                file.load_key(password=password, verify_password=True)
                file.decrypt(made)
            except InvalidKeyError:
                continue
            return made.getvalue()
    except UnreadableContent:
        raise
    except Exception as error:
        # A parser's boundary: it raises what it likes over damaged files.
        raise UnreadableContent(
            f"is an encrypted office file that cannot be opened ({error}): it may be damaged, or"
            " encrypted in an uncommon way; save it without its password"
        ) from error
    found = "none of the passwords given opens it" if settings.passwords else "it asks for one"
    raise UnreadableContent(
        f"is an office file with a password, and {found}: put its password in a file and name that"
        " with --password-file, or save it without",
        need=Need.PASSWORD,
    )
