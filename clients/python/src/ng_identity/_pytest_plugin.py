"""The pytest plugin: the fixture `fake_identity`. pytest loads it once this package is installed."""

import os
from typing import TYPE_CHECKING, Iterator

import pytest

if TYPE_CHECKING:
    from .testing import FakeIdentity


@pytest.fixture
def fake_identity(monkeypatch: pytest.MonkeyPatch) -> "Iterator[FakeIdentity]":
    """
    A fake of the identity verification API. Clients that read their key and base URL from the environment use
    it during the test.
    """
    from .testing import FakeIdentity

    with FakeIdentity() as fake:
        monkeypatch.setenv("NG_IDENTITY_API_KEY", fake.api_key)
        monkeypatch.setenv("NG_IDENTITY_BASE_URL", fake.base_url)
        for name in ("no_proxy", "NO_PROXY"):
            monkeypatch.setenv(name, f"{os.environ.get(name, '')},127.0.0.1".strip(","))
        yield fake
