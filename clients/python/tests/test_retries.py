import http.client
import time
from typing import Callable, List, Optional

import pytest
import requests

import ng_identity
from ng_identity import IdentityError, _retry

from . import fault_proxy as faults
from .conftest import MakeClient
from .fake_api import FakeApi
from .fault_proxy import PAGE, Fault, FaultProxy, says
from .test_errors import envelope

NIN = "12345678901"
Behind = Callable[..., FaultProxy]

BROKEN = [
    faults.reset_before,
    faults.reset_after,
    faults.half,
    faults.half_reset,
    faults.half_head,
    faults.no_http,
    says("502 Bad Gateway", PAGE),
    says("503 Service Unavailable", PAGE, "Retry-After: 0"),
    says("504 Gateway Timeout", PAGE),
    says("200 OK", PAGE),
    says("503 Service Unavailable", envelope("OUTCOME_UNKNOWN"), "Retry-After: 0"),
    says("429 Too Many Requests", envelope("RATE_LIMITED"), "Retry-After: 0"),
    says("409 Conflict", envelope("REQUEST_IN_PROGRESS"), "Retry-After: 0"),
]
NAMES = [getattr(fault, "__qualname__", "") for fault in BROKEN]


@pytest.mark.parametrize("fault", BROKEN, ids=NAMES)
def test_a_broken_attempt_is_repeated_under_the_same_key_with_one_charge_and_the_data(
    make_client: MakeClient, behind: Behind, api: FakeApi, fault: Fault
) -> None:
    proxy = behind(fault, fault)
    result = make_client(base_url=proxy.base_url).verify("NIN", NIN)

    assert result.data["nin"] == NIN
    assert len(proxy.requests) == 3
    assert set(proxy.header("Idempotency-Key")) == {result.idempotency_key}
    assert len(api.charges) == 1


