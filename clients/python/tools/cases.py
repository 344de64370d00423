"""
One case for each tool, which run-tools.py runs in a process of its own, against a fake API in another one.
Each case checks what a caller of the tool relies on. The runner checks what the fake API has charged.
"""

# cspell:words betamax freezegun hishel httpretty joblib mocket mocketizer mockhttp pook respx toolbelt
# cspell:words eventlet gevent gunicorn prefork pyopenssl truststore uvicorn uvloop uwsgi wsgi
# cspell:ignore SIGALRM setitimer ITIMER instrumentor
import asyncio
import contextlib
import json
import multiprocessing
import os
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, NamedTuple, Optional
from urllib.request import urlopen

import requests

from ng_identity import AsyncIdentityClient, IdentityClient, IdentityError, TransportError, WebhookError

NIN = "12345678901"
KEY = "tools-key-0001"
HERE = Path(__file__).resolve().parent
BODY = {
    "success": True,
    "code": "NIN_VERIFIED",
    "message": "NIN verified.",
    "verification_type": "NIN",
    "summary": {"verified": True, "verification_type": "NIN", "provider": "Sandbox", "confidence_score": 1.0},
    "data": {"nin": NIN, "firstname": "CHUKWUEMEKA", "lastname": "ANUNOBI"},
    "meta": {"request_id": "req_0123456789ab", "timestamp": "2026-01-15T09:30:00.000Z"},
}
URL = "https://api.example.com"
PATH = "/api/v1/ng/nin-basic/"
MOCKED: Dict[str, Any] = {"api_key": "idv_test_key", "base_url": URL, "max_retries": 0}


class Case(NamedTuple):
    run: Callable[[], None]
    group: str
    charges: int
    """How many credits the fake API must have charged."""
    result: str
    needs_tls: bool


CASES: Dict[str, Case] = {}


def case(
    name: str, group: str, charges: int, result: str = "works", needs_tls: bool = False
) -> Callable[[Callable[[], None]], Callable[[], None]]:
    def register(run: Callable[[], None]) -> Callable[[], None]:
        CASES[name] = Case(run, group, charges, result, needs_tls)
        return run

    return register


def verified(client: Any) -> bool:
    return bool(client.verify("NIN", NIN).verified)


async def verify_async(**options: Any) -> bool:
    async with AsyncIdentityClient(**options) as client:
        return (await client.verify("NIN", NIN)).verified


def temporary() -> Path:
    return Path(tempfile.mkdtemp())


# Recorders


@case("VCR.py, requests", "recorder", 1, "works. Pass `idempotency_key`, which is in the cassette")
def vcr_requests() -> None:
    import vcr

    cassette = str(temporary() / "one.yaml")
    with vcr.use_cassette(cassette, record_mode="once", filter_headers=["authorization"]):
        IdentityClient().verify("NIN", NIN, idempotency_key=KEY)
    with vcr.use_cassette(cassette, record_mode="none", filter_headers=["authorization"]):
        assert IdentityClient().verify("NIN", NIN, idempotency_key=KEY).verified
        with raises(vcr.errors.CannotOverwriteExistingCassetteException):
            IdentityClient().verify("NIN", "12345678902")


@case("VCR.py, httpx", "recorder", 1, "works. Pass `idempotency_key`, which is in the cassette")
def vcr_httpx() -> None:
    import vcr

    async def look_up(number: str) -> bool:
        async with AsyncIdentityClient() as client:
            return (await client.verify("NIN", number, idempotency_key=KEY)).verified

    cassette = str(temporary() / "one.yaml")
    with vcr.use_cassette(cassette, record_mode="once"):
        asyncio.run(look_up(NIN))
    with vcr.use_cassette(cassette, record_mode="none"):
        assert asyncio.run(look_up(NIN))
        with raises(vcr.errors.CannotOverwriteExistingCassetteException):
            asyncio.run(look_up("12345678902"))


