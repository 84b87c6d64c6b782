"""Real servers for the tests, each a process on ports of this machine that are free."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx


def free_port() -> int:
    """A port that nobody listens at."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        port: int = bound.getsockname()[1]
        return port


def token_of(name: str, tokens: Path, *options: str) -> str:
    """A new token for somebody, who may ask and read everything where no options say otherwise."""
    made = subprocess.run(
        [sys.executable, "-m", "pincite", "token", "add", name, "--tokens", str(tokens), *options],
        capture_output=True,
        check=True,
        text=True,
    )
    return made.stdout.split()[-1]


@contextmanager
def pincite_server(
    folder: Path, kept: Path, *options: str, port: int | None = None
) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """`pincite serve` for a folder called docs, once it can be asked; its address and process."""
    port = port or free_port()
    command = [sys.executable, "-m", "pincite", "serve", "--lexical", "--port", str(port)]
    command += ["--state", str(kept / "state"), "--tokens", str(kept / "tokens.json"), *options]
    with subprocess.Popen([*command, f"docs={folder}"], stderr=subprocess.DEVNULL) as server:
        address = f"http://127.0.0.1:{port}"
        try:
            until_ready(address, server)
            yield address, server
        finally:
            server.terminate()


def until_ready(address: str, server: subprocess.Popen[bytes]) -> None:
    """Return when the server can be asked."""
    while True:
        assert server.poll() is None, "the server ended"
        try:
            if httpx.get(f"{address}/readyz").status_code == 200:
                return
        except httpx.TransportError:
            pass
        time.sleep(0.02)


@contextmanager
def nginx(config: str, place: Path) -> Iterator[subprocess.Popen[bytes]]:
    """The real nginx with the given sites, which keeps all it writes in `place`."""
    place.mkdir()
    (place / "nginx.conf").write_text(
        f"""
        {"user root;" if os.getuid() == 0 else ""}
        daemon off;
        worker_processes 1;
        pid {place}/nginx.pid;
        error_log {place}/error.log;
        events {{ worker_connections 64; }}
        http {{
            client_body_temp_path {place}/body;
            proxy_temp_path {place}/proxy;
            fastcgi_temp_path {place}/fastcgi;
            uwsgi_temp_path {place}/uwsgi;
            scgi_temp_path {place}/scgi;
            {config}
        }}
        """,
        encoding="utf-8",
    )
    path = os.pathsep.join([os.environ["PATH"], "/usr/sbin"])
    with subprocess.Popen(
        ["nginx", "-p", str(place), "-c", str(place / "nginx.conf")],
        env={**os.environ, "PATH": path},
        stderr=subprocess.PIPE,
    ) as running:
        try:
            while not (place / "nginx.pid").exists():
                assert running.stderr is not None
                assert running.poll() is None, running.stderr.read()
                time.sleep(0.02)
            yield running
        finally:
            running.terminate()
