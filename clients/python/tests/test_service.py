"""
Tests the client against the real local service. Set NG_IDENTITY_TEST_SERVICE to the credentials.json of a
running service. No other program may use it during the tests, because they count its charges.
"""

import asyncio
import json
import os
import secrets
import subprocess
import sys
import time
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Optional
from urllib.parse import urlsplit

import pytest

import ng_identity
from ng_identity import (
    AsyncIdentityClient,
    IdentityClient,
    IdentityError,
    RejectedRequests,
    VerificationSummary,
    _retry,
)
from ng_identity._belonging import NUMBER_FIELDS
from ng_identity._checks import ADVANCED_ID_TYPES

from . import fault_proxy as faults
from .fault_proxy import FaultProxy
from .test_conformance import TABLE, check_error
from .test_package import FOLDER, README_BLOCKS
from .test_testing import LEVELS, fields_of

CREDENTIALS_FILE = os.environ.get("NG_IDENTITY_TEST_SERVICE")

if not CREDENTIALS_FILE:
    pytest.skip("NG_IDENTITY_TEST_SERVICE is not set", allow_module_level=True)

TIMEOUT_NUMBER = "12345670504"
GATEWAY = [(id_type, level) for id_type in ADVANCED_ID_TYPES for level in ("basic", "advanced")]


def new_number(id_type: Any, ending: str = "1234") -> str:
    """Returns a random number of the type, with an ending that selects an outcome of the sandbox."""
    digits = f"{secrets.randbelow(10**7):07d}"
    before = {
        "NIN": digits,
        "BVN": digits,
        "CAC": "RC" + digits[:4],
        "TIN": digits + "0-",
        "NUBAN": digits[:6],
    }
    return before[id_type] + ending


@dataclass(frozen=True)
class Service:
    base_url: str
    keys: Dict[str, str] = field(repr=False)

    def client(self, environment: str = "test", **options: Any) -> IdentityClient:
        return IdentityClient(self.keys[environment], **{"base_url": self.base_url, **options})

    def outcome(self, kind: str, number: str) -> Any:
        """Returns the result or the error of a NIN look-up, by a client with default settings."""

        async def verify() -> Any:
            async with AsyncIdentityClient(self.keys["test"], base_url=self.base_url) as client:
                return await client.verify("NIN", number)

        try:
            if kind == "async":
                return asyncio.run(verify())
            with self.client() as client:
                return client.verify("NIN", number)
        except IdentityError as error:
            return error


@pytest.fixture(scope="module", autouse=True)
def _isolate() -> Iterator[None]:
    """
    Replaces the shared fixture: these tests use the client's own delays and limits. One attempt may take
    longer, because the local service starts the processes of its functions when they are needed.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_retry, "LONGEST_ATTEMPT_S", 60.0)
        yield


@pytest.fixture(scope="module")
def service() -> Service:
    found = json.loads(Path(str(CREDENTIALS_FILE)).read_text(encoding="utf-8"))
    keys = {environment: found[environment]["apiKey"] for environment in ("live", "test")}
    return Service(found["baseUrl"], keys)


@pytest.fixture
def client(service: Service) -> Iterator[IdentityClient]:
    with service.client() as made:
        yield made


@pytest.fixture
def charges(client: IdentityClient) -> Callable[[], List[Any]]:
    """Returns the charges in the wallet's statement since the test began."""
    begin = datetime.now(timezone.utc)
    time.sleep(0.002)
    return lambda: list(client.transactions(from_=begin, type="debit"))


@pytest.fixture
def behind(service: Service) -> Iterator[Callable[..., FaultProxy]]:
    parts = urlsplit(service.base_url)
    made: List[FaultProxy] = []

    def make(*scripted: faults.Fault) -> FaultProxy:
        made.append(FaultProxy((str(parts.hostname), int(parts.port or 80)), *scripted))
        return made[-1]

    yield make
    for proxy in made:
        proxy.__exit__()


@pytest.mark.parametrize("environment", ["test", "live"])
@pytest.mark.parametrize(("id_type", "advance"), LEVELS)
def test_each_type_and_level_returns_the_complete_record_for_one_charge(
    service: Service, environment: str, id_type: Any, advance: bool
) -> None:
    with service.client(environment) as client:
        number = new_number(id_type)
        before = client.balance().available
        result = client.verify(id_type, number, advance)

        assert set(result.data) == fields_of(id_type, advance)
        assert result.data[NUMBER_FIELDS[id_type]] == number
        assert (result.code, result.verified) == (f"{id_type}_VERIFIED", True)
        assert (result.provider, result.confidence_score, result.credits_charged) == ("Sandbox", 1.0, 1)
        assert result.timestamp is not None
        assert client.balance().available == before - 1
        assert result.request_id is not None
        entry = client.verification(result.request_id)
        assert (entry.data["credits_charged"], entry.data["verification_type"]) == (1, id_type)
        assert number not in json.dumps(entry)