@case("Betamax", "recorder", 1, "works with your session. Pass `idempotency_key`")
def betamax() -> None:
    from betamax import Betamax

    folder = str(temporary())
    for mode in ("once", "none"):
        session = requests.Session()
        with Betamax(session, cassette_library_dir=folder).use_cassette("one", record=mode):
            client = IdentityClient(session=session)
            assert client.verify("NIN", NIN, idempotency_key=KEY).verified


# Caches


@case("requests-cache, session", "cache", 1)
def requests_cache_session() -> None:
    import requests_cache

    session = requests_cache.CachedSession(str(temporary() / "cache"), allowable_methods=("GET", "POST"))
    client = IdentityClient(session=session)
    for _ in range(3):
        assert client.banks()
        assert client.verify("NIN", NIN, idempotency_key=KEY).verified


@case("requests-cache, installed", "cache", 2)
def requests_cache_installed() -> None:
    import requests_cache

    requests_cache.install_cache(str(temporary() / "cache"))
    client = IdentityClient()
    for _ in range(2):
        assert client.banks()
        assert verified(client)


@case("CacheControl", "cache", 1)
def cache_control() -> None:
    from cachecontrol import CacheControl

    client = IdentityClient(session=CacheControl(requests.Session()))
    assert client.banks() == client.banks()
    assert verified(client)


@case("Hishel", "cache", 1)
def hishel() -> None:
    from hishel.httpx import AsyncCacheClient

    async def work() -> None:
        async with AsyncCacheClient() as http:
            client = AsyncIdentityClient(http_client=http)
            assert await client.banks() == await client.banks()
            assert (await client.verify("NIN", NIN)).verified

    with contextlib.chdir(temporary()) if hasattr(contextlib, "chdir") else contextlib.nullcontext():
        asyncio.run(work())


# Mocks


@case("responses", "mock", 0)
def responses_() -> None:
    import responses

    with responses.RequestsMock() as mock:
        mock.post(URL + PATH, json=BODY, match=[responses.matchers.json_params_matcher({"id_number": NIN})])
        assert verified(IdentityClient(**MOCKED))
    with responses.RequestsMock() as mock:
        mock.post(URL + PATH, body=requests.ReadTimeout())
        with raises(IdentityError, charged=None):
            verified(IdentityClient(**MOCKED))


@case("requests-mock", "mock", 0)
def requests_mock_() -> None:
    import requests_mock

    with requests_mock.Mocker() as mock:
        mock.post(URL + PATH, json=BODY)
        assert verified(IdentityClient(**MOCKED))
        assert mock.last_request.json() == {"id_number": NIN}
        mock.post(URL + PATH, exc=requests.ConnectTimeout)
        with raises(IdentityError, charged=False):
            verified(IdentityClient(**MOCKED))


@case("HTTPretty", "mock", 0, "not with urllib3 2.3 or later, under which plain `requests` fails too")
def httpretty_() -> None:
    import httpretty

    with httpretty.enabled(allow_net_connect=False):
        httpretty.register_uri("POST", "http://localhost" + PATH, body=json.dumps(BODY))
        with raises(httpretty.errors.UnmockedError):
            requests.post("http://localhost" + PATH, timeout=5)
        with raises(httpretty.errors.UnmockedError):
            verified(IdentityClient(**{**MOCKED, "base_url": "http://localhost"}))


@case("Mocket", "mock", 0)
def mocket_() -> None:
    from mocket import Mocketizer
    from mocket.mocks.mockhttp import Entry

    Entry.single_register(Entry.POST, "http://localhost" + PATH, body=json.dumps(BODY))
    with Mocketizer(strict_mode=True):
        assert verified(IdentityClient(**{**MOCKED, "base_url": "http://localhost"}))


@case("pook", "mock", 0)
def pook_() -> None:
    import pook

    with pook.use():
        pook.post(URL + PATH, reply=200, response_json=BODY, times=2)
        assert verified(IdentityClient(**MOCKED))


