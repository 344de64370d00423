import http.client
import socket
import time
from typing import Any, Callable, List, Optional, Tuple

import pytest
import requests

import ng_identity
from ng_identity import IdentityError, _deadline, _retry

from . import fault_proxy as faults
from .conftest import MakeClient
from .fake_api import FakeApi
from .fault_proxy import PAGE, Fault, FaultProxy, responds
from .test_errors import envelope

NIN = "12345678901"
Behind = Callable[..., FaultProxy]

BROKEN = [
    faults.reset_before,
    faults.reset_after,
    faults.half,
    faults.half_reset,
    faults.half_head,
    faults.not_http,
    responds("502 Bad Gateway", PAGE),
    responds("503 Service Unavailable", PAGE, "Retry-After: 0"),
    responds("504 Gateway Timeout", PAGE),
    responds("200 OK", PAGE),
    responds("503 Service Unavailable", envelope("OUTCOME_UNKNOWN"), "Retry-After: 0"),
    responds("429 Too Many Requests", envelope("RATE_LIMITED"), "Retry-After: 0"),
    responds("409 Conflict", envelope("REQUEST_IN_PROGRESS"), "Retry-After: 0"),
]
REPLAYED = ("Idempotent-Replayed: true", "X-Credits-Charged: 0", "Retry-After: 0")
NAMES = [getattr(fault, "__qualname__", "") for fault in BROKEN]


@pytest.mark.parametrize("fault", BROKEN, ids=NAMES)
def test_a_failed_attempt_is_retried_under_the_same_key_and_charged_once(
    make_client: MakeClient, behind: Behind, api: FakeApi, fault: Fault
) -> None:
    proxy = behind(fault, fault)
    result = make_client(base_url=proxy.base_url).verify("NIN", NIN)

    assert result.data["nin"] == NIN
    assert len(proxy.requests) == 3
    assert set(proxy.header("Idempotency-Key")) == {result.idempotency_key}
    assert len(api.charges) == 1


@pytest.mark.parametrize("fault", BROKEN, ids=NAMES)
def test_a_slip_download_survives_the_same_faults(
    make_client: MakeClient, behind: Behind, api: FakeApi, fault: Fault
) -> None:
    api.verified.append(NIN)
    proxy = behind(fault, fault)
    pdf = make_client(base_url=proxy.base_url).download_slip(NIN, "premium")

    assert (pdf[:16], pdf[-6:]) == (b"%PDF-1.7\npremium", b"%%EOF\n")
    assert len(set(proxy.header("Idempotency-Key"))) == 1
    assert len(api.charges) == 1


@pytest.mark.parametrize("fault", BROKEN, ids=NAMES)
def test_a_read_survives_the_same_faults(make_client: MakeClient, behind: Behind, fault: Fault) -> None:
    assert make_client(base_url=behind(fault, fault).base_url).balance().available == 1000


def test_after_a_reset_without_retries_the_key_of_the_error_returns_the_data_without_a_second_charge(
    make_client: MakeClient, behind: Behind, api: FakeApi
) -> None:
    client = make_client(base_url=behind(faults.reset_after).base_url, max_retries=0)
    with pytest.raises(ng_identity.TransportError) as caught:
        client.verify("NIN", NIN)
    assert (caught.value.charged, caught.value.retryable) == (None, True)
    assert len(api.charges) == 1

    result = client.verify("NIN", NIN, idempotency_key=caught.value.idempotency_key)
    assert (result.data["nin"], result.credits_charged) == (NIN, 0)
    assert len(api.charges) == 1


@pytest.mark.parametrize("max_retries", [0, 1, 2, 5])
def test_a_call_is_retried_at_most_max_retries_times(
    make_client: MakeClient, behind: Behind, max_retries: int
) -> None:
    proxy = behind(*[faults.reset_before] * 20)
    with pytest.raises(ng_identity.TransportError) as caught:
        make_client(base_url=proxy.base_url, max_retries=max_retries).verify("NIN", NIN)
    assert len(proxy.requests) == 1 + max_retries
    assert isinstance(caught.value.__cause__, requests.ConnectionError)


@pytest.mark.parametrize(
    ("ending", "sends"),
    [("0404", 1), ("0400", 1), ("0402", 1), ("0503", 4), ("0504", 2), ("0500", 2)],
)
def test_each_code_is_retried_as_often_as_the_catalogue_allows(
    make_client: MakeClient, api: FakeApi, ending: str, sends: int
) -> None:
    with pytest.raises(IdentityError):
        make_client(max_retries=3).verify("NIN", "1234567" + ending)
    assert len(api.seen) == sends