@pytest.mark.parametrize("fault", BROKEN, ids=NAMES)
def test_a_slip_survives_the_same_faults_whole(
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


def test_cut_after_the_charge_with_no_retry_left_the_error_says_how_to_get_the_data_free(
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
def test_a_call_is_sent_at_most_max_retries_times_more(
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
def test_each_code_is_repeated_as_often_as_the_catalogue_allows(
    make_client: MakeClient, api: FakeApi, ending: str, sends: int
) -> None:
    with pytest.raises(IdentityError):
        make_client(max_retries=3).verify("NIN", "1234567" + ending)
    assert len(api.seen) == sends


def test_waiting_for_a_call_in_progress_ends_with_the_time_and_not_with_the_retries(
    make_client: MakeClient, behind: Behind, api: FakeApi
) -> None:
    busy = says("409 Conflict", envelope("REQUEST_IN_PROGRESS"), "Retry-After: 0")
    assert make_client(base_url=behind(*[busy] * 6).base_url, max_retries=1).verify("NIN", NIN).verified

    proxy = behind(busy, busy, faults.reset_before)
    assert make_client(base_url=proxy.base_url, max_retries=1).verify("NIN", NIN).verified

    started = time.monotonic()
    with pytest.raises(ng_identity.InProgressError) as caught:
        make_client(base_url=behind(*[busy] * 99).base_url, max_retries=1, timeout=1).verify("NIN", NIN)
    assert time.monotonic() - started < 1.5
    assert caught.value.charged is None
    assert len(api.charges) == 2


@pytest.mark.parametrize("fault", [faults.slow_body, faults.slow_head, faults.silence])
def test_the_time_limit_holds_for_the_call_as_a_whole(
    make_client: MakeClient, behind: Behind, api: FakeApi, fault: Fault
) -> None:
    client = make_client(base_url=behind(fault).base_url, timeout=0.7)
    started = time.monotonic()
    with pytest.raises(ng_identity.RequestTimeoutError) as caught:
        client.verify("NIN", NIN)

    assert 0.6 < time.monotonic() - started < 1.2
    assert caught.value.charged is None
    again = client.verify("NIN", NIN, idempotency_key=caught.value.idempotency_key)
    assert (again.verified, len(api.charges)) == (True, 1)


def test_retry_after_is_waited_for(make_client: MakeClient, behind: Behind) -> None:
    slow_down = says("429 Too Many Requests", envelope("RATE_LIMITED"), "Retry-After: 1")
    started = time.monotonic()
    assert make_client(base_url=behind(slow_down).base_url).verify("NIN", NIN).verified
    assert 1 <= time.monotonic() - started < 2


def test_a_retry_after_beyond_the_time_limit_is_raised_at_once(
    make_client: MakeClient, behind: Behind
) -> None:
    proxy = behind(says("429 Too Many Requests", envelope("RATE_LIMITED"), "Retry-After: 60"))
    started = time.monotonic()
    with pytest.raises(ng_identity.RateLimitError) as caught:
        make_client(base_url=proxy.base_url).verify("NIN", NIN)
    assert time.monotonic() - started < 0.5
    assert (caught.value.retry_after, caught.value.charged) == (60, False)


def test_an_unknown_outcome_stays_unknown_whatever_the_last_attempt_says(
    make_client: MakeClient, behind: Behind
) -> None:
    refuse = says("401 Unauthorized", envelope("INVALID_API_KEY"), "X-Credits-Charged: 0")
    with pytest.raises(ng_identity.AuthenticationError) as caught:
        make_client(base_url=behind(faults.reset_after, refuse).base_url).verify("NIN", NIN)
    assert caught.value.charged is None


def test_where_nobody_listens_nothing_was_charged(make_client: MakeClient, unused_port: int) -> None:
    with pytest.raises(ng_identity.TransportError) as caught:
        make_client(base_url=f"http://127.0.0.1:{unused_port}", max_retries=1).verify("NIN", NIN)
    assert (caught.value.charged, caught.value.status_code, caught.value.response) == (False, None, None)


def test_a_server_without_tls_is_a_transport_error(make_client: MakeClient, api: FakeApi) -> None:
    with pytest.raises(ng_identity.TransportError):
        make_client(base_url=f"https://127.0.0.1:{api.port}").verify("NIN", NIN)
    assert api.charges == []


def test_a_redirect_is_not_followed(make_client: MakeClient, behind: Behind, api: FakeApi) -> None:
    proxy = behind(says("307 Temporary Redirect", "", f"Location: {api.base_url}/api/v1/ng/nin-basic/"))
    with pytest.raises(IdentityError):
        make_client(base_url=proxy.base_url).verify("NIN", NIN)
    assert api.seen == []


def test_a_connection_that_the_server_has_closed_meanwhile_is_replaced(
    make_client: MakeClient, api: FakeApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = make_client(max_retries=1)
    client.verify("NIN", NIN)
    broken: List[str] = []
    original = http.client.HTTPConnection.getresponse

    def breaks_once(self: http.client.HTTPConnection) -> http.client.HTTPResponse:
        if not broken:
            broken.append("once")
            raise http.client.RemoteDisconnected("the server closed an idle connection")
        return original(self)

    monkeypatch.setattr(http.client.HTTPConnection, "getresponse", breaks_once)
    assert client.verify("NIN", NIN).verified
    assert (len(broken), len(api.charges)) == (1, 2)


@pytest.mark.parametrize("retries", range(12))
def test_back_off_grows_to_a_limit_with_jitter(monkeypatch: pytest.MonkeyPatch, retries: int) -> None:
    monkeypatch.setattr(_retry, "FIRST_DELAY_S", 0.5)
    delays = [_retry.delay_s(retries, None) for _ in range(200)]
    full_s = min(8.0, 0.5 * 2**retries)
    assert full_s / 2 <= min(delays) < max(delays) <= full_s
    assert len(set(delays)) > 100


@pytest.mark.parametrize("retry_after_s", [0.0, 1.0, 30.0])
def test_no_wait_is_shorter_than_retry_after(retry_after_s: Optional[float]) -> None:
    delays = [_retry.delay_s(0, retry_after_s) for _ in range(200)]
    assert retry_after_s is not None
    assert retry_after_s <= min(delays) < max(delays) <= retry_after_s * 1.1 + 0.1