@case("RESPX", "mock", 0)
def respx_() -> None:
    import httpx
    import respx

    with respx.mock:
        route = respx.post(URL + PATH).respond(json=BODY)
        assert asyncio.run(verify_async(**MOCKED))
        route.mock(side_effect=httpx.ReadTimeout)
        with raises(IdentityError, charged=None):
            asyncio.run(verify_async(**MOCKED))


@case("pytest-httpx", "mock", 0)
def pytest_httpx() -> None:
    run_pytest(
        """
        import asyncio
        from cases import BODY, MOCKED, PATH, URL, verify_async

        def test_it(httpx_mock):
            httpx_mock.add_response(method="POST", url=URL + PATH, json=BODY)
            assert asyncio.run(verify_async(**MOCKED))
        """,
        "-p",
        "pytest_httpx",
    )


@case("pytest-socket", "mock", 0, "works: a blocked call raises, and sends nothing")
def pytest_socket() -> None:
    run_pytest(
        """
        import pytest, pytest_socket
        from ng_identity import IdentityClient

        def test_it():
            with pytest.raises(pytest_socket.SocketBlockedError):
                IdentityClient().verify("NIN", "12345678901")
        """,
        "-p",
        "pytest_socket",
        "--disable-socket",
    )


# Clocks


@case("freezegun", "clock", 2)
def freezegun_() -> None:
    import freezegun

    client = IdentityClient()
    with freezegun.freeze_time("2026-01-15"):
        assert verified(client)
        assert verified(IdentityClient())


@case("time-machine", "clock", 1)
def time_machine_() -> None:
    import time_machine

    with time_machine.travel("2026-01-15", tick=False):
        assert verified(IdentityClient())


# Patched sockets, green threads and event loops


@case("eventlet", "green threads", 20)
def eventlet_() -> None:
    import eventlet

    eventlet.monkey_patch()
    client = IdentityClient()
    pool = eventlet.GreenPool(20)
    assert all(pool.imap(lambda _: verified(client), range(20)))


@case("gevent", "green threads", 20)
def gevent_() -> None:
    # In a new process, because gevent must patch before requests is imported.
    run_python(
        """
        from gevent import monkey; monkey.patch_all()
        from gevent.pool import Pool
        from cases import IdentityClient, verified
        client = IdentityClient()
        assert all(Pool(20).imap(lambda _: verified(client), range(20)))
        """
    )


@case("uvloop", "event loop", 5)
def uvloop_() -> None:
    import uvloop

    async def work() -> None:
        async with AsyncIdentityClient() as client:
            await asyncio.gather(*(client.verify("NIN", NIN) for _ in range(5)))

    loop = uvloop.new_event_loop()
    loop.run_until_complete(work())
    loop.close()


@case("Trio", "event loop", 0, "not supported: a call raises RuntimeError, and sends nothing")
def trio_() -> None:
    import trio

    with raises(RuntimeError):
        trio.run(verify_async)


# Servers and processes


@case("gunicorn, preloaded", "server", 12)
def gunicorn_() -> None:
    serve("gunicorn", "--preload", "-w", "3", "-b", "127.0.0.1:{port}", "app:wsgi")


@case("gunicorn, gevent workers", "server", 12)
def gunicorn_gevent() -> None:
    serve("gunicorn", "-k", "gevent", "-w", "2", "-b", "127.0.0.1:{port}", "app:wsgi")


@case("uWSGI, prefork", "server", 12)
def uwsgi_() -> None:
    options = ["--http-socket", "127.0.0.1:{port}", "--master", "--processes", "3", "--enable-threads"]
    serve("uwsgi", *options, "--module", "app:wsgi", "--die-on-term")


@case("Uvicorn and Starlette", "server", 12)
def uvicorn_() -> None:
    serve("uvicorn", "--port", "{port}", "app:asgi")