def test_the_timeout_and_not_max_retries_limits_the_wait_for_a_call_in_progress(
    make_client: MakeClient, behind: Behind, api: FakeApi
) -> None:
    busy = responds("409 Conflict", envelope("REQUEST_IN_PROGRESS"), "Retry-After: 0")
    assert make_client(base_url=behind(*[busy] * 6).base_url, max_retries=1).verify("NIN", NIN).verified

    proxy = behind(busy, busy, faults.reset_before)
    assert make_client(base_url=proxy.base_url, max_retries=1).verify("NIN", NIN).verified

    busy = responds("409 Conflict", envelope("REQUEST_IN_PROGRESS"), "Retry-After: 1")
    started = time.monotonic()
    with pytest.raises(ng_identity.InProgressError) as caught:
        make_client(base_url=behind(*[busy] * 9).base_url, max_retries=1, timeout=2).verify("NIN", NIN)
    assert 1 <= time.monotonic() - started < 2
    assert caught.value.charged is None
    assert len(api.charges) == 2


@pytest.mark.parametrize("fault", [faults.slow_body, faults.slow_head, faults.late_half, faults.no_response])
def test_the_timeout_limits_the_whole_call(
    make_client: MakeClient, behind: Behind, api: FakeApi, fault: Fault
) -> None:
    client = make_client(base_url=behind(fault).base_url, timeout=0.7)
    started = time.monotonic()
    with pytest.raises(ng_identity.RequestTimeoutError) as caught:
        client.verify("NIN", NIN)

    assert 0.6 < time.monotonic() - started < 1.1
    assert caught.value.charged is None
    again = client.verify("NIN", NIN, idempotency_key=caught.value.idempotency_key)
    assert (again.verified, len(api.charges)) == (True, 1)


def test_the_client_waits_for_retry_after(make_client: MakeClient, behind: Behind) -> None:
    slow_down = responds("429 Too Many Requests", envelope("RATE_LIMITED"), "Retry-After: 1")
    started = time.monotonic()
    assert make_client(base_url=behind(slow_down).base_url).verify("NIN", NIN).verified
    assert 1 <= time.monotonic() - started < 2


HELD = envelope("INSUFFICIENT_FUNDS", error={"reason": "held", "field": "", "hint": "Retry."})


def held(retry_after_s: int) -> Fault:
    return responds("402 Payment Required", HELD, f"Retry-After: {retry_after_s}", "X-Credits-Charged: 0")


def test_a_call_is_retried_if_other_requests_hold_the_credits(
    make_client: MakeClient, behind: Behind, api: FakeApi
) -> None:
    proxy = behind(held(1))
    started = time.monotonic()
    result = make_client(base_url=proxy.base_url).verify("NIN", NIN)

    assert 1 <= time.monotonic() - started < 2
    assert set(proxy.header("Idempotency-Key")) == {result.idempotency_key}
    assert (len(proxy.requests), len(api.charges)) == (2, 1)


def test_a_call_is_retried_once_only_while_other_requests_hold_the_credits(
    make_client: MakeClient, behind: Behind, api: FakeApi
) -> None:
    proxy = behind(*[held(0)] * 5)
    with pytest.raises(ng_identity.InsufficientFundsError) as caught:
        make_client(base_url=proxy.base_url, max_retries=5).verify("NIN", NIN)
    assert (caught.value.reason, caught.value.retryable, caught.value.charged) == ("held", True, False)
    assert (len(proxy.requests), api.charges) == (2, [])

    proxy = behind(held(60))
    with pytest.raises(ng_identity.InsufficientFundsError):
        make_client(base_url=proxy.base_url).verify("NIN", NIN)
    assert len(proxy.requests) == 1


def test_a_retry_after_beyond_the_timeout_raises_the_error_at_once(
    make_client: MakeClient, behind: Behind
) -> None:
    proxy = behind(responds("429 Too Many Requests", envelope("RATE_LIMITED"), "Retry-After: 60"))
    started = time.monotonic()
    with pytest.raises(ng_identity.RateLimitError) as caught:
        make_client(base_url=proxy.base_url).verify("NIN", NIN)
    assert time.monotonic() - started < 0.5
    assert (caught.value.retry_after, caught.value.charged) == (60, False)


