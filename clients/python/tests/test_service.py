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
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Optional, Set, Tuple, Type
from urllib.parse import urlsplit

import pytest

import ng_identity
from ng_identity import (
    AsyncIdentityClient,
    BvnPremiumRecord,
    CacPremiumRecord,
    IdentityClient,
    IdentityError,
    NinPremiumRecord,
    NubanRecord,
    RejectedRequests,
    TinRecord,
    VerificationSummary,
    _retry,
)

from . import fault_proxy as faults
from .fault_proxy import PAGE, FaultProxy, responds
from .test_conformance import TABLE, check_error
from .test_package import FOLDER, README_BLOCKS

CREDENTIALS_FILE = os.environ.get("NG_IDENTITY_TEST_SERVICE")

if not CREDENTIALS_FILE:
    pytest.skip("NG_IDENTITY_TEST_SERVICE is not set", allow_module_level=True)

PREMIUM_ONLY: Dict[str, Set[str]] = {
    "NIN": {
        "title",
        "email",
        "profession",
        "marital_status",
        "employment_status",
        "birth_state",
        "birth_country",
    }
    | {
        "state_of_origin",
        "lga_of_origin",
        "nspokenlang",
        "religion",
        "next_of_kin",
        "signature",
        "tracking_id",
    },
    "BVN": {
        "title",
        "email",
        "nationality",
        "marital_status",
        "residential_address",
        "state_of_origin",
        "nin",
    }
    | {"lga_of_origin", "state_of_residence", "lga_of_residence", "name_on_card", "phone_number2"}
    | {"registration_date", "enrollment_bank", "enrollment_branch", "level_of_account", "watch_listed"},
    "CAC": {"affiliatesData"},
    "TIN": set(),
    "NUBAN": set(),
}
FIELDS: Dict[str, Any] = {
    "NIN": NinPremiumRecord,
    "BVN": BvnPremiumRecord,
    "CAC": CacPremiumRecord,
    "TIN": TinRecord,
    "NUBAN": NubanRecord,
}
TIMEOUT_NUMBER = "12345670504"
NUMBER_FIELDS = {"NIN": "nin", "BVN": "bvn", "CAC": "rcNumber", "TIN": "tin", "NUBAN": "account_number"}
LEVELS = [
    (id_type, advance)
    for id_type in FIELDS
    for advance in (False, True)
    if PREMIUM_ONLY[id_type] or not advance
]
GATEWAY = [(id_type, level) for id_type in ("NIN", "BVN", "CAC") for level in ("basic", "advanced")]

Verify = Callable[[IdentityClient, str], Any]


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

        fields = set(FIELDS[id_type].__annotations__)
        assert set(result.data) == (fields if advance else fields - PREMIUM_ONLY[id_type])
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


@pytest.mark.usefixtures("timed_out", "timeouts_by_default")
@pytest.mark.parametrize(("id_type", "level"), GATEWAY)
def test_the_gateway_returns_the_same_records(client: IdentityClient, id_type: Any, level: Any) -> None:
    number = new_number(id_type)
    record = client.verify_gateway(id_type, number, level=level).data
    assert record == client.verify(id_type, number, level == "advanced").data


def dedicated(id_type: Any, advance: bool) -> Verify:
    return lambda client, number: client.verify(id_type, number, advance)


def gateway(id_type: Any, level: Any) -> Verify:
    return lambda client, number: client.verify_gateway(id_type, number, level=level)


# The last four digits of the number, then class and code on the dedicated routes, then on the gateway.
FAILURES: List[Tuple[str, Type[IdentityError], str, Type[IdentityError], str]] = [
    ("0404", ng_identity.NotFoundError, "{}_NOT_FOUND", ng_identity.NotFoundError, "RECORD_NOT_FOUND"),
    (
        "0400",
        ng_identity.VerificationFailedError,
        "{}_VERIFICATION_FAILED",
        ng_identity.VerificationFailedError,
        "VERIFICATION_FAILED",
    ),
    (
        "0503",
        ng_identity.ServiceUnavailableError,
        "SERVICE_UNAVAILABLE",
        ng_identity.ServiceUnavailableError,
        "",
    ),
    ("0500", ng_identity.ServerError, "SERVER_ERROR", ng_identity.ServerError, ""),
]


EVERY_CALL: List[Tuple[str, Verify]] = [
    *((id_type, dedicated(id_type, advance)) for id_type, advance in LEVELS),
    *((id_type, gateway(id_type, level)) for id_type, level in GATEWAY),
]


