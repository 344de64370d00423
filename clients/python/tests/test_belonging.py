"""No call returns the record of a different call, despite forks, proxies and superfluous responses."""

# cspell:ignore SIGALRM

import asyncio
import contextlib
import os
import signal
import ssl
import warnings
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, AsyncIterator, Callable, Iterator

import pytest

from ng_identity import (
    AsyncIdentityClient,
    IdentityClient,
    IdentityError,
    RequestTimeoutError,
    TransportError,
)

from .blocking import LoopThread
from .conftest import MakeClient, async_only, sync_only
from .person_server import INTERIM, PersonServer
from .test_tls import new_authority

KEY = "idv_test_belonging"
FORKED_CALLS = int(os.environ.get("FORKED_CALLS", "25"))
"""How many calls each child makes after a fork."""


def number(index: int) -> str:
    return f"1{index:010}"


def looked_up(client: Any, index: int) -> None:
    assert client.verify("NIN", number(index)).data["nin"] == number(index)


def looked_up_advanced(client: Any, index: int) -> None:
    assert client.verify("NIN", number(index), advance=True).data["nin"] == number(index)


def downloaded(client: Any, index: int) -> None:
    assert number(index).encode() in client.download_slip(number(index), "premium")


each_call = pytest.mark.parametrize("call", [looked_up, looked_up_advanced, downloaded])
each_threads = pytest.mark.parametrize("threads", [1, 4])


@async_only
@each_call
@each_threads
def test_interim_responses_are_skipped(
    new_client: MakeClient, call: Callable[[Any, int], None], threads: int
) -> None:
    with PersonServer(interim=INTERIM) as server, new_client(KEY, base_url=server.base_url) as client:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(lambda index: call(client, index), range(40)))
        assert len(server.people) == 40
        assert server.connections <= threads


@each_call
@each_threads
@pytest.mark.parametrize("extra", ["at once", "late"])
def test_a_response_too_many_reaches_no_other_call(
    new_client: MakeClient, call: Callable[[Any, int], None], threads: int, extra: str
) -> None:
    with PersonServer(extra=extra) as server, new_client(KEY, base_url=server.base_url) as client:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(lambda index: call(client, index), range(40)))
        assert len(server.people) == 40


@each_call
@pytest.mark.parametrize("extra", ["at once", "late"])
def test_a_response_too_many_reaches_no_other_call_if_a_proxy_removes_the_keys(
    new_client: MakeClient, call: Callable[[Any, int], None], extra: str
) -> None:
    with PersonServer(extra=extra, echoes=False) as server, new_client(
        KEY, base_url=server.base_url
    ) as client:
        for index in range(20):
            call(client, index)
        assert len(server.people) == 20


@each_call
def test_a_response_after_a_timeout_reaches_no_other_call(
    new_client: MakeClient, call: Callable[[Any, int], None]
) -> None:
    with PersonServer(slow=number(0), delay_s=0.4) as server:
        client = new_client(KEY, base_url=server.base_url, max_retries=0, timeout=0.2)
        with pytest.raises(RequestTimeoutError):
            call(client, 0)
        for index in range(1, 20):
            call(client.with_options(timeout=10), index)
        client.close()


def test_a_cancelled_call_leaves_no_response_to_the_next_ones() -> None:
    async def calls(base_url: str) -> None:
        async with AsyncIdentityClient(KEY, base_url=base_url) as client:
            for index in range(10):
                slow = asyncio.ensure_future(client.verify("NIN", number(0)))
                await asyncio.sleep(0.001 * index)
                slow.cancel()
                found = await client.verify("NIN", number(1 + index))
                assert found.data["nin"] == number(1 + index)

    with PersonServer(slow=number(0), delay_s=0.01) as server:
        asyncio.run(calls(server.base_url))


@sync_only
@pytest.mark.parametrize("is_own", [True, False])
def test_an_interim_response_ends_an_attempt_of_requests(new_client: MakeClient, is_own: bool) -> None:
    """`requests` takes it for the final one, so these calls fail. The next call has a new connection."""
    import requests

    with requests.Session() as session, PersonServer(interim=INTERIM) as server:
        own = None if is_own else session
        client = new_client(KEY, base_url=server.base_url, session=own, max_retries=0)
        for index in range(5):
            with pytest.raises(TransportError, match="not the final one") as caught:
                looked_up(client, index)
            assert caught.value.charged is None
            assert caught.value.idempotency_key in server.people