def test_an_unknown_charge_stays_unknown_whatever_the_last_attempt_reports(
    make_client: MakeClient, behind: Behind
) -> None:
    rejected = responds("401 Unauthorized", envelope("INVALID_API_KEY"), "X-Credits-Charged: 0")
    with pytest.raises(ng_identity.AuthenticationError) as caught:
        make_client(base_url=behind(faults.reset_after, rejected).base_url).verify("NIN", NIN)
    assert caught.value.charged is None


@pytest.mark.parametrize(
    ("ending", "given", "charged"),
    [
        ("0404", True, False),
        ("0400", True, False),
        ("0402", True, False),
        ("0503", True, None),
        ("0503", False, False),
    ],
)
def test_under_a_supplied_key_only_errors_after_the_key_check_report_that_nothing_was_charged(
    make_client: MakeClient, ending: str, given: bool, charged: Optional[bool]
) -> None:
    key = "k" * 16 if given else None
    with pytest.raises(IdentityError) as caught:
        make_client(max_retries=0).verify("NIN", "1234567" + ending, idempotency_key=key)
    assert caught.value.charged is charged


def test_an_error_before_the_key_check_leaves_the_charge_of_an_earlier_call_unknown(
    make_client: MakeClient, behind: Behind, unused_port: int
) -> None:
    proxy = behind(faults.reset_after, responds("429 Too Many Requests", envelope("RATE_LIMITED")))
    client = make_client(base_url=proxy.base_url, max_retries=0)
    with pytest.raises(ng_identity.TransportError) as first:
        client.verify("NIN", NIN)
    key = first.value.idempotency_key
    with pytest.raises(ng_identity.RateLimitError) as second:
        client.verify("NIN", NIN, idempotency_key=key)
    offline = make_client(base_url=f"http://127.0.0.1:{unused_port}", max_retries=0)
    with pytest.raises(ng_identity.TransportError) as third:
        offline.verify("NIN", NIN, idempotency_key=key)
    assert [error.value.charged for error in (first, second, third)] == [None, None, None]


def test_a_free_replay_without_data_reports_that_the_key_was_charged(
    make_client: MakeClient, behind: Behind
) -> None:
    failed = responds("503 Service Unavailable", envelope("SERVICE_UNAVAILABLE"), *REPLAYED)
    proxy = behind(failed, responds("401 Unauthorized", envelope("INVALID_API_KEY")))
    with pytest.raises(ng_identity.AuthenticationError) as caught:
        make_client(base_url=proxy.base_url).verify("NIN", NIN)
    assert caught.value.charged is True


@pytest.mark.parametrize("status", ["400 Bad Request", "500 Internal Server Error"])
def test_the_header_value_unknown_means_an_unknown_charge_whatever_the_status(
    make_client: MakeClient, behind: Behind, status: str
) -> None:
    proxy = behind(responds(status, envelope("NEW_CODE"), "X-Credits-Charged: unknown"))
    with pytest.raises(IdentityError) as caught:
        make_client(base_url=proxy.base_url, max_retries=0).verify("NIN", NIN)
    assert caught.value.charged is None


def test_a_call_in_an_except_block_is_judged_by_itself(
    make_client: MakeClient, behind: Behind, api: FakeApi, unused_port: int
) -> None:
    """The exception being handled means "nothing was sent", but the second call was sent and charged."""
    offline = make_client(base_url=f"http://127.0.0.1:{unused_port}", max_retries=0)
    cut = make_client(base_url=behind(faults.reset_after).base_url, max_retries=0)
    errors: List[IdentityError] = []
    try:
        offline.verify("NIN", NIN)
    except IdentityError as first:
        with pytest.raises(ng_identity.TransportError, match="broke") as caught:
            cut.verify("NIN", NIN)
        errors = [first, caught.value]
    assert [error.charged for error in errors] == [False, None]
    assert all(error.__traceback__ for error in errors)
    assert len(api.charges) == 1


def test_the_addresses_of_a_host_share_the_connect_timeout(
    make_client: MakeClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: List[str] = []

    def time_out(address: Tuple[str, int], timeout: float, *_: object, **__: object) -> socket.socket:
        tried.append(address[0])
        time.sleep(timeout)
        raise socket.timeout("timed out")

    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (f"192.0.2.{last}", 443)) for last in range(1, 7)]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_: found)
    monkeypatch.setattr(_deadline, "create_connection", time_out)
    started = time.monotonic()
    with pytest.raises(ng_identity.RequestTimeoutError, match="Connecting timed out") as caught:
        make_client(base_url="https://api.example.com", timeout=0.6).verify("NIN", NIN)
    assert 0.5 < time.monotonic() - started < 0.9
    assert (caught.value.charged, len(tried)) == (False, 6)