@case("Celery, prefork", "task queue", 4)
def celery_() -> None:
    folder = temporary()
    for name in ("queue", "results"):
        (folder / name).mkdir()
    environment = {**os.environ, "TOOLS_FOLDER": str(folder), "PYTHONPATH": str(HERE)}
    command = [
        sys.executable,
        "-m",
        "celery",
        "-A",
        "jobs",
        "worker",
        "-P",
        "prefork",
        "-c",
        "2",
        "-l",
        "ERROR",
    ]
    worker = subprocess.Popen(command, env=environment, cwd=folder)
    os.environ["TOOLS_FOLDER"] = str(folder)
    try:
        import jobs

        results = [jobs.look_up.delay(NIN) for _ in range(4)]
        assert [result.get(timeout=60) for result in results] == ["CHUKWUEMEKA"] * 4
        failed = jobs.look_up.delay("12345670404")
        with raises(IdentityError):
            failed.get(timeout=60)
    finally:
        worker.terminate()
        worker.wait(30)


def look_up_with_global_client(number: str) -> str:
    return str(CLIENT.verify("NIN", number).data["firstname"])


def fail(number: str) -> None:
    if number == "webhook":
        raise WebhookError("not_json", "The body of the webhook is not JSON.")
    IdentityClient().verify("NIN", number)


CLIENT: Any = None


@case("multiprocessing.Pool", "processes", 9)
def pool() -> None:
    global CLIENT
    CLIENT = IdentityClient()
    assert look_up_with_global_client(NIN) == "CHUKWUEMEKA"
    with multiprocessing.get_context("fork").Pool(4) as workers:
        assert workers.map(look_up_with_global_client, [NIN] * 8) == ["CHUKWUEMEKA"] * 8
        with raises(IdentityError):
            workers.map(fail, ["12345670404"])
        with raises(WebhookError):
            workers.map(fail, ["webhook"])


@case("ProcessPoolExecutor, spawn", "processes", 0)
def executor() -> None:
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context) as workers, raises(WebhookError):
        workers.submit(fail, "webhook").result(60)


@case("joblib", "processes", 4)
def joblib_() -> None:
    from joblib import Parallel, delayed

    def look_up() -> bool:
        return verified(IdentityClient())

    assert all(Parallel(n_jobs=2)(delayed(look_up)() for _ in range(4)))


@case("signal.alarm", "processes", 1, "works: the exception of the handler ends the call")
def alarm() -> None:
    def handler(*_: object) -> None:
        raise TimeoutError("time limit of the job")

    signal.signal(signal.SIGALRM, handler)
    with slow_server() as url:
        client = IdentityClient(base_url=url)
        signal.setitimer(signal.ITIMER_REAL, 0.5)
        with raises(TimeoutError):
            verified(client)
    assert verified(IdentityClient())


# Instruments and TLS


@case("OpenTelemetry, requests", "instrument", 1)
def opentelemetry_requests() -> None:
    from opentelemetry.instrumentation.requests import RequestsInstrumentor

    spans = traced(RequestsInstrumentor(), lambda: verified(IdentityClient()))
    assert [span.name for span in spans] == ["POST"]


@case("OpenTelemetry, httpx", "instrument", 1)
def opentelemetry_httpx() -> None:
    from opentelemetry.instrumentation.httpx import HTTPXClientInstrumentor

    spans = traced(HTTPXClientInstrumentor(), lambda: asyncio.run(verify_async()))
    assert [span.name for span in spans] == ["POST"]


@case("Sentry", "instrument", 0)
def sentry() -> None:
    import sentry_sdk

    events = []
    sentry_sdk.init(dsn="http://key@127.0.0.1:1/1", transport=events.append, include_local_variables=True)
    with raises(IdentityError) as caught:
        IdentityClient().verify("NIN", "12345670404")
    sentry_sdk.capture_exception(caught[0])
    sentry_sdk.flush()
    text = str(events)
    assert "NotFoundError" in text
    assert os.environ["NG_IDENTITY_API_KEY"] not in text


