"""The files in deploy/ that no engine runs here: what they say has to be there, and to hold."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from pincite.cli.serving import serve_command

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
UNIT = (DEPLOY / "pincite.service").read_text(encoding="utf-8")


def steps() -> list[tuple[str, str]]:
    """The instructions of the Dockerfile, each with what it is about."""
    text = (DEPLOY / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [line.strip() for line in text.splitlines()]
    told = [line for line in lines if line and not line.startswith("#")]
    return [(name, rest) for name, _, rest in (line.partition(" ") for line in told)]


def compose() -> dict[str, Any]:
    read: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
    return read


def taken(arguments: list[str]) -> dict[str, Any]:
    """What `pincite serve` makes of a command line."""
    assert arguments[0] == "serve"
    return serve_command.make_context("serve", arguments[1:]).params


def test_what_the_dockerfile_copies_is_there_and_is_sent_to_the_engine() -> None:
    ignoring = (DEPLOY / "Dockerfile.dockerignore").read_text(encoding="utf-8").splitlines()
    assert ignoring[0] == "*"
    sent = {line[1:] for line in ignoring if line.startswith("!")}
    copied = {
        source
        for name, rest in steps()
        if name == "COPY" and "--from" not in rest
        for source in rest.split()[:-1]
    }
    assert copied == sent
    assert all((ROOT / source).exists() for source in copied)
    # Models of the machine are not to get into the image; they are built in there.
    assert "src/pincite/encoder/model" in ignoring


def test_the_image_runs_as_nobody_in_particular_a_command_that_there_is() -> None:
    last = [rest for name, rest in steps() if name == "USER"][-1]
    assert last == "pincite"
    assert [rest.split()[0] for name, rest in steps() if name == "FROM"] == ["python:3.12-slim"] * 2
    (command,) = (json.loads(rest) for name, rest in steps() if name == "CMD")
    assert taken(command)["folders"] == ("documents=/documents",)


def test_the_services_of_compose_cannot_write_or_reach_what_they_need_not() -> None:
    services = compose()["services"]
    for service in services.values():
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]
        assert service["security_opt"] == ["no-new-privileges:true"]
    pincite = services["pincite"]
    assert "ports" not in pincite
    assert "cap_add" not in pincite
    assert [compose()["networks"][name] for name in pincite["networks"]] == [{"internal": True}]
    binds = [volume for volume in pincite["volumes"] if isinstance(volume, dict)]
    assert all(volume["read_only"] for volume in binds)
    assert taken(pincite["command"])["host"] == "0.0.0.0"


def test_nginx_in_its_container_writes_to_no_file_that_is_read_only() -> None:
    config = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
    written = re.findall(r"^ *(?:access|error)_log +(\S+)", config, re.MULTILINE)
    # The image leads these two to its output.
    assert written
    assert set(written) <= {"/var/log/nginx/access.log", "/var/log/nginx/error.log"}


def test_the_unit_starts_a_command_that_there_is() -> None:
    (line,) = re.findall(r"^ExecStart=(.*)$", UNIT, re.MULTILINE)
    program, *arguments = shlex.split(line)
    assert program == "/opt/pincite/bin/pincite"
    assert taken(arguments)["allowed_hosts"] == ("documents.example",)


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")
def test_systemd_finds_no_fault_with_the_unit_and_little_that_is_exposed(tmp_path: Path) -> None:
    unit = tmp_path / "pincite.service"
    # The program is not installed here.
    unit.write_text(UNIT.replace("/opt/pincite/bin/pincite", "/bin/true"), encoding="utf-8")
    found = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(unit)], capture_output=True, text=True
    )
    assert (found.returncode, found.stderr) == (0, "")
    judged = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--threshold=20", str(unit)],
        capture_output=True,
        text=True,
    )
    assert judged.returncode == 0, judged.stdout