TIMED_OUT = (
    "0504",
    ng_identity.RequestTimeoutError,
    "TIMEOUT",
    ng_identity.ServiceUnavailableError,
    "SERVICE_UNAVAILABLE",
)


def failures(client: IdentityClient, ending: str) -> List[Optional[IdentityError]]:
    """
    Returns what each of EVERY_CALL raises. Makes at most three gateway calls at a time, because one function
    with few instances serves them all, and other tests need it too.
    """

    def failure(call: Tuple[str, Verify]) -> Optional[IdentityError]:
        try:
            call[1](client, new_number(call[0], ending))
        except IdentityError as error:
            return error
        return None

    with ThreadPoolExecutor(len(LEVELS)) as pool, ThreadPoolExecutor(3) as few:
        dedicated_ones = pool.map(failure, EVERY_CALL[: len(LEVELS)])
        gateway_ones = few.map(failure, EVERY_CALL[len(LEVELS) :])
        return [*dedicated_ones, *gateway_ones]


@pytest.fixture(scope="module")
def timed_out(service: Service) -> Iterator["Future[List[Optional[IdentityError]]]"]:
    """Calls that the registry does not respond to. Each takes 20 seconds, so they run in the background."""
    with service.client(max_retries=0, timeout=120) as client, ThreadPoolExecutor(1) as pool:
        yield pool.submit(failures, client, "0504")


def check_failures(
    errors: List[Optional[IdentityError]], row: Tuple[str, Type[IdentityError], str, Type[IdentityError], str]
) -> None:
    _, error_class, code, gateway_class, gateway_code = row
    assert len(errors) == len(EVERY_CALL)
    for index, ((id_type, _), error) in enumerate(zip(EVERY_CALL, errors)):
        expected = (error_class, code.format(id_type))
        if index >= len(LEVELS):
            expected = (gateway_class, gateway_code or code)
        assert error is not None, id_type
        assert (type(error), error.code, error.charged) == (*expected, False), id_type
        assert error.request_id


@pytest.mark.parametrize("row", FAILURES, ids=[row[0] for row in FAILURES])
def test_each_sandbox_failure_raises_its_error_without_a_charge_for_every_type_and_level(
    service: Service,
    charges: Callable[[], List[Any]],
    row: Tuple[str, Type[IdentityError], str, Type[IdentityError], str],
) -> None:
    with service.client(max_retries=0) as client:
        check_failures(failures(client, row[0]), row)
    assert charges() == []


@pytest.mark.parametrize("ending", ["0206", "0299"])
def test_records_found_slowly_or_without_a_photo_are_charged_for_every_type_and_level(
    client: IdentityClient, charges: Callable[[], List[Any]], ending: str
) -> None:
    def found(call: Tuple[str, Verify]) -> Tuple[Any, float]:
        started = time.monotonic()
        return call[1](client, new_number(call[0], ending)), time.monotonic() - started

    with ThreadPoolExecutor(len(EVERY_CALL)) as pool:
        results = list(pool.map(found, EVERY_CALL))
    for (id_type, _), (result, seconds) in zip(EVERY_CALL, results):
        assert (result.code, result.credits_charged) == (f"{id_type}_VERIFIED", 1)
        if ending == "0206":
            assert result.data.get("photo", "") == ""
        else:
            assert seconds >= 3
    assert len(charges()) == len(EVERY_CALL)


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


@pytest.mark.parametrize("ending", ["1234", "0206", "0299"])
def test_each_slip_of_a_verified_nin_is_returned_and_charged(
    client: IdentityClient, charges: Callable[[], List[Any]], tmp_path: Path, ending: str
) -> None:
    nin = new_number("NIN", ending)
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


def test_a_slip_needs_a_verification_in_the_same_environment(
    client: IdentityClient, service: Service, charges: Callable[[], List[Any]]
) -> None:
    nin = new_number("NIN")
    with service.client("live") as live:
        live.verify("NIN", nin)
    with pytest.raises(ng_identity.NotFoundError) as caught:
        client.download_slip(nin, "regular")
    assert (caught.value.code, caught.value.charged) == ("VERIFICATION_LOG_NOT_FOUND", False)
    assert charges() == []


BROKEN = [
    faults.reset_before,
    faults.reset_after,
    faults.half,
    faults.half_reset,
    faults.half_head,
    faults.not_http,
    responds("502 Bad Gateway", PAGE),
    responds("200 OK", PAGE),
    responds("429 Too Many Requests", PAGE, "Retry-After: 1"),
]
NAMES = [getattr(fault, "__qualname__", "") for fault in BROKEN]