@pytest.fixture(scope="module")
def timeouts_by_default(service: Service) -> Iterator["Dict[str, Future[Any]]"]:
    """
    The outcome of each client for a registry that does not respond. Takes 40 seconds, because the clients
    retry once, so it runs in the background.
    """
    with ThreadPoolExecutor(2) as pool:
        yield {kind: pool.submit(service.outcome, kind, TIMEOUT_NUMBER) for kind in ("sync", "async")}


@pytest.mark.usefixtures("timeouts_by_default")
@pytest.mark.parametrize(("id_type", "level"), GATEWAY)
def test_the_gateway_returns_the_same_records(client: IdentityClient, id_type: Any, level: Any) -> None:
    number = new_number(id_type)
    record = client.verify_gateway(id_type, number, level=level).data
    assert record == client.verify(id_type, number, level == "advanced").data


@pytest.mark.parametrize("id_type", ["NIN", "BVN"])
def test_biometric_returns_a_photo_or_fails_without_a_charge(
    client: IdentityClient, charges: Callable[[], List[Any]], id_type: Any
) -> None:
    found = client.verify_gateway(id_type, new_number(id_type), level="advanced", method="biometric")
    assert len(found.data["photo"]) > 1000
    with pytest.raises(ng_identity.VerificationFailedError) as caught:
        client.verify_gateway(id_type, new_number(id_type, "0206"), level="advanced", method="biometric")
    assert caught.value.charged is False
    assert [entry["request_id"] for entry in charges()] == [found.request_id]


def test_each_slip_of_a_verified_nin_is_returned_and_charged(
    client: IdentityClient, charges: Callable[[], List[Any]], tmp_path: Path
) -> None:
    nin = new_number("NIN")
    client.verify("NIN", nin)

    def downloaded(slip_type: Any) -> bytes:
        return client.download_slip(nin, slip_type, tmp_path / slip_type)

    slip_types = ("regular", "improved", "premium")
    with ThreadPoolExecutor(len(slip_types)) as pool:
        slips = list(pool.map(downloaded, slip_types))
    for slip_type, pdf in zip(slip_types, slips):
        assert pdf.startswith(b"%PDF-")
        assert pdf.rstrip().endswith(b"%%EOF")
        assert (tmp_path / slip_type).read_bytes() == pdf
    assert len(set(slips)) == len(slip_types)
    assert [entry["service"] for entry in charges()] == ["nin-basic", *["nin-slip"] * len(slip_types)]


@pytest.mark.parametrize("fault", [faults.reset_after, faults.half], ids=["reset_after", "half"])
def test_a_broken_connection_is_retried_until_the_data_arrives_for_one_charge(
    service: Service, behind: Callable[..., FaultProxy], charges: Callable[[], List[Any]], fault: faults.Fault
) -> None:
    proxy = behind(fault, fault)
    number = new_number("NIN")
    with service.client(base_url=proxy.base_url) as client:
        result = client.verify("NIN", number, advance=True)

    assert result.data["nin"] == number
    assert len(proxy.requests) == 3
    assert len(set(proxy.header("Idempotency-Key"))) == 1
    assert len(charges()) == 1


def test_a_call_abandoned_during_the_look_up_returns_its_data_later_for_one_charge(
    service: Service, client: IdentityClient, charges: Callable[[], List[Any]]
) -> None:
    numbers: List[str] = []
    key: Optional[str] = None
    busy: Optional[ng_identity.InProgressError] = None
    # On a busy machine, a look-up can have ended before the second call.
    while busy is None and len(numbers) < 5:
        numbers.append(new_number("NIN", "0299"))
        with service.client(timeout=1) as hasty, pytest.raises(ng_identity.RequestTimeoutError) as caught:
            hasty.verify("NIN", numbers[-1])
        key = caught.value.idempotency_key
        with service.client(max_retries=0) as impatient:
            try:
                impatient.verify("NIN", numbers[-1], idempotency_key=key)
            except ng_identity.InProgressError as error:
                busy = error
    assert busy is not None
    assert busy.charged is None
    assert busy.retry_after is not None

    # This client waits until the first call has ended.
    result = client.verify("NIN", numbers[-1], idempotency_key=key)
    assert (result.data["nin"], result.credits_charged) == (numbers[-1], 0)
    assert len(charges()) == len(numbers)


