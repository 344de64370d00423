import socket
from typing import Any, Callable, Iterator, cast

import pytest

from ng_identity import AsyncIdentityClient, IdentityClient, _retry
from ng_identity.testing import FakeIdentity

from .blocking import BlockingClient, LoopThread
from .fault_proxy import Fault, FaultProxy

MakeClient = Callable[..., IdentityClient]

sync_only = pytest.mark.parametrize("kind", ["sync"], indirect=True)
"""Marks a test that applies only to IdentityClient."""
async_only = pytest.mark.parametrize("kind", ["async"], indirect=True)


ENVIRONMENT = (
    *("NG_IDENTITY_API_KEY", "NG_IDENTITY_BASE_URL", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"),
    *("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_FILE"),
)


@pytest.fixture(autouse=True)
def _isolate(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    Removes the environment variables that affect the client, shortens the back-off, and permits retries
    within the short timeouts of the tests.
    """
    for name in ENVIRONMENT:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    monkeypatch.setattr(_retry, "FIRST_DELAY_S", 0.01)
    monkeypatch.setattr(_retry, "LONGEST_RESPONSE_S", 0.0)


@pytest.fixture(params=["sync", "async"])
def kind(request: pytest.FixtureRequest) -> str:
    """The kind of client that a test uses. Tests run on both kinds unless they say otherwise."""
    return str(request.param)


@pytest.fixture(scope="session")
def loop_thread() -> Iterator[LoopThread]:
    thread = LoopThread()
    yield thread
    thread.stop()


@pytest.fixture
def new_client(kind: str, loop_thread: LoopThread) -> MakeClient:
    """Creates clients of the kind that the test uses. Does not close them."""

    def make(*arguments: Any, **options: Any) -> IdentityClient:
        if kind == "sync":
            return IdentityClient(*arguments, **options)
        made = BlockingClient(lambda: AsyncIdentityClient(*arguments, **options), loop_thread)
        return cast(IdentityClient, made)

    return make


@pytest.fixture
def api() -> Iterator[FakeIdentity]:
    with FakeIdentity() as fake:
        yield fake


@pytest.fixture
def make_client(api: FakeIdentity, new_client: MakeClient) -> Iterator[MakeClient]:
    """Creates clients for the fake API and closes them after the test."""
    made = []

    def make(**options: Any) -> IdentityClient:
        options = {"api_key": api.api_key, "base_url": api.base_url, "timeout": 5, **options}
        made.append(new_client(**options))
        return made[-1]

    yield make
    for one in made:
        one.close()


@pytest.fixture
def client(make_client: MakeClient) -> IdentityClient:
    return make_client()


@pytest.fixture
def unused_port() -> Iterator[int]:
    """A port that refuses connections. It is bound during the test, so that no server gets it."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        yield int(bound.getsockname()[1])


@pytest.fixture
def behind(api: FakeIdentity) -> Iterator[Callable[..., FaultProxy]]:
    """Creates a fault proxy in front of the fake API."""
    made = []

    def make(*faults: Fault) -> FaultProxy:
        made.append(FaultProxy(("127.0.0.1", api.port), *faults))
        return made[-1]

    yield make
    for proxy in made:
        proxy.__exit__()
