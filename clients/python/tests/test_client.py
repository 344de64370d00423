import http.client
import logging
import pickle
import re
import sys
import threading
import time
import traceback
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Callable, Dict, List

import pytest
import requests

import ng_identity
from ng_identity import AsyncIdentityClient, IdentityClient
from ng_identity.testing import API_KEY, FakeIdentity

from . import fault_proxy as faults
from .conftest import MakeClient, sync_only
from .fault_proxy import FaultProxy

NIN = "12345678901"


def test_key_and_base_url_come_from_the_environment(
    api: FakeIdentity, new_client: MakeClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NG_IDENTITY_API_KEY", API_KEY)
    monkeypatch.setenv("NG_IDENTITY_BASE_URL", api.base_url + "/")
    with new_client() as client:
        assert client.verify("NIN", NIN).verified


def test_a_missing_key_raises_authentication_error(new_client: MakeClient) -> None:
    with pytest.raises(ng_identity.AuthenticationError, match="NG_IDENTITY_API_KEY"):
        new_client(base_url="https://api.example.com")


@pytest.mark.parametrize("client", [IdentityClient, AsyncIdentityClient])
@pytest.mark.parametrize("key", [API_KEY + "\n", "two words", "kéy", "a\r\nX-Other: b", b"bytes"])
def test_a_malformed_key_is_rejected_and_not_shown_in_the_error(client: Any, key: Any) -> None:
    with pytest.raises(ng_identity.AuthenticationError) as caught:
        client(key, base_url="https://api.example.com")
    assert str(key).strip() not in everything_about(caught.value)


def test_an_empty_key_or_base_url_does_not_fall_back_to_the_environment(
    new_client: MakeClient,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("NG_IDENTITY_API_KEY", API_KEY)
    monkeypatch.setenv("NG_IDENTITY_BASE_URL", "https://api.example.com")
    with pytest.raises(ng_identity.AuthenticationError):
        new_client("")
    with pytest.raises(ValueError, match="base URL"):
        new_client(base_url="")


@pytest.mark.parametrize(
    "base_url",
    [
        "http://api.example.com",
        "http://127.0.0.1.example.com",
        "ftp://127.0.0.1",
        "api.example.com",
        "https://",
        "https://user:secret@api.example.com",
        "https://api.example.com?x=1",
        "https://api.example.com:99999",
        "https://[api.example.com",
        None,
    ],
)
def test_an_insecure_or_malformed_base_url_is_rejected(new_client: MakeClient, base_url: Any) -> None:
    with pytest.raises(ValueError, match=r"(?i)base.url"):
        new_client(API_KEY, base_url=base_url)


@pytest.mark.parametrize(
    "options",
    [{"timeout": 0}, {"timeout": True}, {"timeout": "30"}, {"max_retries": -1}, {"max_retries": 1.5}],
)
def test_invalid_settings_are_rejected(new_client: MakeClient, options: Dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"timeout|max_retries"):
        new_client(API_KEY, base_url="https://api.example.com", **options)


def test_calls_share_a_connection(client: IdentityClient, api: FakeIdentity) -> None:
    for _ in range(10):
        client.verify("NIN", NIN)
        client.balance()
    assert len({seen.client_port for seen in api.requests}) == 1


def test_one_client_serves_many_threads(client: IdentityClient, api: FakeIdentity) -> None:
    numbers = [f"{index:011d}" for index in range(20_000, 20_200)]
    with ThreadPoolExecutor(16) as pool:
        results = list(pool.map(lambda number: client.verify("NIN", number), numbers))

    assert [result.data["nin"] for result in results] == numbers
    assert len({result.idempotency_key for result in results}) == len(api.charges) == 200


def test_the_deadline_of_one_thread_does_not_affect_another(
    make_client: MakeClient, api: FakeIdentity
) -> None:
    api.delay_s = 0.6
    patient, hasty = make_client(timeout=5), make_client(timeout=0.2)
    results = []
    thread = threading.Thread(target=lambda: results.append(patient.verify("NIN", NIN)))
    thread.start()
    with pytest.raises(ng_identity.RequestTimeoutError):
        hasty.verify("NIN", NIN)
    thread.join()
    assert results[0].verified


def test_a_connection_is_reused_after_a_call_that_ended_just_before_its_deadline(
    make_client: MakeClient, api: FakeIdentity
) -> None:
    client = make_client(timeout=2)
    api.delay_s = 1.2
    client.verify("NIN", NIN)
    api.delay_s = 1
    assert client.verify("NIN", NIN).verified
    assert len({seen.client_port for seen in api.requests}) == 1


def test_the_user_agent_contains_the_versions_of_client_python_and_http_library(
    client: IdentityClient, api: FakeIdentity, kind: str
) -> None:
    client.balance()
    version = re.escape(ng_identity.__version__)
    library = "requests" if kind == "sync" else "httpx"
    expected = rf"ng-identity/{version} python/{sys.version_info[0]}\.\d+\.\d+ {library}/\d+\.\d+\.\d+"
    assert re.fullmatch(expected, api.requests[0].headers["User-Agent"])


@sync_only
def test_a_session_supplied_by_the_caller_is_used_and_left_open(
    make_client: MakeClient, api: FakeIdentity
) -> None:
    closed = []

    class Session(requests.Session):
        def close(self) -> None:
            closed.append(self)
            super().close()

    session = Session()
    session.headers["X-Team"] = "onboarding"
    with make_client(session=session) as client:
        client.verify("NIN", NIN)
    assert api.requests[0].headers["X-Team"] == "onboarding"
    assert closed == []
    session.close()


def test_a_netrc_entry_does_not_replace_the_key(
    client: IdentityClient, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login somebody password else\n")
    monkeypatch.setenv("NETRC", str(netrc))
    assert client.verify("NIN", NIN).verified


def everything_about(error: BaseException) -> str:
    """Returns what an error tracker reports: messages and local variables, except those of the tests."""
    texts: List[str] = []
    queue = [traceback.TracebackException.from_exception(error, capture_locals=True)]
    while queue:
        entry = queue.pop()
        texts += entry.format_exception_only()
        texts += [
            str(frame.locals) for frame in entry.stack if Path(frame.filename).parent != Path(__file__).parent
        ]
        queue += [linked for linked in (entry.__cause__, entry.__context__) if linked is not None]
    return "\n".join(texts)


@sync_only
def test_the_key_is_in_no_local_variable_of_the_client_when_another_exception_ends_a_call(
    client: IdentityClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C, or the time limit of a job queue, can end a call within requests, which has the key."""

    class JobTimeoutError(Exception):
        pass

    def raise_timeout(*_: object) -> None:
        raise JobTimeoutError

    monkeypatch.setattr(http.client.HTTPConnection, "getresponse", raise_timeout)
    with pytest.raises(JobTimeoutError) as caught:
        client.verify("NIN", NIN)
    frames = [frame for frame, _ in traceback.walk_tb(caught.value.__traceback__)]
    own = [frame for frame in frames if frame.f_globals["__name__"].startswith("ng_identity.")]
    assert len(frames) > len(own) > 0
    assert API_KEY not in repr([frame.f_locals for frame in own])


@pytest.mark.parametrize("fault", [faults.reset_after, faults.half, faults.no_response, faults.not_http])
def test_an_error_contains_neither_key_nor_number_and_its_traceback_contains_no_key(
    make_client: MakeClient, behind: Callable[..., FaultProxy], fault: faults.Fault
) -> None:
    client = make_client(base_url=behind(fault).base_url, max_retries=0, timeout=0.5)
    with pytest.raises(ng_identity.IdentityError) as caught:
        client.verify("NIN", NIN)
    error = caught.value

    secret = API_KEY[9:]
    shown = everything_about(error)
    assert "_timeout_s" in shown or "max_retries" in shown
    assert secret not in shown
    assert secret not in repr(vars(error)) + str(error) + repr(error)
    assert NIN not in str(error)
    cause = error.__cause__
    assert cause is None or (cause.__traceback__ is None and "Request" not in repr(vars(cause)))


def test_the_response_of_an_error_contains_neither_key_nor_number(client: IdentityClient) -> None:
    with pytest.raises(ng_identity.NotFoundError) as caught:
        client.verify("NIN", "12345670404")
    response = caught.value.response
    assert response is not None
    assert API_KEY.encode() not in pickle.dumps(caught.value)
    assert b"12345670404" not in pickle.dumps(caught.value)


def test_the_key_is_in_no_repr_log_or_pickle(
    client: IdentityClient, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        client.verify("NIN", NIN)
        list(client.transactions(page_size=1))

    assert any(record.name == "ng_identity" for record in caplog.records)
    assert API_KEY not in caplog.text
    assert NIN not in caplog.text
    shown = getattr(client, "wrapped", client)
    assert API_KEY not in repr(shown) + repr(vars(shown)) + repr(vars(shown._transport))
    with pytest.raises(TypeError, match="cannot be pickled"):
        pickle.dumps(client)


def test_sequential_calls_wait_for_nothing_but_their_responses(
    client: IdentityClient, api: FakeIdentity
) -> None:
    """For example for a delayed acknowledgement, which takes 40 ms. A bare request takes about one."""

    def seconds(call: Callable[[], Any]) -> float:
        started = time.monotonic()
        for _ in range(15):
            call()
        return time.monotonic() - started

    url = f"http://127.0.0.1:{api.port}/v1/ng/nin-basic/"
    with requests.Session() as session:
        pairs = [
            (seconds(lambda: client.verify("NIN", NIN)), seconds(lambda: session.post(url, json={})))
            for _ in range(3)
        ]
    assert min(own / bare for own, bare in pairs) < 12
