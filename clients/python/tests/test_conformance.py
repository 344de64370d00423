"""Runs the conformance table of all clients (clients/conformance.json), as clients/README.md describes."""

import json
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Tuple

import pytest

import ng_identity
from ng_identity import IdentityError, _base, _retry
from ng_identity._transport import Transport

from .blocking import LoopThread
from .conftest import MakeClient
from .fault_proxy import header_of
from .scripted_server import ScriptedServer
from .virtual_time import Clock, VirtualLoop

TABLE = json.loads((Path(__file__).parents[2] / "conformance.json").read_text(encoding="utf-8"))
DEFAULTS = TABLE["defaults"]
REQUEST_ID = "req_0123456789ab"
CASES: List[Tuple[str, str, Dict[str, Any]]] = [
    (situation["name"], call, situation)
    for situation in TABLE["situations"]
    for call in situation.get("calls", ["verify"])
]
KINDS = {
    "authentication": ng_identity.AuthenticationError,
    "validation": ng_identity.ValidationError,
    "not_found": ng_identity.NotFoundError,
    "verification_failed": ng_identity.VerificationFailedError,
    "insufficient_funds": ng_identity.InsufficientFundsError,
    "rate_limit": ng_identity.RateLimitError,
    "in_progress": ng_identity.InProgressError,
    "replay_exhausted": ng_identity.ReplayExhaustedError,
    "service_unavailable": ng_identity.ServiceUnavailableError,
    "timeout": ng_identity.RequestTimeoutError,
    "server": ng_identity.ServerError,
    "transport": ng_identity.TransportError,
    "other": IdentityError,
}
ATTRIBUTES = {"status": "status_code", "retry_after_s": "retry_after"}
"""The error attributes whose names differ from those in the table."""
SUCCESS = {"verify": "found", "slip": "slip", "balance": "balance", "top_up": "top_up"}


@pytest.fixture(autouse=True)
def _isolate() -> None:
    """Replaces the shared fixture: these tests use the client's own delays and limits."""


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    clock.install(monkeypatch)
    return clock


@pytest.fixture
def loop_thread(clock: Clock) -> Iterator[LoopThread]:
    thread = LoopThread(VirtualLoop(clock))
    yield thread
    thread.stop()


def check_error(error: IdentityError, expected: Dict[str, Any]) -> None:
    # Of its subclasses, only that of a malformed number is not one of the kinds.
    assert (ng_identity.ValidationError if isinstance(error, ValueError) else type(error)) is KINDS[
        expected["kind"]
    ]
    found = {
        name: getattr(error, ATTRIBUTES.get(name, name))
        for name in expected
        if name not in ("kind", "status")
    }
    assert found == {name: value for name, value in expected.items() if name in found}
    if "status" in expected:
        assert error.status_code == expected["status"]


def make_call(client: Any, call: str, number: str, supplied: Dict[str, str]) -> Any:
    if call == "balance":
        return client.balance()
    if call == "top_up":
        return client.start_top_up(1_000, **supplied)
    if call == "slip":
        return client.download_slip(number, "premium", **supplied)
    return client.verify("NIN", number, **supplied)


def check_value(result: Any, call: str, expected: Dict[str, Any]) -> None:
    response = TABLE["responses"][SUCCESS[call]]
    if call == "slip":
        assert result == response["text"].encode()
    else:
        assert result == response["json"]
    for name, value in expected.items():
        assert getattr(result, name) == value


@pytest.mark.parametrize(("call", "situation"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_situation(
    new_client: MakeClient,
    clock: Clock,
    unused_port: int,
    monkeypatch: pytest.MonkeyPatch,
    kind: str,
    call: str,
    situation: Dict[str, Any],
) -> None:
    if kind == "sync" and any(step.get("interim") for step in situation["server"] if isinstance(step, dict)):
        pytest.skip("requests takes an interim response for the final one: see test_belonging")
    settings, expected = situation.get("client", {}), situation["expect"]
    timeout_s = settings.get("timeout_s", DEFAULTS["timeout_s"])
    options = {"timeout" if name == "timeout_s" else name: value for name, value in settings.items()}
    supplied = {"idempotency_key": TABLE["supplied_key"]} if situation.get("supplied_key") else {}
    started_s = clock.now()
    is_refused = situation["server"] == "refused"
    steps = [] if is_refused else situation["server"]
    responses = TABLE["responses"]
    deadline_s = started_s + timeout_s
    with ScriptedServer(steps, responses, SUCCESS[call], clock, DEFAULTS["attempt_s"], deadline_s) as server:
        end_hanging_reads(monkeypatch, server)
        base_url = f"http://127.0.0.1:{unused_port}" if is_refused else server.base_url
        error: Optional[IdentityError] = None
        result: Any = None
        try:
            with new_client(**{"api_key": TABLE["api_key"], "base_url": base_url, **options}) as client:
                result = make_call(client, call, situation.get("number", TABLE["number"]), supplied)
        except IdentityError as raised:
            error = raised
        requests = list(server.requests)

    if "error" in expected:
        assert error is not None
        check_error(error, expected["error"])
        assert error.code is None or error.request_id == REQUEST_ID
    else:
        assert error is None, error
        check_value(result, call, expected["value"])
    assert len(requests) == expected["attempts"]
    check_times(clock, started_s, timeout_s, expected)
    keys = {header_of(request, "Idempotency-Key") for request in requests}
    if call == "balance":
        assert keys <= {None}
    elif requests:
        key = result.idempotency_key if error is None else error.idempotency_key
        assert keys == {supplied.get("idempotency_key", key)} == {key}


def end_hanging_reads(monkeypatch: pytest.MonkeyPatch, server: ScriptedServer) -> None:
    """Shortens the reads of requests while the server hangs, because they end at real times."""
    limits, send = Transport._limits, Transport.send

    def short_limits(self: Transport, deadline: Any) -> Any:
        return (10, 0.05) if server.hangs_next() else limits(self, deadline)

    def send_and_wait(self: Transport, *arguments: Any) -> Any:
        hangs = server.hangs_next()
        try:
            return send(self, *arguments)
        finally:
            if hangs:
                assert server.is_hanging.wait(10)
                server.is_hanging.clear()

    monkeypatch.setattr(Transport, "_limits", short_limits)
    monkeypatch.setattr(Transport, "send", send_and_wait)


def check_times(clock: Clock, started_s: float, timeout_s: float, expected: Dict[str, Any]) -> None:
    elapsed_s = clock.now() - started_s
    shortest_s, longest_s = expected.get("elapsed_s", [0, timeout_s])
    assert shortest_s - 1e-6 <= elapsed_s <= longest_s + 1e-6
    if "waits_s" in expected:
        assert len(clock.waits_s) == len(expected["waits_s"])
        for wait_s, (shortest_s, longest_s) in zip(clock.waits_s, expected["waits_s"]):
            assert shortest_s <= wait_s <= longest_s


def test_the_defaults_match_the_table() -> None:
    found = {
        "timeout_s": _base.DEFAULT_TIMEOUT_S,
        "max_retries": _base.DEFAULT_MAX_RETRIES,
        "attempt_s": _retry.LONGEST_ATTEMPT_S,
        "response_s": _retry.LONGEST_RESPONSE_S,
    }
    assert found == DEFAULTS
