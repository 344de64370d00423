"""
Runs an AsyncIdentityClient as if it were an IdentityClient, so that the same tests run on both. Its calls run
on an event loop in another thread.
"""

import asyncio
import inspect
import threading
from typing import Any, AsyncIterator, Callable, Iterator, Optional

from ng_identity import AsyncIdentityClient


class LoopThread:
    """An event loop in a thread of its own."""

    def __init__(self, loop: Optional[asyncio.AbstractEventLoop] = None) -> None:
        self._loop = loop or asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()

    def run(self, work: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def stop(self) -> None:
        self.run(self._loop.shutdown_asyncgens())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


class BlockingEntries(Iterator[Any]):
    """The entries of a list, and the attributes of their iterator."""

    def __init__(self, entries: AsyncIterator[Any], thread: LoopThread) -> None:
        self._entries = entries
        self._thread = thread

    def __next__(self) -> Any:
        try:
            return self._thread.run(self._entries.__anext__())
        except StopAsyncIteration:
            raise StopIteration from None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._entries, name)


class BlockingClient:
    """Has the methods of an AsyncIdentityClient, but each of them waits for its result."""

    def __init__(self, make: Callable[[], AsyncIdentityClient], thread: LoopThread) -> None:
        async def make_on_loop() -> AsyncIdentityClient:
            return make()

        self._thread = thread
        self.wrapped: AsyncIdentityClient = thread.run(make_on_loop())

    def __getattr__(self, name: str) -> Any:
        attribute = getattr(self.wrapped, name)
        if not callable(attribute):
            return attribute

        def call(*arguments: Any, **options: Any) -> Any:
            result = attribute(*arguments, **options)
            if inspect.isawaitable(result):
                return self._thread.run(result)
            if isinstance(result, AsyncIdentityClient):
                return BlockingClient(lambda: result, self._thread)
            return BlockingEntries(result, self._thread) if isinstance(result, AsyncIterator) else result

        return call

    def __enter__(self) -> "BlockingClient":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return repr(self.wrapped)

    def __reduce__(self) -> Any:
        return self.wrapped.__reduce__()
