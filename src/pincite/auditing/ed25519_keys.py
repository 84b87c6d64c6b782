"""What `signing` needs of `cryptography`, in one place to be imported or not."""

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ed25519

__all__ = ["InvalidSignature", "ed25519", "serialization"]
