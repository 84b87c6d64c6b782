"""Runs the steps of deploy/Dockerfile where there is no container engine.

    python tools/docker_steps.py DIR

DIR has to be empty, and is filled as the image would be: paths of the image are paths in DIR, and
no user is made. Then, as root on Linux, the command of the image is run by a user without rights in
namespaces of its own, as a container is: everything is read-only but what compose.yaml gives it,
and there is no network. A question asked in there is answered, or this fails.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import suppress
from pathlib import Path

ROOT = Path(__file__).parents[1]
USER = "10001"
PATHS = ("/opt/pincite", "/var/lib/pincite")
LAMP = "The lamp weighs 2.4 kg.\n"

INSIDE = """
set -eu
ip link set lo up
mount --make-rprivate /
if ! setpriv --reuid "$USER" --regid "$USER" --clear-groups test -x "$BASE/bin"; then
    # A Python in a home that others may not enter: it is all that is left of that home.
    mount --bind "$BASE" /mnt
    mount -t tmpfs -o mode=755 tmpfs "/$(echo "$BASE" | cut -d/ -f2)"
    mkdir -p "$BASE"
    mount --move /mnt "$BASE"
fi
mount -t tmpfs -o mode=1777 tmpfs /dev/shm
mount --bind "$DIR/kept" "$DIR/kept"
awk '{print $2}' /proc/self/mounts | while read -r place; do
    case "$place" in
        /proc*|/sys*|/dev*|"$DIR/kept") ;;
        *) mount -o remount,ro,bind "$place" ;;
    esac
done
exec setpriv --reuid "$USER" --regid "$USER" --clear-groups --no-new-privs \
    --bounding-set=-all --inh-caps=-all \
    env -i PATH="$PATH" TMPDIR=/dev/shm HOME="$DIR/kept" XDG_CACHE_HOME="$DIR/kept/cache" \
    XDG_STATE_HOME="$DIR/kept/state" XDG_CONFIG_HOME="$DIR/kept/config" \
    "$DIR/opt/pincite/bin/python" -B "$0" --inside "$DIR" "$COMMAND"
"""


def main() -> int:
    """Make what the image holds, and ask it."""
    if sys.argv[1] == "--inside":
        return ask(Path(sys.argv[2]), json.loads(sys.argv[3]))
    place = Path(sys.argv[1]).resolve()
    place.mkdir(parents=True, exist_ok=True)
    if any(place.iterdir()):
        sys.exit(f"{place} is not empty")
    began = time.monotonic()
    command = build(place)
    held = sum(path.lstat().st_size for path in (place / "opt").rglob("*"))
    print(f"built in {time.monotonic() - began:.0f} s: {held / 1e6:.0f} MB", flush=True)
    return run(place, command)


def run(place: Path, command: list[str]) -> int:
    """Run the command of the image as a container would, and ask it; 0 where it answers."""
    for name in ("documents", "kept"):
        (place / name).mkdir()
    (place / "documents" / "lamp.md").write_text(LAMP, "utf-8")
    os.chown(place / "kept", int(USER), int(USER))
    environment = {
        "DIR": str(place),
        "USER": USER,
        "COMMAND": json.dumps(command),
        "BASE": sys.base_prefix,
    }
    apart = ["unshare", "--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc"]
    inside = ["sh", "-c", INSIDE, __file__]
    return subprocess.run([*apart, *inside], env=os.environ | environment).returncode


def build(place: Path) -> list[str]:
    """Do what is done to build the image; the command that it runs."""
    work, command = place, []
    for name, rest in steps():
        match name:
            case "WORKDIR":
                work = place / rest.strip("/")
                work.mkdir(parents=True, exist_ok=True)
            case "COPY" if not rest.startswith("--from"):
                *sources, target = rest.split()
                for source in sources:
                    copy(source, work / target)
            case "RUN" if not rest.startswith(("useradd ", "install ")):
                for path in PATHS:
                    rest = rest.replace(path, f"{place}{path}")
                print(f"RUN {rest}", flush=True)
                subprocess.run(rest, shell=True, cwd=work, check=True)
            case "ENTRYPOINT" | "CMD":
                command += json.loads(rest)
    return command


def steps() -> list[tuple[str, str]]:
    """The instructions of the Dockerfile, in their order."""
    text = (ROOT / "deploy" / "Dockerfile").read_text("utf-8").replace("\\\n", " ")
    lines = [line.strip() for line in text.splitlines()]
    told = [line for line in lines if line and not line.startswith("#")]
    return [(name, rest.strip()) for name, _, rest in (line.partition(" ") for line in told)]


def copy(source: str, target: Path) -> None:
    """Copy what git knows of a file, or of a directory and all it holds."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--", source], cwd=ROOT, capture_output=True, check=True
    )
    for name in filter(None, listed.stdout.decode().split("\0")):
        inside = Path(name).relative_to(source) if (ROOT / source).is_dir() else Path(name).name
        (target / inside).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, target / inside)


def ask(place: Path, command: list[str]) -> int:
    """In the namespaces: run the command of the image, and ask it a question."""
    program = str(place / "opt/pincite/bin" / command[0])
    arguments = [one.replace("/documents", str(place / "documents")) for one in command[1:]]
    with suppress(OSError), socket.create_connection(("192.0.2.1", 80), 1):
        sys.exit("there is a network")
    for unwritable in (place / "opt/file", place / "documents/file", Path("/file")):
        try:
            unwritable.write_text("")
        except OSError:
            continue
        sys.exit(f"{unwritable} could be written")
    made = subprocess.run(
        [program, "token", "add", "x"], capture_output=True, check=True, text=True
    )
    token = made.stdout.split()[-1]
    with subprocess.Popen([program, *arguments]) as server:
        try:
            began = time.monotonic()
            while fetch("/readyz") is None:
                if server.poll() is not None or time.monotonic() > began + 120:
                    sys.exit("the server did not start")
                time.sleep(0.05)
            answer = fetch("/ask", token, {"question": "How much does the lamp weigh?"})
        finally:
            server.terminate()
    text = json.loads(answer or b"{}").get("text")
    print(f"answered without a network, from read-only files: {text}", flush=True)
    return int(text != LAMP.strip())


def fetch(path: str, token: str = "", content: object = None) -> bytes | None:
    """What the server replies; None where it does not, or not yet."""
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
    data = None if content is None else json.dumps(content).encode()
    request = urllib.request.Request(f"http://127.0.0.1:8137{path}", data, headers)
    try:
        with urllib.request.urlopen(request, timeout=120) as reply:
            body: bytes = reply.read()
            return body
    except OSError:
        return None


if __name__ == "__main__":
    sys.exit(main())