@case("tenacity", "instrument", 1)
def tenacity_() -> None:
    import tenacity

    client = IdentityClient()

    @tenacity.retry(stop=tenacity.stop_after_attempt(3))
    def look_up() -> bool:
        return client.verify("NIN", NIN, idempotency_key=KEY).verified

    assert look_up()
    assert look_up()


@case("requests-toolbelt", "instrument", 1)
def toolbelt() -> None:
    from requests_toolbelt.adapters.source import SourceAddressAdapter

    session = requests.Session()
    session.mount("http://", SourceAddressAdapter("127.0.0.1"))
    assert verified(IdentityClient(session=session))


@case("truststore", "TLS", 2, needs_tls=True)
def truststore_() -> None:
    import truststore

    truststore.inject_into_ssl()
    os.environ.pop("REQUESTS_CA_BUNDLE", None)
    assert verified(IdentityClient())
    assert asyncio.run(verify_async())


@case("pyOpenSSL in urllib3", "TLS", 1, needs_tls=True)
def pyopenssl() -> None:
    from urllib3.contrib import pyopenssl as injected

    injected.inject_into_urllib3()
    assert verified(IdentityClient())
    del os.environ["SSL_CERT_FILE"]
    with raises(TransportError, charged=False, match="certificate"):
        verified(IdentityClient())


# Helpers


@contextlib.contextmanager
def raises(kind: Any, match: str = "", **attributes: Any) -> Iterator[Any]:
    caught: Any = []
    try:
        yield caught
    except kind as error:
        caught.append(error)
        assert match in str(error), error
        for name, value in attributes.items():
            assert getattr(error, name) is value, (error, name)
        return
    raise AssertionError(f"{kind.__name__} was not raised")


def run_python(text: str, *arguments: str) -> None:
    lines = text.strip("\n").split("\n")
    margin = len(lines[0]) - len(lines[0].lstrip())
    file = temporary() / "test_tool.py"
    file.write_text("\n".join(line[margin:] for line in lines), encoding="utf-8")
    # pytest loads no plugin by itself, because those of the tools contradict each other.
    environment = {**os.environ, "PYTHONPATH": str(HERE), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    subprocess.run([sys.executable, *arguments, str(file)], env=environment, check=True, timeout=100)


def run_pytest(text: str, *options: str) -> None:
    run_python(text, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options)


def traced(instrumentor: Any, work: Callable[[], bool]) -> Any:
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    instrumentor.instrument(tracer_provider=provider)
    assert work()
    return exporter.get_finished_spans()


@contextlib.contextmanager
def slow_server() -> Iterator[str]:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"


def serve(program: str, *options: str) -> None:
    """Starts a server with app.py, and sends it 12 requests, 4 at the same time."""
    import socket

    with socket.create_server(("127.0.0.1", 0)) as bound:
        port = bound.getsockname()[1]
    arguments = [option.format(port=port) for option in options]
    binary = str(Path(sys.executable).parent / program)
    environment = {**os.environ, "PYTHONPATH": str(HERE)}
    server = subprocess.Popen([binary, *arguments], env=environment, cwd=HERE)

    def get(_: Optional[int] = None) -> str:
        with urlopen(f"http://127.0.0.1:{port}/", timeout=60) as response:
            return str(response.read().decode())

    try:
        for attempt in range(300):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                break
            assert (server.poll(), attempt < 299) == (None, True), "the server did not start"
            time.sleep(0.1)
        with ThreadPoolExecutor(4) as threads:
            assert list(threads.map(get, range(12))) == ["CHUKWUEMEKA"] * 12
    finally:
        server.terminate()
        server.wait(30)


if __name__ == "__main__":
    CASES[sys.argv[1]].run()
