"""The web page: its files, which are the same for everybody, and what keeps it to this server."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path

from fastapi import APIRouter
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, Response

router = APIRouter(include_in_schema=False)

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "worker-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        # No string becomes markup or a script: browsers that know this refuse it.
        "require-trusted-types-for 'script'",
        "trusted-types pincite-worker",
    )
)
"""What the page may load, run and send: what comes from its own server."""

_HEADERS = {
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
_KINDS = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".md": "text/plain; charset=utf-8",
    "": "text/plain; charset=utf-8",
}
_OTHER = "application/octet-stream"
_INDEX = "index.html"
_FOREVER = "public, max-age=31536000, immutable"
_SUMS = "pdfjs/SHA256SUMS"


@dataclass(frozen=True, slots=True)
class _Files:
    """The files of the page by name, and a hash of them all that stands in their addresses."""

    paths: dict[str, Path]
    version: str
    index: bytes


@router.api_route("/", methods=["GET", "HEAD"])
async def index() -> Response:
    """The page itself."""
    headers = {**_HEADERS, "Cache-Control": "no-cache"}
    return Response(_files().index, 200, headers, _KINDS[".html"])


@router.api_route("/page/{version}/{name:path}", methods=["GET", "HEAD"])
async def file(version: str, name: str) -> Response:
    """A file of the page; other bytes have another address, so browsers may keep it."""
    files = _files()
    path = files.paths.get(name)
    if path is None or version != files.version:
        raise HTTPException(404, "there is no such file of the page: load the page again")
    headers = {**_HEADERS, "Cache-Control": _FOREVER}
    return FileResponse(path, 200, headers, _KINDS.get(path.suffix, _OTHER))


@cache
def _files() -> _Files:
    # A package that is imported from an archive is not served: pdf.js is read from a real file.
    root = Path(str(resources.files("pincite.server"))) / "page"
    paths = {
        path.relative_to(root).as_posix(): path
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }
    digest = hashlib.sha256()
    for name, path in sorted(paths.items()):
        # What belongs to pdf.js is vouched for by its own list.
        if name.startswith("pdfjs/") and name != _SUMS:
            continue
        digest.update(f"{name}\0{hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    version = digest.hexdigest()[:16]
    text = paths.pop(_INDEX).read_text(encoding="utf-8")
    return _Files(paths, version, text.replace("VERSION", version).encode())
