import socket
from typing import Any, Callable, Iterator

import pytest

from ng_identity import IdentityClient, _retry

from .fake_api import KEY, FakeApi
from .fault_proxy import Fault, FaultProxy

MakeClient = Callable[..., IdentityClient]


@pytest.fixture(autouse=True)
def _isolate(monkeypatch: pytest.MonkeyPatch) -> None:
    """Removes the environment variables that affect the client, and shortens the back-off."""
    for name in ("NG_IDENTITY_API_KEY", "NG_IDENTITY_BASE_URL", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    monkeypatch.setattr(_retry, "FIRST_DELAY_S", 0.01)


@pytest.fixture
def api() -> Iterator[FakeApi]:
    with FakeApi() as fake:
        yield fake


@pytest.fixture
def make_client(api: FakeApi) -> Iterator[MakeClient]:
    """Creates clients of the fake API, and closes them after the test."""
    made = []

    def make(**options: Any) -> IdentityClient:
        options = {"api_key": KEY, "base_url": api.base_url, "timeout": 5, **options}
        made.append(IdentityClient(**options))
        return made[-1]

    yield make
    for one in made:
        one.close()


@pytest.fixture
def client(make_client: MakeClient) -> IdentityClient:
    return make_client()


@pytest.fixture
def unused_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


@pytest.fixture
def behind(api: FakeApi) -> Iterator[Callable[..., FaultProxy]]:
    """Creates a fault proxy in front of the fake API."""
    made = []

    def make(*faults: Fault) -> FaultProxy:
        made.append(FaultProxy(("127.0.0.1", api.port), *faults))
        return made[-1]

    yield make
    for proxy in made:
        proxy.__exit__()