@pytest.mark.parametrize("fault", BROKEN, ids=NAMES)
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


@pytest.mark.parametrize("fault", [faults.reset_after, faults.half], ids=["reset_after", "half"])
def test_a_slip_interrupted_after_its_charge_is_downloaded_completely_for_one_charge(
    service: Service, behind: Callable[..., FaultProxy], charges: Callable[[], List[Any]], fault: faults.Fault
) -> None:
    proxy = behind(faults.forwarded, fault, fault)
    nin = new_number("NIN")
    with service.client(base_url=proxy.base_url) as client:
        client.verify("NIN", nin)
        pdf = client.download_slip(nin, "improved")
    assert pdf.rstrip().endswith(b"%%EOF")
    assert [entry["service"] for entry in charges()] == ["nin-basic", "nin-slip"]


@pytest.mark.parametrize("fault", [faults.slow_body, faults.slow_head, faults.no_response])
def test_after_a_timeout_the_same_key_returns_the_data_without_a_second_charge(
    service: Service, behind: Callable[..., FaultProxy], charges: Callable[[], List[Any]], fault: faults.Fault
) -> None:
    number = new_number("BVN")
    with service.client(base_url=behind(fault).base_url, timeout=3) as client:
        with pytest.raises(ng_identity.RequestTimeoutError) as caught:
            client.verify("BVN", number)
        assert caught.value.charged is None
        assert len(charges()) == 1
        again = client.verify("BVN", number, idempotency_key=caught.value.idempotency_key)
    assert (again.data["bvn"], again.credits_charged) == (number, 0)
    assert len(charges()) == 1


def test_a_call_abandoned_during_the_look_up_returns_its_data_later_for_one_charge(
    service: Service, client: IdentityClient, charges: Callable[[], List[Any]]
) -> None:
    number = new_number("NIN", "0299")
    with service.client(timeout=1) as hasty, pytest.raises(ng_identity.RequestTimeoutError) as caught:
        hasty.verify("NIN", number)
    with service.client(max_retries=0) as impatient, pytest.raises(ng_identity.InProgressError) as busy:
        impatient.verify("NIN", number, idempotency_key=caught.value.idempotency_key)
    assert busy.value.charged is None
    assert busy.value.retry_after is not None

    # This client waits until the first call has ended.
    result = client.verify("NIN", number, idempotency_key=caught.value.idempotency_key)
    assert (result.data["nin"], result.credits_charged) == (number, 0)
    assert len(charges()) == 1


def test_the_same_call_from_two_threads_under_one_key_is_charged_once(
    client: IdentityClient, charges: Callable[[], List[Any]]
) -> None:
    number, key = new_number("NIN", "0299"), secrets.token_hex(16)
    results: List[Any] = []

    def work() -> None:
        results.append(client.verify("NIN", number, idempotency_key=key))

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(result.credits_charged for result in results) == [0, 1]
    assert len(charges()) == 1


def test_a_key_belongs_to_one_request_and_has_three_free_replays(
    client: IdentityClient, charges: Callable[[], List[Any]]
) -> None:
    number = new_number("TIN")
    key = client.verify("TIN", number).idempotency_key
    with pytest.raises(ng_identity.ValidationError) as reused:
        client.verify("TIN", new_number("TIN"), idempotency_key=key)
    assert (reused.value.code, reused.value.charged) == ("IDEMPOTENCY_KEY_REUSED", None)

    assert [client.verify("TIN", number, idempotency_key=key).credits_charged for _ in range(3)] == [0, 0, 0]
    with pytest.raises(ng_identity.ReplayExhaustedError) as exhausted:
        client.verify("TIN", number, idempotency_key=key)
    assert exhausted.value.charged is None
    assert len(charges()) == 1


def test_input_that_only_the_service_can_check_raises_validation_error(
    service: Service, charges: Callable[[], List[Any]]
) -> None:
    with service.client() as client:
        with pytest.raises(ng_identity.ValidationError) as caught:
            client.verify("NIN", new_number("NIN"), consent="x" * 201)
        with pytest.raises(ng_identity.ValidationError) as large:
            client.verify("NIN", new_number("NIN"), reason="x" * 5000)
    assert (caught.value.code, caught.value.status_code) == ("INVALID_SCHEMA", 400)
    assert (caught.value.reason, caught.value.field) == ("too_long", "consent")
    assert (large.value.status_code, large.value.reason) == (413, "too_large")
    assert charges() == []


