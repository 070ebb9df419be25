"""What is shipped to run nescio with can be read by what reads it, and names commands, options and limits that are there."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.main import get_command

from nescio.config.model import Serve, scalar_kinds
from nescio.config.problems import OTHER_VARIABLES, PREFIX
from nescio.surfaces.cli.main import app
from support.projects import Project, Run, environment

ROOT = Path(__file__).resolve().parent.parent
DEPLOY = ROOT / "deploy"
TOLD = [*sorted(DEPLOY.iterdir()), *(ROOT / "docs" / name for name in ("llms.md", "deployment.md", "air-gap.md"))]
RULES = Serve()
LONGEST_STOP = (
    RULES.drain_seconds + RULES.grace_seconds + 2
)  # seconds: a second signal or the end of the grace time is near then
Instruction = tuple[str, str]


def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


# Commands


def fenced(text: str, *languages: str) -> list[str]:
    return [
        body for language, body in re.findall(r"^```(\w*)\n(.*?)^```", text, re.MULTILINE | re.DOTALL) if language in languages
    ]


def command_lines() -> Iterator[tuple[str, list[str]]]:
    """Every call of nescio in what is shipped: the words after its name."""
    for path in TOLD:
        text = text_of(path)
        text = "\n".join(fenced(text, "sh", "dockerfile", "ini")) if path.suffix == ".md" else text
        for line in text.replace("\\\n", " ").split("\n"):
            called = re.search(r"(?:^(?:RUN |.*&& )?|ExecStart=|unshare --net )(?:\S*/)?nescio ([a-z][^&|#]*)", line)
            if called:
                yield path.name, shlex.split(called[1])
            contained = re.search(r"docker run .* nescio ([a-z].*)$", line)
            if contained:
                yield path.name, shlex.split(contained[1])


def check_command(words: list[str]) -> None:
    """That the words are a command with options that it has."""
    command: Any = get_command(app)
    rest = list(words)
    while rest and hasattr(command, "commands") and rest[0] in command.commands:
        command = command.commands[rest.pop(0)]
    assert command.name != "nescio", words
    flags = {flag for parameter in command.params for flag in parameter.opts}
    assert {word for word in rest if word.startswith("--")} <= flags, words


def test_every_command_that_is_shipped_is_one() -> None:
    found = list(command_lines())
    assert {name for name, _ in found} >= {"nescio.service", "llms.md", "deployment.md", "air-gap.md"}
    for _, words in found:
        check_command(words)


# The image


def instructions(text: str) -> list[Instruction]:
    """What a Dockerfile says, a line each, without comments."""
    lines = [line for line in text.split("\n") if not line.lstrip().startswith("#")]
    joined = "\n".join(lines).replace("\\\n", " ")
    return [(line.split()[0], line.split(maxsplit=1)[1]) for line in joined.split("\n") if line.strip()]


@pytest.fixture(scope="module")
def dockerfile() -> list[Instruction]:
    return instructions(text_of(DEPLOY / "Dockerfile"))


@pytest.fixture(scope="module")
def last_stage(dockerfile: list[Instruction]) -> dict[str, str]:
    start = max(at for at, (name, _) in enumerate(dockerfile) if name == "FROM")
    return dict(dockerfile[start:])


def test_a_dockerfile_says_only_what_there_is(dockerfile: list[Instruction]) -> None:
    known = {"ARG", "FROM", "WORKDIR", "COPY", "RUN", "ENV", "USER", "EXPOSE", "STOPSIGNAL", "HEALTHCHECK", "ENTRYPOINT", "CMD"}
    assert {name for name, _ in dockerfile} <= known


def test_the_image_runs_as_nobody_in_particular(last_stage: dict[str, str]) -> None:
    user, group = map(int, last_stage["USER"].split(":"))
    assert min(user, group) > 1000
    assert f"--uid {user} --gid {group}" in last_stage["RUN"]
    assert f"--owner {user} --group {group} /index" in last_stage["RUN"]


def test_the_image_has_nothing_of_its_build_but_the_result(last_stage: dict[str, str], dockerfile: list[Instruction]) -> None:
    assert last_stage["COPY"] == "--from=build /opt/nescio /opt/nescio"
    assert "pip uninstall" in last_stage["RUN"]
    build = next(told for name, told in dockerfile if name == "RUN")
    assert 'install --no-cache-dir ".[serve,mcp]"' in build
    assert "uninstall --yes setuptools pip" in build


def test_what_the_image_is_made_of_is_not_kept_from_it(dockerfile: list[Instruction]) -> None:
    rules = [line for line in text_of(ROOT / ".dockerignore").split("\n") if line and not line.startswith("#")]
    assert rules[0] == "*"
    let_in = {rule.removeprefix("!") for rule in rules if rule.startswith("!")}
    copied = {word for name, told in dockerfile if name == "COPY" and "--from" not in told for word in told.split()[:-1]}
    assert copied == let_in
    assert all((ROOT / name).exists() for name in let_in)


def test_the_image_sets_what_can_be_set_and_serves_on_its_port(last_stage: dict[str, str]) -> None:
    variables = dict(re.findall(r"(\w+)=(\S+)", last_stage["ENV"]))
    for name in (name for name in variables if name.startswith(PREFIX)):
        assert name in OTHER_VARIABLES or name.removeprefix(PREFIX).lower().replace("__", ".") in scalar_kinds()
    assert variables["NESCIO_SERVE__HOST"] == "0.0.0.0"
    assert variables["NESCIO_SERVE__PORT"] == last_stage["EXPOSE"] == str(RULES.port)
    check_command([*json.loads(last_stage["ENTRYPOINT"])[1:], *json.loads(last_stage["CMD"])])
    assert json.loads(last_stage["ENTRYPOINT"]) == ["nescio"]


def health_check(last_stage: dict[str, str], port: int) -> int:
    _, _, told = last_stage["HEALTHCHECK"].partition("CMD ")
    _, *arguments = json.loads(told)
    code = [word.replace(f":{RULES.port}/", f":{port}/") for word in arguments]
    assert code != arguments
    return subprocess.run([sys.executable, *code], env=environment(), capture_output=True, timeout=30, check=False).returncode


def test_the_health_check_tells_a_server_that_is_ready(last_stage: dict[str, str], project: Project) -> None:
    pytest.importorskip("fastapi", reason="the extra serve is not installed")
    from support.serving import served

    project.write("page.md", "# Page\n\nSome words stand here.\n")
    project.build()
    with served(project) as running:
        assert health_check(last_stage, running.port) == 0
        port = running.port
    assert health_check(last_stage, port) != 0


def test_an_image_with_documents_ends_as_the_same_user(last_stage: dict[str, str]) -> None:
    example = instructions(fenced(text_of(ROOT / "docs" / "deployment.md"), "dockerfile")[0])
    assert example[0] == ("FROM", "nescio")
    assert [told for name, told in example if name == "USER"][-1] == last_stage["USER"]


# Compose


def test_compose_gives_the_container_as_little_as_it_needs() -> None:
    service = yaml.safe_load(text_of(DEPLOY / "compose.yaml"))["services"]["nescio"]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["ports"] == [f"127.0.0.1:{RULES.port}:{RULES.port}"]
    assert [mount.split(":")[0] for mount in service["tmpfs"]] == ["/tmp"]
    assert {mount.split(":", 1)[1] for mount in service["volumes"]} == {"/site:ro", "/index", "/data"}
    assert int(service["stop_grace_period"].removesuffix("s")) >= LONGEST_STOP
    assert (DEPLOY / service["build"]["context"] / service["build"]["dockerfile"]).is_file()
    check_command(service["command"])


# systemd


@pytest.fixture(scope="module")
def unit() -> dict[str, list[str]]:
    """The settings of the unit, each with its values in order."""
    found: dict[str, list[str]] = {}
    for line in text_of(DEPLOY / "nescio.service").split("\n"):
        if line and not line.startswith(("#", "[")):
            name, _, value = line.partition("=")
            found.setdefault(name, []).append(value)
    return found


def test_the_service_may_do_little(unit: dict[str, list[str]]) -> None:
    wanted = {
        "DynamicUser": "yes",
        "ProtectSystem": "strict",
        "PrivateTmp": "yes",
        "NoNewPrivileges": "yes",
        "CapabilityBoundingSet": "",
        "MemoryDenyWriteExecute": "yes",
        "IPAddressDeny": "any",
        "SocketBindDeny": "any",
        "SocketBindAllow": f"tcp:{RULES.port}",
        "Restart": "on-failure",
    }
    assert {name: unit[name] for name in wanted} == {name: [value] for name, value in wanted.items()}
    assert "MemoryMax" in unit


def test_the_service_has_time_to_stop_and_writes_where_it_may(unit: dict[str, list[str]]) -> None:
    assert int(unit["TimeoutStopSec"][0]) >= LONGEST_STOP
    words = shlex.split(unit["ExecStart"][0])
    assert words[words.index("--index") + 1].startswith(f"/var/lib/{unit['StateDirectory'][0]}/")


def test_systemd_reads_the_unit(tmp_path: Path) -> None:
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        pytest.skip("systemd is not installed")
    copy = tmp_path / "nescio.service"
    copy.write_text(text_of(DEPLOY / "nescio.service").replace("/opt/nescio/bin/nescio", sys.executable), encoding="utf-8")
    done = subprocess.run([analyze, "verify", str(copy)], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_what_is_told_of_stopping_is_so() -> None:
    page = " ".join(text_of(ROOT / "docs" / "deployment.md").split())
    assert f"{LONGEST_STOP:g} seconds unless set otherwise" in page


# Proxies


@pytest.mark.parametrize("name", ["nginx.conf", "Caddyfile", "traefik.yaml"])
def test_proxies_pass_on_to_where_the_server_is(name: str) -> None:
    text = text_of(DEPLOY / name)
    assert f"{RULES.host}:{RULES.port}" in text
    assert "/metrics" in text
    assert 'hosts = ["ask.example.org"]' in text
    assert text.count("{") == text.count("}")


def test_proxies_hold_no_events_back() -> None:
    assert "proxy_buffering off;" in text_of(DEPLOY / "nginx.conf")
    assert "flush_interval -1" in text_of(DEPLOY / "Caddyfile")
    balancer = yaml.safe_load(text_of(DEPLOY / "traefik.yaml"))["http"]["services"]["nescio"]["loadBalancer"]
    assert balancer["responseForwarding"] == {"flushInterval": "-1"}


def test_proxies_tell_who_asks_and_for_which_name() -> None:
    nginx = text_of(DEPLOY / "nginx.conf")
    assert "proxy_set_header Host $host;" in nginx
    assert "proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;" in nginx
    assert f"client_max_body_size {RULES.max_body_bytes // 1024}k;" in nginx


# What the documents show


def test_pages_are_linked_with_their_markdown_as_it_is_told(project: Project, run_here: Run, monkeypatch: Any) -> None:
    """The example for any other site, run."""
    project.write_all({"index.md": "# Kitchen\n\nSome words stand here.\n", "fruit.md": "# Fruit\n\nMore words stand here.\n"})
    settings = '[[source]]\npath = "docs"\nsite_url = "https://kitchen.example"\nslug = "python-markdown"\n'
    (project.root / "nescio.toml").write_text(settings, encoding="utf-8")
    monkeypatch.chdir(project.root)
    built = [project.root / "site" / name for name in ("index.html", "fruit/index.html")]
    for page in built:
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text("<html><head><title>x</title></head><body></body></html>", encoding="utf-8")
    assert run_here("llms", "site")[0] == 0
    (example,) = fenced(text_of(ROOT / "docs" / "llms.md"), "python")
    for _ in range(2):
        exec(compile(example, "docs/llms.md", "exec"), {})
    link = '<link rel="alternate" type="text/markdown" href="https://kitchen.example/{}index.html.md"></head>'
    assert [text_of(page).count("<link") for page in built] == [1, 1]
    assert link.format("") in text_of(built[0])
    assert link.format("fruit/") in text_of(built[1])
    assert run_here("llms", "site", "--check")[0] == 0