def test_an_address_that_does_not_respond_leaves_time_for_the_next(
    make_client: MakeClient, api: FakeApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    from urllib3.util.connection import create_connection as connect

    def first_times_out(
        address: Tuple[str, int], timeout: float, *rest: Any, **options: Any
    ) -> socket.socket:
        if address[0] == "192.0.2.1":
            time.sleep(timeout)
            raise socket.timeout("timed out")
        return connect(address, timeout, *rest, **options)

    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (ip, 0)) for ip in ("192.0.2.1", "127.0.0.1")]
    lookup = socket.getaddrinfo
    monkeypatch.setattr(
        socket, "getaddrinfo", lambda host, *rest: found if host == "localhost" else lookup(host, *rest)
    )
    monkeypatch.setattr(_deadline, "create_connection", first_times_out)
    client = make_client(base_url=f"http://localhost:{api.port}", timeout=1, max_retries=0)
    assert client.verify("NIN", NIN).verified


@pytest.mark.parametrize("host", ["a" * 70 + ".example.com", "no-such-host.invalid"])
def test_a_host_without_an_address_raises_transport_error(make_client: MakeClient, host: str) -> None:
    with pytest.raises(ng_identity.TransportError) as caught:
        make_client(base_url=f"https://{host}", max_retries=0).verify("NIN", NIN)
    assert caught.value.charged is False


def test_a_refused_connection_is_not_charged(make_client: MakeClient, unused_port: int) -> None:
    with pytest.raises(ng_identity.TransportError) as caught:
        make_client(base_url=f"http://127.0.0.1:{unused_port}", max_retries=1).verify("NIN", NIN)
    assert (caught.value.charged, caught.value.status_code, caught.value.response) == (False, None, None)


def test_a_server_without_tls_raises_transport_error(make_client: MakeClient, api: FakeApi) -> None:
    with pytest.raises(ng_identity.TransportError):
        make_client(base_url=f"https://127.0.0.1:{api.port}").verify("NIN", NIN)
    assert api.charges == []


def test_a_redirect_is_not_followed(make_client: MakeClient, behind: Behind, api: FakeApi) -> None:
    proxy = behind(responds("307 Temporary Redirect", "", f"Location: {api.base_url}/api/v1/ng/nin-basic/"))
    with pytest.raises(IdentityError):
        make_client(base_url=proxy.base_url).verify("NIN", NIN)
    assert api.seen == []


def test_a_connection_that_the_server_has_closed_is_replaced(
    make_client: MakeClient, api: FakeApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = make_client(max_retries=1)
    client.verify("NIN", NIN)
    broken: List[str] = []
    original = http.client.HTTPConnection.getresponse

    def fail_once(self: http.client.HTTPConnection) -> http.client.HTTPResponse:
        if not broken:
            broken.append("once")
            raise http.client.RemoteDisconnected("the server closed an idle connection")
        return original(self)

    monkeypatch.setattr(http.client.HTTPConnection, "getresponse", fail_once)
    assert client.verify("NIN", NIN).verified
    assert (len(broken), len(api.charges)) == (1, 2)


@pytest.mark.parametrize("retries", range(12))
def test_the_back_off_grows_up_to_a_limit_with_jitter(monkeypatch: pytest.MonkeyPatch, retries: int) -> None:
    monkeypatch.setattr(_retry, "FIRST_DELAY_S", 0.5)
    delays = [_retry.delay_s(retries, None) for _ in range(200)]
    full_s = min(8.0, 0.5 * 2**retries)
    assert full_s / 2 <= min(delays) < max(delays) <= full_s
    assert len(set(delays)) > 100


@pytest.mark.parametrize("retry_after_s", [0.0, 1.0, 30.0])
def test_no_delay_is_shorter_than_retry_after(retry_after_s: Optional[float]) -> None:
    delays = [_retry.delay_s(0, retry_after_s) for _ in range(200)]
    assert retry_after_s is not None
    assert retry_after_s <= min(delays) < max(delays) <= retry_after_s * 1.1 + 0.1
