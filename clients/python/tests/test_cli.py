import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Callable, List, Tuple

import pytest

import ng_identity
from ng_identity._cli import main
from ng_identity.testing import API_KEY, FakeIdentity

from . import fault_proxy as faults
from .fault_proxy import FaultProxy, responds
from .test_errors import envelope

NIN = "12345678901"
WITH_TONE_MARKS = "12345670301"
Run = Callable[..., Tuple[int, str, str]]


@pytest.fixture
def run(api: FakeIdentity, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    monkeypatch.setenv("NG_IDENTITY_API_KEY", API_KEY)
    monkeypatch.setenv("NG_IDENTITY_BASE_URL", api.base_url)

    def run_main(*arguments: str) -> Tuple[int, str, str]:
        code = main(list(arguments))
        output = capsys.readouterr()
        return code, output.out, output.err

    return run_main


def test_verify_prints_the_envelope(run: Run) -> None:
    code, out, _ = run("verify", "NIN", WITH_TONE_MARKS)
    assert code == 0
    assert json.loads(out)["data"]["nin"] == WITH_TONE_MARKS
    assert "Adébáyọ̀" in out


def test_dash_reads_the_number_from_standard_input(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(NIN + "\n"))
    code, out, _ = run("verify", "NIN", "-", "--advance")
    assert (code, json.loads(out)["code"]) == (0, "NIN_VERIFIED")


def test_each_command_prints_its_result(run: Run, tmp_path: Path, api: FakeIdentity) -> None:
    assert json.loads(run("gateway", "CAC", "RC1234567", "--level", "advanced")[1])["code"] == "CAC_VERIFIED"
    run("verify", "NIN", NIN)
    target = tmp_path / "slip.pdf"
    assert run("slip", NIN, "improved", "-o", str(target)) == (0, f"{target}\n", "")
    assert target.read_bytes().startswith(b"%PDF-")
    assert json.loads(run("balance")[1])["data"]["available"] == 997
    lines: List[str] = run("transactions", "--type", "debit")[1].splitlines()
    assert [json.loads(line)["service"] for line in lines] == [charge.service for charge in api.charges]
    run("verify", "TIN", "1234567890", "--reference", "customer-4711")
    (line,) = run("verifications", "--reference", "customer-4711")[1].splitlines()
    assert json.loads(line)["service"] == "tin-basic"


def test_an_api_error_prints_its_message_to_standard_error_and_exits_with_1(run: Run) -> None:
    code, out, err = run("verify", "NIN", "12345670404")
    assert (code, out) == (1, "")
    assert err.startswith(
        "ng-identity: NotFoundError: Message for NIN_NOT_FOUND. (NIN_NOT_FOUND, HTTP 400, req_"
    )
    assert run("verification", "req_0123456789ab")[0] == 1


def test_invalid_input_exits_with_2(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run("verify", "NIN", "123")[0::2] == (
        2,
        "ng-identity: The NIN must be exactly 11 digits.\n",
    )
    with pytest.raises(SystemExit) as caught:
        run("verify", "PASSPORT", "123")
    assert caught.value.code == 2
    monkeypatch.delenv("NG_IDENTITY_API_KEY")
    code, _, err = run("balance")
    assert code == 1
    assert "No API key: set the environment variable NG_IDENTITY_API_KEY." in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["verify", "CAC", "7000"], "or digits with --company-type."),
        (
            ["verify", "CAC", "BN7000", "--company-type", "RC"],
            "number and --company-type name different",
        ),
        (["verify", "NIN", NIN, "--bank-code", "058"], "--bank-code is available for NUBAN only."),
        (["verify", "TIN", "1234567890", "--advance"], "--advance is available for NIN, BVN and CAC."),
        (["--base-url", "http://api.example.com", "balance"], "--base-url must start with https://"),
        (["--base-url", "", "balance"], "No base URL: use --base-url, or set the environment variable"),
    ],
)
def test_invalid_input_names_the_options_of_the_command_line(
    run: Run, arguments: List[str], message: str
) -> None:
    code, _, err = run(*arguments)
    assert code == 2
    assert message in err


def test_an_error_with_an_unknown_outcome_prints_the_key_for_a_free_replay(
    run: Run, behind: Callable[..., FaultProxy], api: FakeIdentity
) -> None:
    proxy = behind(*[faults.reset_after] * 3)
    code, _, err = run("--base-url", proxy.base_url, "verify", "NIN", NIN)
    assert code == 1
    key = err.split("--idempotency-key ")[1].strip()
    assert run("verify", "NIN", NIN, "--idempotency-key", key)[0] == 0
    assert len(api.charges) == 1


def test_no_replay_is_suggested_when_the_free_replays_are_used_up(
    run: Run, behind: Callable[..., FaultProxy]
) -> None:
    proxy = behind(responds("409 Conflict", envelope("REPLAY_EXHAUSTED")))
    code, _, err = run("--base-url", proxy.base_url, "verify", "NIN", NIN, "--idempotency-key", "k" * 16)
    assert (code, "ReplayExhaustedError" in err, "--idempotency-key" in err) == (1, True, False)


def test_a_result_is_printed_even_if_the_output_encoding_lacks_its_letters(api: FakeIdentity) -> None:
    variables = {"NG_IDENTITY_API_KEY": API_KEY, "NG_IDENTITY_BASE_URL": api.base_url}
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-m", "ng_identity", "verify", "NIN", WITH_TONE_MARKS],
        env={**variables, "PYTHONIOENCODING": "ascii"},
        stdout=subprocess.PIPE,
        check=True,
    )
    assert json.loads(done.stdout.decode("ascii"))["data"]["firstname"] == "Adébáyọ̀"


def test_a_slip_is_written_to_standard_output(api: FakeIdentity, tmp_path: Path) -> None:
    api.verified.append(NIN)
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-m", "ng_identity", "slip", NIN, "premium", "-o", "-"],
        env={"NG_IDENTITY_API_KEY": API_KEY, "NG_IDENTITY_BASE_URL": api.base_url},
        cwd=str(tmp_path),
        stdout=subprocess.PIPE,
        check=True,
    )
    assert done.stdout.startswith(b"%PDF-")
    assert done.stdout.endswith(b"%%EOF\n")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", [["balance"], ["slip", NIN, "premium", "-o", "-"]])
def test_a_closed_pipe_ends_the_command_quietly(api: FakeIdentity, command: List[str]) -> None:
    api.verified.append(NIN)
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run(  # noqa: S603
            [sys.executable, "-m", "ng_identity", *command],
            env={"NG_IDENTITY_API_KEY": API_KEY, "NG_IDENTITY_BASE_URL": api.base_url},
            stdout=writer,
            stderr=subprocess.PIPE,
        )
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (141, b"")


def test_the_module_and_the_command_run() -> None:
    script = Path(sys.executable).with_name("ng-identity")
    for command in ([sys.executable, "-m", "ng_identity"], [str(script)]):
        done = subprocess.run([*command, "--version"], stdout=subprocess.PIPE, check=True)  # noqa: S603
        assert done.stdout.decode().strip() == ng_identity.__version__
