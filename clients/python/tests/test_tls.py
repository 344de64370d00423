"""Calls over TLS. A certificate authority that the test creates signs the fake API's certificate."""

import ssl
import warnings
from pathlib import Path
from typing import Any

import pytest

import ng_identity
from ng_identity.testing import FakeIdentity

from .conftest import MakeClient

NIN = "12345678901"


@pytest.fixture
def authority() -> Any:
    return new_authority()


def new_authority() -> Any:
    with warnings.catch_warnings():
        # The library behind trustme warns that it will drop Python 3.8.
        warnings.simplefilter("ignore")
        import trustme

        return trustme.CA()


@pytest.fixture
def tls_url(api: FakeIdentity, authority: Any) -> str:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("localhost").configure_cert(context)
    api._server.socket = context.wrap_socket(api._server.socket, server_side=True)
    return f"https://localhost:{api.port}"


def test_calls_share_a_tls_connection_and_respect_the_timeout(
    make_client: MakeClient,
    api: FakeIdentity,
    tls_url: str,
    authority: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    authority.cert_pem.write_to_path(str(tmp_path / "authority.pem"))
    for name in ("REQUESTS_CA_BUNDLE", "SSL_CERT_FILE"):
        monkeypatch.setenv(name, str(tmp_path / "authority.pem"))
    client = make_client(base_url=tls_url, timeout=1)
    for _ in range(5):
        assert client.verify("NIN", NIN).verified
    assert len({seen.client_port for seen in api.requests}) == 1

    api.delay_s = 1.5
    with pytest.raises(ng_identity.RequestTimeoutError):
        client.verify("NIN", NIN)


def test_an_untrusted_certificate_ends_the_call_before_anything_is_sent(
    make_client: MakeClient, api: FakeIdentity, tls_url: str
) -> None:
    with pytest.raises(ng_identity.TransportError, match="Nothing was sent") as caught:
        make_client(base_url=tls_url).verify("NIN", NIN)
    assert (caught.value.charged, caught.value.retryable) == (False, False)
    assert api.requests == []
