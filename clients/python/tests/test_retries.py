"""What the conformance table does not cover: real sockets, charges of the fake API, and the back-off."""

import http.client
import socket
import time
from typing import Any, Callable, List, Optional

import httpx
import pytest
import requests

import ng_identity
from ng_identity import IdentityError, _retry, _transport
from ng_identity.testing import FakeIdentity

from . import fault_proxy as faults
from .conftest import MakeClient, sync_only
from .fault_proxy import Fault, FaultProxy

NIN = "12345678901"
Behind = Callable[..., FaultProxy]


@pytest.mark.parametrize("fault", [faults.reset_after, faults.half])
def test_a_failed_attempt_is_retried_under_the_same_key_and_charged_once(
    make_client: MakeClient, behind: Behind, api: FakeIdentity, fault: Fault
) -> None:
    proxy = behind(fault, fault)
    result = make_client(base_url=proxy.base_url).verify("NIN", NIN)

    assert result.data["nin"] == NIN
    assert len(proxy.requests) == 3
    assert set(proxy.header("Idempotency-Key")) == {result.idempotency_key}
    assert len(api.charges) == 1


def test_after_a_reset_without_retries_the_key_of_the_error_returns_the_data_without_a_second_charge(
    make_client: MakeClient, behind: Behind, api: FakeIdentity
) -> None:
    client = make_client(base_url=behind(faults.reset_after).base_url, max_retries=0)
    with pytest.raises(ng_identity.TransportError) as caught:
        client.verify("NIN", NIN)
    assert (caught.value.charged, caught.value.retryable) == (None, True)
    assert len(api.charges) == 1

    result = client.verify("NIN", NIN, idempotency_key=caught.value.idempotency_key)
    assert (result.data["nin"], result.credits_charged) == (NIN, 0)
    assert len(api.charges) == 1


@pytest.mark.parametrize("max_retries", [0, 2])
def test_a_call_is_retried_at_most_max_retries_times(
    make_client: MakeClient, behind: Behind, max_retries: int
) -> None:
    proxy = behind(*[faults.reset_before] * 20)
    with pytest.raises(ng_identity.TransportError) as caught:
        make_client(base_url=proxy.base_url, max_retries=max_retries).verify("NIN", NIN)
    assert len(proxy.requests) == 1 + max_retries
    assert isinstance(caught.value.__cause__, (requests.ConnectionError, httpx.NetworkError))


@pytest.mark.parametrize("fault", [faults.slow_body, faults.slow_head, faults.late_half, faults.no_response])
def test_the_timeout_limits_the_whole_call(
    make_client: MakeClient, behind: Behind, api: FakeIdentity, fault: Fault, kind: str
) -> None:
    if kind == "sync" and fault is faults.slow_head:
        pytest.skip("requests limits each read of the head, not their sum, as the README says")
    client = make_client(base_url=behind(fault).base_url, timeout=0.7)
    started = time.monotonic()
    with pytest.raises(ng_identity.RequestTimeoutError) as caught:
        client.verify("NIN", NIN)

    # A slow response sends a byte every 50 ms, so the whole response would take more than 20 seconds.
    assert 0.6 < time.monotonic() - started < 15
    assert caught.value.charged is None
    again = client.verify("NIN", NIN, idempotency_key=caught.value.idempotency_key)
    assert (again.verified, len(api.charges)) == (True, 1)


def test_a_call_in_an_except_block_is_judged_by_itself(
    make_client: MakeClient, behind: Behind, api: FakeIdentity, unused_port: int
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


@pytest.fixture
def tried(monkeypatch: pytest.MonkeyPatch) -> List[str]:
    """Makes connections to 192.0.2.x time out. Returns the addresses of these connections."""
    addresses: List[str] = []

    class Socket(socket.socket):
        def connect(self, address: Any) -> None:
            if address[0].startswith("192.0.2."):
                addresses.append(address[0])
                time.sleep(self.gettimeout() or 0)
                raise socket.timeout("timed out")
            super().connect(address)

    monkeypatch.setattr(socket, "socket", Socket)
    return addresses


def resolve(monkeypatch: pytest.MonkeyPatch, port: int, *addresses: str) -> None:
    """Resolves every host name to these addresses."""
    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in addresses]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)


@sync_only
def test_an_address_that_does_not_respond_leaves_time_for_the_next(
    make_client: MakeClient, api: FakeIdentity, monkeypatch: pytest.MonkeyPatch, tried: List[str]
) -> None:
    resolve(monkeypatch, api.port, "192.0.2.1", "127.0.0.1")
    monkeypatch.setattr(_transport, "LONGEST_CONNECT_S", 0.1)
    client = make_client(base_url=f"http://localhost:{api.port}", timeout=30, max_retries=0)
    assert client.verify("NIN", NIN).verified
    assert tried == ["192.0.2.1"]


@pytest.mark.parametrize("host", ["a" * 70 + ".example.com", "no-such-host.invalid"])
def test_a_host_without_an_address_raises_transport_error(make_client: MakeClient, host: str) -> None:
    with pytest.raises(ng_identity.TransportError) as caught:
        make_client(base_url=f"https://{host}", max_retries=0).verify("NIN", NIN)
    assert caught.value.charged is False


def test_a_server_without_tls_raises_transport_error(make_client: MakeClient, api: FakeIdentity) -> None:
    with pytest.raises(ng_identity.TransportError):
        make_client(base_url=f"https://127.0.0.1:{api.port}").verify("NIN", NIN)
    assert api.charges == []


@sync_only
def test_a_connection_that_the_server_has_closed_is_replaced(
    make_client: MakeClient, api: FakeIdentity, monkeypatch: pytest.MonkeyPatch
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
