"""Checkpoints: the head of a log, to be kept elsewhere, signed with an Ed25519 key if need be."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

from pincite.auditing.entries import canonical
from pincite.errors import CheckpointUnusable, MissingExtra


def signed(head: dict[str, Any], private_key: Path) -> dict[str, Any]:
    """The head with a signature by the private key in a PEM file.

    `CheckpointUnusable` for a file that holds none, `MissingExtra` without `cryptography`.
    """
    keys = _keys()
    try:
        key = keys.serialization.load_pem_private_key(private_key.read_bytes(), None)
    except (ValueError, TypeError, OSError) as error:
        raise CheckpointUnusable(str(private_key), detail=f"no private key: {error}") from error
    if not isinstance(key, keys.ed25519.Ed25519PrivateKey):
        raise CheckpointUnusable(str(private_key), detail="it is no Ed25519 key")
    return {**head, "signature": base64.b64encode(key.sign(canonical(head))).decode("ascii")}


def checked(checkpoint: dict[str, Any], public_key: Path, *, name: str) -> dict[str, Any]:
    """The head in a checkpoint that the owner of the key signed; `CheckpointUnusable` else."""
    keys = _keys()
    try:
        key = keys.serialization.load_pem_public_key(public_key.read_bytes())
    except (ValueError, TypeError, OSError) as error:
        raise CheckpointUnusable(str(public_key), detail=f"no public key: {error}") from error
    if not isinstance(key, keys.ed25519.Ed25519PublicKey):
        raise CheckpointUnusable(str(public_key), detail="it is no Ed25519 key")
    head = {key: value for key, value in checkpoint.items() if key != "signature"}
    try:
        key.verify(base64.b64decode(checkpoint["signature"], validate=True), canonical(head))
    except (keys.InvalidSignature, ValueError, KeyError, TypeError, RecursionError) as error:
        raise CheckpointUnusable(name, detail="it is not signed with that key") from error
    return head


def _keys() -> Any:
    try:
        # Long to load, and seldom needed.
        from pincite.auditing import ed25519_keys
    except ImportError as error:
        raise MissingExtra("signing", install="pip install 'pincite[audit]'") from error
    return ed25519_keys
