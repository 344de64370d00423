"""A clock that tests control, so that they do not depend on the speed of the machine."""

import asyncio
import threading
from typing import List

import pytest

from ng_identity import _async_client, _client, _deadline


class Clock:
    """Moves only when a test or a wait of the client moves it."""

    def __init__(self) -> None:
        self.waits_s: List[float] = []
        """The waits of the client, in order."""
        self._now_s = 1000.0
        self._lock = threading.Lock()

    def now(self) -> float:
        return self._now_s

    def advance(self, seconds: float) -> None:
        with self._lock:
            self._now_s += seconds

    def sleep(self, seconds: float) -> None:
        self.waits_s.append(seconds)
        self.advance(seconds)

    async def async_sleep(self, seconds: float) -> None:
        self.sleep(seconds)

    def install(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Gives this clock to both clients."""
        monkeypatch.setattr(_deadline, "monotonic", self.now)
        monkeypatch.setattr(_client, "sleep", self.sleep)
        monkeypatch.setattr(_async_client, "sleep", self.async_sleep)


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop whose timers follow a Clock. It notices at the next event that the clock has moved."""

    def __init__(self, clock: Clock) -> None:
        self._virtual = clock
        super().__init__()

    def time(self) -> float:
        return self._virtual.now()
