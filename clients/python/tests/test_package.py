# cspell:ignore syspath
import importlib
import inspect
import json
import re
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any, Callable, Dict, get_args

import pytest

import ng_identity
from generate_client import CLIENT, blocking_client
from ng_identity import IdType, _calls, _checks, _fake_checks
from ng_identity._belonging import NUMBER_FIELDS
from ng_identity._invented_records import _KNOWN
from ng_identity.testing import API_KEY, FakeIdentity

from . import fault_proxy as faults
from .fault_proxy import FaultProxy

FOLDER = Path(__file__).parents[1]
README = (FOLDER / "README.md").read_text(encoding="utf-8")
README_BLOCKS = re.findall(r"```python\n(.*?)```", README, re.DOTALL)


def test_the_exported_names_are_complete_and_sorted() -> None:
    public = [name for name in vars(ng_identity) if not name.startswith("_") or name == "__version__"]
    public = [name for name in public if not inspect.ismodule(getattr(ng_identity, name))]
    assert sorted(public) == ng_identity.__all__


def test_every_module_of_the_package_except_testing_is_private() -> None:
    folder = Path(ng_identity.__file__).parent
    public = [path.name for path in folder.glob("*.py") if not path.name.startswith("_")]
    assert public == ["testing.py"]
    assert (folder / "py.typed").exists()


def test_the_blocking_client_is_generated_from_the_asynchronous_one() -> None:
    assert CLIENT.read_text(encoding="utf-8") == blocking_client(), "run generate_client.py"


def test_the_readme_lists_every_error_and_the_changelog_names_the_version() -> None:
    errors = [name for name in ng_identity.__all__ if name.endswith("Error")]
    assert [name for name in errors if f"| `{name}` |" not in README and name != "IdentityError"] == []
    changelog = (FOLDER / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"## {ng_identity.__version__}" in changelog


def test_paths_and_numbers_match_the_api_document() -> None:
    document = json.loads((FOLDER.parents[1] / "docs" / "openapi.json").read_text(encoding="utf-8"))
    code = inspect.getsource(_calls)
    paths = [
        path
        for path in document["paths"]
        if not re.search(r"/ng/[a-z]+-|openapi|health|slips|payments", path)
    ]
    assert [path for path in paths if path not in code] == []

    schemas = document["components"]["schemas"]
    tables = (_checks.NUMBER_FORMATS, NUMBER_FIELDS, _fake_checks.ALIASES, _fake_checks._OWN, _KNOWN)
    assert [set(table) for table in tables] == [set(get_args(IdType))] * len(tables)
    calls = (FOLDER / "tests" / "right_calls.py").read_text(encoding="utf-8")
    assert [id_type for id_type in get_args(IdType) if f'.verify("{id_type}"' not in calls] == []
    for id_type, expected in _checks.NUMBER_FORMATS.items():
        fields = schemas[f"{id_type.title()}Request"]["properties"]
        assert fields["id_number"]["pattern"] == f"^{expected.pattern.pattern}$"


def environment(base_url: str) -> Dict[str, str]:
    return {"NG_IDENTITY_API_KEY": API_KEY, "NG_IDENTITY_BASE_URL": base_url, "PYTHONIOENCODING": "utf-8"}


def run(script: str, base_url: str, *arguments: Any, cwd: Path) -> str:
    done = subprocess.run(  # noqa: S603
        [sys.executable, *arguments],
        input=script.encode(),
        env=environment(base_url),
        cwd=str(cwd),
        stdout=subprocess.PIPE,
        check=True,
    )
    return done.stdout.decode()


def test_every_python_example_in_the_readme_runs_alone(api: FakeIdentity, tmp_path: Path) -> None:
    assert len(README_BLOCKS) >= 3
    assert len(README_BLOCKS[0].strip().splitlines()) <= 5
    assert "CHUKWUEMEKA ANUNOBI" in run(README_BLOCKS[0], api.base_url, "-", cwd=tmp_path)
    for block in README_BLOCKS[1:]:
        if "import pytest" not in block:
            run(block, api.base_url, "-", cwd=tmp_path)


def test_the_tests_in_the_readme_pass_as_written(tmp_path: Path) -> None:
    (block,) = [block for block in README_BLOCKS if "import pytest" in block]
    (tmp_path / "test_readme.py").write_text(block, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_readme.py"]
    done = subprocess.run(command, cwd=str(tmp_path), stdout=subprocess.PIPE)  # noqa: S603
    assert "3 passed" in done.stdout.decode()


def test_the_onboarding_example_runs(api: FakeIdentity, tmp_path: Path) -> None:
    script = str(FOLDER / "examples" / "onboarding.py")

    def onboard(*arguments: str) -> str:
        return run("", api.base_url, script, *arguments, cwd=tmp_path).split(": req_")[0].strip()

    # The liveness check fails before the look-up, so nothing is charged.
    assert onboard("12345678901") == "rejected: the selfie is not live: None"
    assert api.requests == []
    assert onboard("12345678901", "--live") == "rejected: the faces do not match"
    assert onboard("12345670404", "--live", "--same-face") == "rejected: no such NIN"
    assert onboard("12345678901", "--live", "--same-face") == "accepted: the faces match"


def test_an_undecided_onboarding_can_be_repeated_without_a_second_charge(
    api: FakeIdentity, behind: Callable[..., FaultProxy], tmp_path: Path
) -> None:
    script = str(FOLDER / "examples" / "onboarding.py")
    command = [sys.executable, script, "12345678901", "--live", "--same-face"]
    cut = environment(behind(*[faults.reset_after] * 3).base_url)
    done = subprocess.run(command, env=cut, stderr=subprocess.PIPE, cwd=str(tmp_path))  # noqa: S603
    output = done.stderr.decode()
    assert (done.returncode, output.startswith("undecided: ")) == (1, True)
    key = output.split("--idempotency-key ")[1].strip()
    again = [*command[1:], "--idempotency-key", key]
    assert run("", api.base_url, *again, cwd=tmp_path).startswith("accepted")
    assert len(api.charges) == 1


WORKFLOW = (FOLDER.parents[1] / ".github" / "workflows" / "publish-python.yml").read_text(encoding="utf-8")


def test_the_workflow_pins_its_actions_and_runs_no_code_in_the_job_that_publishes() -> None:
    build, publish = WORKFLOW.split("\n  publish:\n")
    actions = re.findall(r"uses: (.*)", WORKFLOW)
    assert len(actions) == 6
    assert [
        one for one in actions if not re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", one)
    ] == []
    # Only the job that publishes can request a token, and it runs no code of the project.
    assert "id-token" not in build
    assert "id-token: write" in publish
    assert "environment: pypi" in publish
    assert "run:" not in publish
    assert "checkout" not in publish
    assert "secrets." not in WORKFLOW


def test_the_options_of_the_workflow_exist() -> None:
    (command,) = re.findall(r"run: python3 (clients/python/run-tests\.py .*)", WORKFLOW)
    script = FOLDER.parents[1] / command.split()[0]
    done = subprocess.run([sys.executable, str(script), "--help"], stdout=subprocess.PIPE, check=True)  # noqa: S603
    options = re.findall(r"--[a-z]+", command)
    assert options == [option for option in options if f"{option} " in done.stdout.decode()]
    assert options


def test_the_readme_lists_every_tool(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(FOLDER / "tools"))
    cases = importlib.import_module("cases").CASES
    runner = runpy.run_path(str(FOLDER / "run-tools.py"))
    assert runner["with_table"](README, cases) == README