def in_children(work: Callable[[int], object], children: int = 4) -> None:
    """Runs `work` in forked processes at the same time. Fails if it raises in one of them."""
    pids = []
    for child in range(children):
        with warnings.catch_warnings():
            # From Python 3.12, because the threads of the test do not exist in the child.
            warnings.simplefilter("ignore", DeprecationWarning)
            pid = os.fork()
        if pid == 0:
            code = 1
            try:
                work(child)
                code = 0
            except BaseException:  # noqa: BLE001 printed, because the child ends without pytest
                import traceback

                traceback.print_exc()
            os._exit(code)
        pids.append(pid)
    assert [os.waitpid(pid, 0)[1] for pid in pids] == [0] * children


@pytest.fixture(params=["http", "https"])
def server(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[PersonServer]:
    if request.param == "http":
        with PersonServer() as plain:
            yield plain
        return
    authority = new_authority()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("localhost").configure_cert(context)
    authority.cert_pem.write_to_path(str(tmp_path / "authority.pem"))
    for name in ("REQUESTS_CA_BUNDLE", "SSL_CERT_FILE"):
        monkeypatch.setenv(name, str(tmp_path / "authority.pem"))
    with PersonServer(tls=context) as encrypted:
        yield encrypted


def test_a_client_used_before_a_fork_returns_the_right_records_after_it(server: PersonServer) -> None:
    with IdentityClient(KEY, base_url=server.base_url) as client:
        looked_up(client, 0)

        def work(child: int) -> None:
            with ThreadPoolExecutor(2) as pool:
                list(
                    pool.map(
                        lambda index: looked_up(client, index),
                        range(child * 1000, child * 1000 + FORKED_CALLS),
                    )
                )

        in_children(work)
        looked_up(client, 9_000)
    assert len(server.people) >= 4 * FORKED_CALLS


def test_a_fork_in_the_middle_of_calls_returns_the_right_records(server: PersonServer) -> None:
    with IdentityClient(KEY, base_url=server.base_url) as client, ThreadPoolExecutor(2) as pool:
        calls = [pool.submit(looked_up, client, index) for index in range(5_000, 5_000 + 2 * FORKED_CALLS)]

        def work(child: int) -> None:
            for index in range(FORKED_CALLS):
                looked_up(client, child * 1000 + index)

        in_children(work)
        for call in calls:
            call.result()


def test_an_async_client_used_before_a_fork_returns_the_right_records_after_it(server: PersonServer) -> None:
    client = AsyncIdentityClient(KEY, base_url=server.base_url)

    async def look_up(indexes: range) -> None:
        found = await asyncio.gather(*(client.verify("NIN", number(index)) for index in indexes))
        assert [result.data["nin"] for result in found] == [number(index) for index in indexes]

    async def before_and_after() -> None:
        await look_up(range(5))
        await asyncio.get_running_loop().run_in_executor(
            None,
            in_children,
            lambda child: asyncio.run(look_up(range(child * 1000, child * 1000 + FORKED_CALLS))),
        )
        await look_up(range(9_000, 9_005))
        await client.close()

    asyncio.run(before_and_after())
    assert len(server.people) >= 4 * FORKED_CALLS


def test_without_its_own_pool_a_process_receives_errors_and_no_different_record(
    server: PersonServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ng_identity._transport.os.getpid", lambda: 1)
    with IdentityClient(KEY, base_url=server.base_url, max_retries=0, timeout=5) as client:
        looked_up(client, 0)

        def work(child: int) -> None:
            for index in range(child * 1000, child * 1000 + FORKED_CALLS):
                with contextlib.suppress(IdentityError):
                    looked_up(client, index)

        in_children(work)


def test_an_async_client_works_on_several_event_loops(server: PersonServer) -> None:
    client = AsyncIdentityClient(KEY, base_url=server.base_url)

    async def look_up(index: int) -> None:
        assert (await client.verify("NIN", number(index))).data["nin"] == number(index)

    # In a child, because Python warns in this process about the connections that an ended loop leaves open.
    in_children(lambda _: [asyncio.run(look_up(index)) for index in range(4)], children=1)
    assert sorted(server.people.values()) == [number(index) for index in range(4)]


@async_only
def test_a_runtime_error_after_sending_becomes_an_error_with_the_key(new_client: MakeClient) -> None:
    import httpx

    def broken(_: httpx.Request) -> httpx.Response:
        raise RuntimeError("Event loop is closed")

    session = httpx.AsyncClient(transport=httpx.MockTransport(broken))
    with pytest.raises(TransportError) as caught:
        new_client(KEY, base_url="https://api.example", http_client=session).verify("NIN", number(1))
    assert (caught.value.charged, bool(caught.value.idempotency_key)) == (None, True)


@sync_only
@pytest.mark.parametrize("error", [RuntimeError, TimeoutError, ConnectionResetError])
def test_an_error_of_a_signal_handler_ends_the_call(new_client: MakeClient, error: Any) -> None:
    def handler(*_: object) -> None:
        raise error("time limit of the job")

    before = signal.signal(signal.SIGALRM, handler)
    try:
        with PersonServer(before_response=lambda: os.kill(os.getpid(), signal.SIGALRM)) as server, new_client(
            KEY, base_url=server.base_url
        ) as client:
            with pytest.raises(error, match="time limit of the job"):
                looked_up(client, 1)
            assert len(server.people) == 1
    finally:
        signal.signal(signal.SIGALRM, before)


@async_only
def test_an_async_response_is_checked_before_its_connection_returns_to_the_pool(
    new_client: MakeClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    import httpx

    events = []

    class Stream(httpx.AsyncByteStream):
        async def __aiter__(self) -> AsyncIterator[bytes]:
            yield zlib.compress(b'{"success": true, "code": "NIN_VERIFIED", "data": {}}')

        async def aclose(self) -> None:
            events.append("returned")

    def owns(_: Any) -> bool:
        events.append("checked")
        return True

    monkeypatch.setattr("ng_identity._calls.owns_record", lambda *_, **__: owns)
    transport = httpx.MockTransport(
        lambda _: httpx.Response(200, headers={"Content-Encoding": "deflate"}, stream=Stream())
    )
    client = new_client(KEY, base_url="https://a.example", http_client=httpx.AsyncClient(transport=transport))
    assert client.verify("NIN", number(1)).code == "NIN_VERIFIED"
    assert events == ["checked", "returned"]


@async_only
def test_a_response_that_a_hook_has_read_is_returned(new_client: MakeClient, loop_thread: LoopThread) -> None:
    import httpx

    async def read(response: httpx.Response) -> None:
        await response.aread()

    with PersonServer() as server:
        session = httpx.AsyncClient(event_hooks={"response": [read]})
        client = new_client(KEY, base_url=server.base_url, http_client=session)
        for index in range(3):
            looked_up(client, index)
        loop_thread.run(session.aclose())


def test_an_event_loop_keeps_its_connections_while_another_thread_starts_one() -> None:
    class Loop(asyncio.SelectorEventLoop):
        """Calls `when_asked` once if a different thread asks whether the loop is closed."""

        when_asked: Callable[[], object] = staticmethod(lambda: None)
        is_asked = False

        def is_closed(self) -> bool:
            if self.is_asked and asyncio._get_running_loop() is not self:
                self.is_asked = False
                self.when_asked()
            return super().is_closed()

    with PersonServer() as server:
        client = AsyncIdentityClient(KEY, base_url=server.base_url)

        async def look_up(index: int) -> None:
            assert (await client.verify("NIN", number(index))).data["nin"] == number(index)

        def work(_: int) -> None:
            first, second = Loop(), Loop()
            first.run_until_complete(look_up(0))
            with ThreadPoolExecutor(1) as pool:
                first.when_asked = lambda: pool.submit(second.run_until_complete, look_up(1)).result()
                first.is_asked = True
                asyncio.run(look_up(2))
            second.run_until_complete(look_up(3))

        # In a child, because Python warns in this process about the connections that a loop leaves open.
        in_children(work, children=1)
        assert len(server.people) == 4
        assert server.connections == 3