@pytest.mark.parametrize(
    ("id_type", "number", "canonical"),
    [
        ("NIN", "1234 567 1234", "12345671234"),
        ("BVN", " 223-4567-1234", "22345671234"),
        ("CAC", "rc1234", "RC1234"),
        ("CAC", "BN1234", "BN1234"),
        ("CAC", "IT1234", "IT1234"),
        ("CAC", "lp1234", "LP1234"),
        ("CAC", "LLP1234", "LLP1234"),
        ("TIN", "123456781234", "12345678-1234"),
        ("TIN", "1234561234", "1234561234"),
        ("TIN", "1234567891234", "1234567891234"),
        ("NUBAN", "012 345 1234", "0123451234"),
    ],
)
def test_different_written_forms_of_a_number_are_verified(
    client: IdentityClient, id_type: Any, number: str, canonical: str
) -> None:
    result = client.verify(id_type, number)
    assert result.data[NUMBER_FIELDS[id_type]] == canonical


def test_a_cac_number_of_digits_only_is_verified_with_its_type(client: IdentityClient) -> None:
    assert client.verify("CAC", "7000", company_type="BN").data["rcNumber"] == "BN7000"
    record = client.verify_gateway("CAC", "7000", company_type="IT", level="advanced").data
    assert {affiliate["affiliateType"] for affiliate in record["affiliatesData"]} == {"TRUSTEE"}


def test_a_missing_record_has_a_reason_a_field_and_a_hint(client: IdentityClient) -> None:
    with pytest.raises(ng_identity.NotFoundError) as caught:
        client.verify("NIN", new_number("NIN", "0404"))
    error = caught.value
    assert (error.reason, error.field) == ("no_record", "id_number")
    assert error.hint
    with pytest.raises(ng_identity.NotFoundError) as missed:
        client.verify_gateway("NIN", new_number("NIN", "0404"))
    assert (missed.value.reason, missed.value.field) == ("no_record", "params.id_number")


def test_optional_fields_are_stored_in_the_log(client: IdentityClient) -> None:
    result = client.verify("NUBAN", "0123456785", bank_code="058", consent="form 7", reason="onboarding")
    assert result.request_id is not None
    entry = client.verification(result.request_id)
    assert (entry.data["consent"], entry.data["reason"]) == ("form 7", "onboarding")


def test_a_wrong_key_is_rejected_and_a_log_entry_in_the_other_environment_is_not_found(
    service: Service, client: IdentityClient
) -> None:
    key = service.keys["test"]
    for wrong in (key[:-1] + ("a" if key[-1] != "a" else "b"), "idv_test_nonsense"):
        with replace(service, keys={"test": wrong}).client() as other:
            for call in (lambda: other.verify("NIN", new_number("NIN")), other.balance):
                with pytest.raises(ng_identity.AuthenticationError) as caught:
                    call()
                assert caught.value.code == "INVALID_API_KEY"
    request_id = client.verify("NIN", new_number("NIN")).request_id
    with service.client("live") as live, pytest.raises(ng_identity.NotFoundError) as missing:
        live.verification(str(request_id))
    assert missing.value.code == "VERIFICATION_NOT_FOUND"


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


def test_many_threads_share_a_client(client: IdentityClient, charges: Callable[[], List[Any]]) -> None:
    number = [new_number("NIN") for _ in range(40)]
    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(lambda one: client.verify("NIN", one), number))
    assert [result.data["nin"] for result in results] == number
    assert len(charges()) == 40


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
            run(README_BLOCKS[0] + block, "-")
    onboarding = [str(FOLDER / "examples" / "onboarding.py"), "--live", "--same-face"]
    assert run("", *onboarding, "12345678901").startswith("accepted")
    assert run("", *onboarding, new_number("NIN", "0206")).startswith("rejected: the registry has no photo")
    assert run("", *onboarding, new_number("NIN", "0404")).startswith("rejected: no such NIN")


def test_registry_timeouts_raise_their_error_without_a_charge_for_every_type_and_level(
    client: IdentityClient, timed_out: "Future[List[Optional[IdentityError]]]"
) -> None:
    errors = timed_out.result()
    check_failures(errors, TIMED_OUT)
    request_ids = {error.request_id for error in errors if error is not None}
    assert request_ids.isdisjoint(
        entry["request_id"] for entry in client.transactions(type="debit", page_size=100)
    )


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
