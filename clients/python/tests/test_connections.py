"""Connections that are never established: the list `connections` of the conformance table."""

import sys
from pathlib import Path
from typing import Any, Dict

import pytest
import requests
from requests.adapters import HTTPAdapter

from ng_identity import IdentityError

from .conftest import MakeClient, sync_only
from .connection_server import Certificates, ConnectionServer
from .test_conformance import TABLE, check_error

NIN = "12345678901"
WHY = {
    "tls_to_plain": "does not speak TLS",
    "tls_1_1": "no TLS version in common",
    "client_certificate": "demands a client certificate",
    "client_certificate_1_2": "demands a client certificate",
    "closed_in_handshake": "closed the connection before it was established",
    "reset_in_handshake": "closed the connection before it was established",
    "no_server_auth": "certificate is not valid",
    "untrusted": "certificate is not valid .*SSL_CERT_FILE",
    "proxy_407": r"proxy refused to connect \(HTTP 407\)",
    "proxy_502": r"proxy refused to connect \(HTTP 502\)",
}
CASES = [(case["server"], case["expect"]) for case in TABLE["connections"]]
CASES += [("client_certificate_1_2", expect) for fault, expect in CASES if fault == "client_certificate"]


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    return Certificates(tmp_path_factory.mktemp("certificates"))


@pytest.mark.parametrize(("fault", "expect"), CASES, ids=[case[0] for case in CASES])
def test_a_connection_that_fails_sends_nothing(
    new_client: MakeClient,
    certificates: Certificates,
    monkeypatch: pytest.MonkeyPatch,
    fault: str,
    expect: Dict[str, Any],
) -> None:
    if fault == "tls_1_1" and sys.version_info < (3, 10):
        pytest.skip("before Python 3.10, clients accept TLS 1.1")
    with ConnectionServer(fault, certificates) as server:
        for name, value in server.environment.items():
            monkeypatch.setenv(name, value)
        with new_client("idv_test_key", base_url=server.base_url) as client, pytest.raises(
            IdentityError, match=f"The connection failed: .*{WHY[fault]}.*Nothing was sent"
        ) as caught:
            client.verify("NIN", NIN)
    check_error(caught.value, expect["error"])
    assert (server.connections, server.requests) == (expect["connections"], expect["requests"])


@sync_only
@pytest.mark.parametrize("retries", [0, 2])
def test_a_session_of_the_caller_that_retries_leaves_the_charge_unknown(
    new_client: MakeClient, certificates: Certificates, retries: int
) -> None:
    with ConnectionServer("closed_in_handshake", certificates) as server, requests.Session() as session:
        session.verify = certificates.authority
        session.mount("https://", HTTPAdapter(max_retries=retries))
        client = new_client("idv_test_key", base_url=server.base_url, session=session, max_retries=0)
        with pytest.raises(IdentityError) as caught:
            client.verify("NIN", NIN)
    assert caught.value.charged is (False if retries == 0 else None)
    assert server.connections == 1 + retries


@pytest.mark.parametrize("name", ["REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_FILE"])
def test_each_variable_adds_an_authority_for_both_clients(
    new_client: MakeClient, certificates: Certificates, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv(name, certificates.authority)
    with ConnectionServer("none", certificates) as server:
        client = new_client("idv_test_key", base_url=server.base_url, max_retries=0)
        with client, pytest.raises(IdentityError, match="broke"):
            client.verify("NIN", NIN)
    assert server.requests == 1


def test_a_variable_that_names_no_file_is_rejected(
    new_client: MakeClient, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "missing.pem"))
    with pytest.raises(ValueError, match="SSL_CERT_FILE"):
        new_client("idv_test_key", base_url="https://api.example.com")
