"""The fake API for customers' tests."""

from typing import Any

import pytest

import ng_identity
from ng_identity import IdentityClient, testing
from ng_identity.testing import FakeIdentity

from .test_errors import catalogue

NIN = "12345678901"
NUMBERS = {"NIN": NIN, "BVN": NIN, "CAC": "RC1234567", "TIN": "1234567890", "NUBAN": "0123456789"}
LEVELS = [("NIN", True), ("BVN", True), ("CAC", True), *((id_type, False) for id_type in NUMBERS)]


def test_the_fixture_sets_the_environment_of_clients(fake_identity: FakeIdentity) -> None:
    with IdentityClient() as client:
        result = client.verify("NIN", NIN, consent="form 7")
        entry = client.verification(str(result.request_id))
    assert [charge.service for charge in fake_identity.charges] == ["nin-basic"]
    assert fake_identity.charges[0].idempotency_key == result.idempotency_key
    assert fake_identity.requests[0].body == {"id_number": NIN, "consent": "form 7"}
    assert fake_identity.credits == 999
    assert (entry.data["service"], entry.data["consent"]) == ("nin-basic", "form 7")
    assert set(entry.data) == set(ng_identity.LogRecord.__annotations__)


@pytest.mark.parametrize(("id_type", "advance"), LEVELS)
def test_each_record_has_every_field_of_its_type(client: Any, id_type: str, advance: bool) -> None:
    level = "" if id_type in ("TIN", "NUBAN") else "Premium" if advance else "Basic"
    record = getattr(ng_identity, f"{id_type.title()}{level}Record")
    assert set(client.verify(id_type, NUMBERS[id_type], advance).data) == set(record.__annotations__)


def test_banks_and_transactions_have_every_field(client: IdentityClient) -> None:
    client.verify("NIN", NIN)
    (entry,) = client.transactions()
    (bank,) = client.banks()
    assert set(entry) == set(ng_identity.Transaction.__annotations__)
    assert set(bank) == set(ng_identity.Bank.__annotations__)
    assert set(client.balance().data) == set(ng_identity.BalanceData.__annotations__)


def test_a_key_has_every_field_and_its_uses_name_the_charged_request(client: IdentityClient) -> None:
    me = client.me()
    assert set(me) == set(ng_identity.Me.__annotations__)
    assert set(me["services"][0]) == set(ng_identity.ServiceAccess.__annotations__)
    assert client.key_uses("application-4711") == []
    first = client.verify("NIN", NIN, idempotency_key="application-4711")
    again = client.verify("NIN", NIN, idempotency_key="application-4711")
    (use,) = client.key_uses("application-4711")
    assert set(use) == set(ng_identity.KeyUse.__annotations__)
    assert (use["key_state"], use["request_id"], use["replays_left"]) == ("charged", first.request_id, 2)
    assert client.verification(str(again.request_id)).data["replay_of"] == first.request_id
    with pytest.raises(ValueError, match="8 to 255"):
        client.key_uses("short")


def test_the_statuses_match_the_service() -> None:
    assert {code: entry["status"] for code, entry in catalogue().items()} == testing.STATUSES


def test_requests_are_listed_by_reference_service_and_outcome(client: IdentityClient) -> None:
    first = client.verify("NIN", NIN, reference="customer-4711")
    with pytest.raises(ng_identity.NotFoundError):
        client.verify("BVN", "22345670404", reference="customer-4711")
    client.verify("TIN", "1234567890", reference="customer-4712")
    found = list(client.verifications(reference="customer-4711"))

    assert [(entry["service"], entry["outcome"]) for entry in found] == [
        ("bvn-basic", "NOT_FOUND"),
        ("nin-basic", "FOUND"),
    ]
    assert found[1]["request_id"] == first.request_id
    assert set(found[0]) == set(ng_identity.VerificationSummary.__annotations__)
    assert [entry["reference"] for entry in client.verifications(service="tin-basic")] == ["customer-4712"]
    assert [entry["service"] for entry in client.verifications(outcome="NOT_FOUND")] == ["bvn-basic"]
    assert list(client.rejected_requests()) == []


def test_an_empty_wallet_is_reported_without_a_charge(client: IdentityClient, api: FakeIdentity) -> None:
    api.credits = 0
    with pytest.raises(ng_identity.InsufficientFundsError) as caught:
        client.verify("NIN", NIN)
    assert (caught.value.charged, api.charges) == (False, [])


def test_fail_next_responds_with_the_code_and_without_a_charge(
    client: IdentityClient, api: FakeIdentity
) -> None:
    api.fail_next("SERVICE_UNAVAILABLE", times=2, retry_after=0)
    assert client.verify("NIN", NIN).verified
    assert (len(api.requests), len(api.charges)) == (3, 1)
    api.fail_next("SUBSCRIPTION_REQUIRED")
    with pytest.raises(ng_identity.AuthenticationError):
        client.verify("NIN", NIN)
    with pytest.raises(ValueError, match="NO_SUCH_CODE"):
        api.fail_next("NO_SUCH_CODE")


def test_cut_next_charges_and_sends_no_response(client: IdentityClient, api: FakeIdentity) -> None:
    api.cut_next()
    assert client.verify("NIN", NIN).credits_charged == 0
    assert (len(api.requests), len(api.charges)) == (2, 1)


def test_a_charged_request_has_three_free_replays(client: IdentityClient) -> None:
    key = client.verify("NIN", NIN).idempotency_key
    replays = [client.verify("NIN", NIN, idempotency_key=key).credits_charged for _ in range(3)]
    assert replays == [0, 0, 0]
    with pytest.raises(ng_identity.ReplayExhaustedError):
        client.verify("NIN", NIN, idempotency_key=key)
    with pytest.raises(ng_identity.ValidationError):
        client.verify("NIN", "12345678902", idempotency_key=key)