def test_the_statement_is_the_same_in_pages_of_any_size(
    client: IdentityClient, charges: Callable[[], List[Any]]
) -> None:
    begin = datetime.now(timezone.utc)
    expected = [client.verify("NIN", new_number("NIN")).request_id for _ in range(7)]
    for page_size in (1, 3, 7, 100):
        entries = list(client.transactions(from_=begin, page_size=page_size))
        assert [entry["request_id"] for entry in entries] == expected
        assert {entry["amount"] for entry in entries} == {-1}
    assert [entry["request_id"] for entry in charges()] == expected
    assert list(client.transactions(from_=begin, type="credit")) == []


def test_readme_examples_and_onboarding_work_as_written(service: Service, tmp_path: Path) -> None:
    environment = {
        "NG_IDENTITY_API_KEY": service.keys["test"],
        "NG_IDENTITY_BASE_URL": service.base_url,
        "PYTHONIOENCODING": "utf-8",
    }

    def run(script: str, *arguments: str) -> str:
        done = subprocess.run(  # noqa: S603
            [sys.executable, *arguments],
            input=script.encode(),
            env=environment,
            cwd=str(tmp_path),
            stdout=subprocess.PIPE,
            check=True,
        )
        return done.stdout.decode()

    assert len(run(README_BLOCKS[0], "-").split()) >= 2
    for block in README_BLOCKS[1:]:
        if "import pytest" not in block:
            run(block, "-")
    onboarding = [str(FOLDER / "examples" / "onboarding.py"), "--live", "--same-face"]
    assert run("", *onboarding, "12345678901").startswith("accepted")
    assert run("", *onboarding, new_number("NIN", "0206")).startswith("rejected: the registry has no photo")
    assert run("", *onboarding, new_number("NIN", "0404")).startswith("rejected: no such NIN")


@pytest.mark.parametrize("situation", TABLE["service"], ids=[row["name"] for row in TABLE["service"]])
def test_service_situation(
    service: Service,
    kind: str,
    situation: Dict[str, Any],
    timeouts_by_default: "Dict[str, Future[Any]]",
) -> None:
    number, expected = situation["number"], situation["expect"]
    in_background = number == TIMEOUT_NUMBER
    outcome = timeouts_by_default[kind].result() if in_background else service.outcome(kind, number)
    if "error" in expected:
        assert isinstance(outcome, IdentityError)
        check_error(outcome, expected["error"])
    else:
        assert {name: getattr(outcome, name) for name in expected["value"]} == expected["value"]


def test_a_request_is_found_by_its_reference(client: IdentityClient) -> None:
    reference = f"customer-{secrets.token_hex(6)}"
    nin = new_number("NIN")
    request_ids = [
        client.verify("NIN", nin, reference=reference).request_id,
        client.verify_gateway("NIN", nin, level="advanced", reference=reference).request_id,
        client.download_slip(nin, "regular", reference=reference).request_id,
    ]
    found: List[Any] = []
    for _ in range(50):
        # A request appears a moment after its response.
        found = list(client.verifications(reference=reference, page_size=2))
        if len(found) == len(request_ids):
            break
        time.sleep(0.2)
    assert [entry["request_id"] for entry in found] == request_ids[::-1]
    assert {entry["reference"] for entry in found} == {reference}
    assert set(found[0]) == set(VerificationSummary.__annotations__)
    assert client.verification(str(request_ids[0])).data["reference"] == reference
    slips = client.verifications(reference=reference, service="nin-slip", outcome="FOUND")
    assert [entry["request_id"] for entry in slips] == request_ids[2:]


def test_rejected_requests_are_listed(client: IdentityClient) -> None:
    with pytest.raises(ng_identity.ValidationError) as caught:
        client.verify("NIN", new_number("NIN"), consent="x" * 201)
    found: List[Any] = []
    for _ in range(50):
        found = [entry for entry in client.rejected_requests() if entry["code"] == "INVALID_SCHEMA"]
        if found:
            break
        time.sleep(0.2)
    assert set(found[0]) == set(RejectedRequests.__annotations__)
    assert (found[0]["http_status"], found[0]["route"]) == (caught.value.status_code, "nin-basic")
