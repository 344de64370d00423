"""Settings of a client: with_options, additional headers, close, and what results and errors show."""

import asyncio
import inspect
import json
import subprocess
import sys
from pathlib import Path
from typing import Any, List

import httpx
import pytest

import ng_identity
from ng_identity import AsyncIdentityClient, AuthenticationError, IdentityClient, RateLimit
from ng_identity.testing import API_KEY, FakeIdentity

from .conftest import MakeClient, async_only
from .fault_proxy import responds
from .test_retries import Behind

NIN = "12345678901"


def test_with_options_changes_a_copy_that_shares_the_connections(
    client: IdentityClient, api: FakeIdentity
) -> None:
    hasty = client.with_options(timeout=0.2, max_retries=0)
    assert client.verify("NIN", NIN).verified
    assert hasty.verify("NIN", NIN).verified
    assert len({request.client_port for request in api.requests}) == 1

    api.delay_s = 0.6
    with pytest.raises(ng_identity.RequestTimeoutError):
        hasty.verify("NIN", NIN)
    assert client.verify("NIN", NIN).verified


@pytest.mark.parametrize("suffix", ["", "/", "/v1", "/v1/", "/api", "/api/v1", "/api/v1/"])
def test_the_path_of_the_api_may_be_part_of_the_base_url(
    make_client: MakeClient, api: FakeIdentity, suffix: str
) -> None:
    assert make_client(base_url=api.base_url + suffix).balance().available == 1000


def test_a_host_named_v1_stays(new_client: MakeClient) -> None:
    assert "'https://v1'" in repr(new_client("a-key", base_url="https://v1/v1"))


def test_with_options_changes_the_api_key_of_a_copy(client: IdentityClient, api: FakeIdentity) -> None:
    with pytest.raises(AuthenticationError):
        client.with_options(api_key="another-key").balance()
    with pytest.raises(AuthenticationError):
        client.with_options(api_key="")
    assert client.balance().available == 1000
    assert len({seen.client_port for seen in api.requests}) == 1


def test_results_say_whether_they_are_a_replay(client: IdentityClient) -> None:
    for expected in (False, True):
        results = (
            client.verify("NIN", "12345678901", idempotency_key="key-1-test"),
            client.download_slip("12345678901", "regular", idempotency_key="key-2-test"),
            client.start_top_up(10, idempotency_key="key-3-test"),
        )
        assert [result.replayed for result in results] == [expected] * 3


@pytest.mark.parametrize(
    ("check", "right", "wrong"),
    [
        (ng_identity.is_valid_nin, "1234 567 8901", "1234567890"),
        (ng_identity.is_valid_bvn, "22345678901", "2234567890a"),
        (ng_identity.is_valid_cac, "RC 7000", "7000"),
        (ng_identity.is_valid_tin, "12345678-0001", "123"),
        (ng_identity.is_valid_nuban, "0123456789", 123456789),
    ],
)
def test_numbers_are_checked_without_a_client(check: Any, right: str, wrong: Any) -> None:
    assert (check(right), check(wrong), check(None)) == (True, False, False)


def test_a_cac_number_of_digits_needs_its_type() -> None:
    assert ng_identity.is_valid_cac("7000", "BN")
    assert not ng_identity.is_valid_cac("RC7000", "BN")


def test_additional_headers_are_sent_and_combined(make_client: MakeClient, api: FakeIdentity) -> None:
    client = make_client(headers={"X-Team": "onboarding"})
    client.with_options(headers={"X-Job": "7"}).balance()
    client.balance()
    assert [(request.headers.get("X-Team"), request.headers.get("X-Job")) for request in api.requests] == [
        ("onboarding", "7"),
        ("onboarding", None),
    ]


@pytest.mark.parametrize(
    "headers",
    [
        {"Authorization": "Bearer other"},
        {"idempotency-key": "k" * 16},
        {"X-Team": "two\r\nlines"},
        {"X-Team": "é"},
        {"X Team": "x"},
        {"X-Team": 7},
    ],
)
def test_a_header_that_the_client_sets_or_that_is_malformed_is_rejected(
    client: IdentityClient, headers: Any
) -> None:
    with pytest.raises(ValueError, match="header"):
        client.with_options(headers=headers)


@pytest.mark.parametrize("options", [{"timeout": 0}, {"max_retries": -1}])
def test_invalid_options_are_rejected(client: IdentityClient, options: Any) -> None:
    with pytest.raises(ValueError, match=r"timeout|max_retries"):
        client.with_options(**options)


def test_calls_of_a_closed_client_raise_runtime_error(make_client: MakeClient, api: FakeIdentity) -> None:
    client = make_client()
    client.verify("NIN", NIN)
    other = client.with_options(timeout=9)
    client.close()
    for closed in (client, other):
        with pytest.raises(RuntimeError, match="closed"):
            closed.balance()
        with pytest.raises(RuntimeError, match="closed"):
            closed.verify("NIN", NIN)
    assert len(api.requests) == 1


def test_a_result_reports_headers_and_rate_limit(client: IdentityClient) -> None:
    result = client.verify("NIN", NIN)
    assert result.headers["x-request-id"] == result.headers["X-Request-Id"] == result.request_id
    assert result.rate_limit == RateLimit(limit=20, remaining=19, reset_s=1)
    assert client.balance().rate_limit == result.rate_limit
    slip = client.download_slip(NIN, "premium")
    assert (slip.rate_limit, slip.credits_charged) == (result.rate_limit, 1)
    with pytest.raises(ng_identity.NotFoundError) as caught:
        client.verify("NIN", "12345670404")
    assert caught.value.rate_limit == result.rate_limit


@pytest.mark.parametrize("header", ["", "requests", '"x";r=-1;t=1', '"x";r=1', '"x";t=1'])
def test_a_malformed_rate_limit_is_ignored(make_client: MakeClient, behind: Behind, header: str) -> None:
    body = json.dumps({"success": True, "code": "WALLET_BALANCE", "data": {"available": 1}})
    proxy = behind(responds("200 OK", body, f"RateLimit: {header}", kind="application/json"))
    assert make_client(base_url=proxy.base_url).balance().rate_limit is None


def test_the_repr_of_results_and_errors_shows_no_personal_data(client: IdentityClient) -> None:
    result = client.verify("NIN", NIN, advance=True)
    slip = client.download_slip(NIN, "regular")
    with pytest.raises(ng_identity.NotFoundError) as caught:
        client.verify("NIN", "12345670404")

    assert repr(result) == str(result) == f"<Verification NIN_VERIFIED {result.request_id}>"
    assert repr(slip) == str(slip) == f"<Slip {len(slip)} bytes {slip.request_id}>"
    error = caught.value
    facts = f"code='NIN_NOT_FOUND', status_code=400, request_id='{error.request_id}', charged=False"
    assert repr(error) == f"NotFoundError({facts})"
    assert repr(error.response).startswith("<Response 400, ")


def test_both_clients_have_the_same_methods_and_arguments() -> None:
    def signatures(client: Any) -> Any:
        methods = inspect.getmembers(client, inspect.isfunction)
        return {
            name: list(inspect.signature(method).parameters.values())
            for name, method in methods
            if not name.startswith("_")
        }

    assert signatures(IdentityClient) == signatures(AsyncIdentityClient)


@async_only
def test_calls_of_one_asynchronous_client_run_concurrently(api: FakeIdentity, kind: str) -> None:
    """Each call takes 0.3 s, and another task runs in the meantime."""
    assert kind == "async"
    api.delay_s = 0.3
    ticks: List[int] = []

    async def tick() -> None:
        while True:
            ticks.append(1)
            await asyncio.sleep(0.01)

    async def look_up() -> None:
        ticking = asyncio.ensure_future(tick())
        async with AsyncIdentityClient(API_KEY, base_url=api.base_url) as client:
            numbers = [f"{index:011d}" for index in range(20_000, 20_010)]
            results = await asyncio.gather(*(client.verify("NIN", number) for number in numbers))
        ticking.cancel()
        assert [result.data["nin"] for result in results] == numbers

    asyncio.run(look_up())
    assert len(ticks) > 3


@async_only
def test_a_cancelled_call_ends_at_once_and_leaves_the_client_usable(api: FakeIdentity, kind: str) -> None:
    assert kind == "async"

    async def cancel() -> None:
        async with AsyncIdentityClient(API_KEY, base_url=api.base_url) as client:
            api.delay_s = 2
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(client.verify("NIN", NIN), 0.1)
            api.delay_s = 0
            assert (await client.balance()).available <= 1000

    asyncio.run(cancel())


def test_an_http_client_supplied_by_the_caller_is_used_and_left_open(api: FakeIdentity) -> None:
    async def call() -> bool:
        async with httpx.AsyncClient(headers={"X-Team": "onboarding"}) as own:
            async with AsyncIdentityClient(API_KEY, base_url=api.base_url, http_client=own) as client:
                await client.verify("NIN", NIN)
            return own.is_closed

    assert asyncio.run(call()) is False
    assert api.requests[0].headers["X-Team"] == "onboarding"


def test_without_httpx_only_the_asynchronous_client_fails(tmp_path: Path) -> None:
    (tmp_path / "httpx.py").write_text("raise ImportError('No module named httpx', name='httpx')\n")
    script = (
        "import ng_identity\n"
        f"ng_identity.IdentityClient({API_KEY!r}, base_url='https://api.example.com')\n"
        f"ng_identity.AsyncIdentityClient({API_KEY!r}, base_url='https://api.example.com')\n"
    )
    (tmp_path / "script.py").write_text(script)
    done = subprocess.run([sys.executable, "script.py"], cwd=str(tmp_path), stderr=subprocess.PIPE)
    last_line = done.stderr.decode().strip().splitlines()[-1]
    assert last_line == 'ImportError: AsyncIdentityClient needs httpx: pip install "ng-identity[async]"'
