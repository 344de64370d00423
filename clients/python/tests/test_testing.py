"""The fake API for customers' tests."""

# cspell:ignore Bolanle Chukwu Chukwuemekar Emeka IKECHUKWU Kaura MGBEMENA OBINNA Obiora Ogunleye Vjcm
# cspell:ignore getfixturevalue

import json
import os
import time
from datetime import datetime, timezone
from typing import Any, Dict, Set, get_args, get_type_hints

import pytest

import ng_identity
from ng_identity import IdentityClient, testing
from ng_identity._checks import ADVANCED_ID_TYPES, ID_TYPES
from ng_identity.testing import FakeIdentity

from .conftest import MakeClient
from .test_verify import NUMBERS

NIN = "12345678901"
LEVELS = [*((id_type, True) for id_type in ADVANCED_ID_TYPES), *((id_type, False) for id_type in ID_TYPES)]


def fields_of(id_type: str, advance: bool) -> Set[str]:
    """Returns the fields of the record of this type and level."""
    level = "" if id_type not in ADVANCED_ID_TYPES else "Premium" if advance else "Basic"
    return set(getattr(ng_identity, f"{id_type.title()}{level}Record").__annotations__)


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
    assert set(client.verify(id_type, NUMBERS[id_type], advance).data) == fields_of(id_type, advance)


def test_banks_and_transactions_have_every_field(client: IdentityClient) -> None:
    client.verify("NIN", NIN)
    (entry,) = client.transactions()
    bank = client.banks()[0]
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
    client.verify("NIN", NIN)
    listed = [entry["request_id"] for entry in client.verifications(idempotency_key="application-4711")]
    assert listed == [again.request_id, first.request_id]
    with pytest.raises(ValueError, match="cannot be combined"):
        client.verifications(idempotency_key="application-4711", service="nin-basic")
    with pytest.raises(ValueError, match="8 to 255"):
        client.key_uses("short")


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


def test_a_key_belongs_to_its_route(client: Any, api: FakeIdentity) -> None:
    for id_type in ("NIN", "BVN"):
        found = client.verify(id_type, NIN, idempotency_key="one-key-of-two-routes")
        assert (found.replayed, found.credits_charged) == (False, 1)
    assert len(api.charges) == 2


def test_the_charge_of_a_supplied_key_is_known_after_each_failure(
    make_client: MakeClient, api: FakeIdentity
) -> None:
    client = make_client(max_retries=0)
    for ending, expected in (("0503", False), ("0504", False), ("0500", False), ("0404", False)):
        with pytest.raises(ng_identity.IdentityError) as caught:
            client.verify("NIN", f"1234567{ending}", idempotency_key=f"key-of-{ending}")
        assert caught.value.charged is expected
    for _ in range(1 + testing.FREE_REPLAYS):
        client.verify("NIN", NIN, idempotency_key="key-of-a-charge")
    with pytest.raises(ng_identity.ReplayExhaustedError) as exhausted:
        client.verify("NIN", NIN, idempotency_key="key-of-a-charge")
    assert exhausted.value.charged is True
    api.fail_next("RATE_LIMITED")
    with pytest.raises(ng_identity.RateLimitError) as limited:
        client.verify("NIN", NIN, idempotency_key="key-of-a-limit")
    assert (limited.value.charged, limited.value.retry_after) == (None, 1)


def test_a_statement_has_balances_and_a_range(client: IdentityClient, api: FakeIdentity) -> None:
    order = client.start_top_up(50)
    client.verify("NIN", NIN)
    time.sleep(0.002)  # the times of the API are in milliseconds
    between = datetime.now(timezone.utc)
    time.sleep(0.002)
    api.pay_top_up(order.reference)
    entries = client.transactions()
    assert [(entry["amount"], entry["balance_after"]) for entry in entries] == [(-1, 999), (50, 1049)]
    assert (entries.opening_balance, entries.closing_balance) == (1000, 1049)
    later, earlier = client.transactions(from_=between), client.transactions(to=between)
    assert [[entry["type"] for entry in each] for each in (later, earlier)] == [["credit"], ["debit"]]
    assert (later.opening_balance, earlier.closing_balance) == (999, 999)
    assert list(client.verifications(from_=between)) == []


def test_an_entry_of_this_millisecond_is_listed(
    client: IdentityClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The fake's clock advances after the range of the list was determined.
    milliseconds = [0]

    def now(after_ms: int = 0) -> str:
        shown = milliseconds[0] if len(milliseconds) == 1 else milliseconds.pop(0)
        return f"2026-01-15T09:30:00.00{shown + after_ms}Z"

    monkeypatch.setattr(testing, "_now", now)
    client.verify("NIN", NIN)
    milliseconds.append(1)
    assert len(list(client.transactions())) == 1


def test_an_account_has_the_name_of_a_person_and_a_bank(client: IdentityClient) -> None:
    account = client.verify("NUBAN", "0123456789", bank_code="050").data
    assert (account["account_name"], account["bank_name"]) == (
        "MGBEMENA OBINNA IKECHUKWU",
        "Ecobank Nigeria Plc",
    )
    with pytest.raises(ng_identity.VerificationFailedError) as caught:
        client.verify("NUBAN", "0123456789", bank_code="999")
    assert (caught.value.reason, caught.value.retryable) == ("unknown_bank", False)


@pytest.mark.parametrize(
    ("claimed", "overall", "score"),
    [
        # The scores are those of the service, for the same record.
        ({"firstname": "Chukwuemeka", "lastname": "Anunobi"}, "exact", 1.0),
        ({"firstname": "Chúkwuemeka", "lastname": "Ànunobi"}, "exact", 1.0),
        ({"firstname": "Anunobi", "lastname": "Chukwuemeka"}, "strong", 0.94),
        ({"firstname": "Chukwuemekar", "lastname": "Anunobi"}, "strong", 0.94),
        ({"firstname": "C", "lastname": "Anunobi"}, "partial", 0.75),
        ({"firstname": "Chukwuemeka", "lastname": "Okafor"}, "partial", 0.5),
        ({"firstname": "Chukwuemeka", "lastname": "Anunobi", "birthdate": "23-08-1958"}, "partial", 0.84),
        ({"firstname": "Chukwuemeka", "lastname": "Anunobi", "birthdate": "1957-08-23"}, "exact", 1.0),
        ({"firstname": "Chukwuemeka", "lastname": "Anunobi", "gender": "f"}, "partial", 0.84),
        ({"firstname": "Chukwuemeka", "lastname": "Anunobi", "phone": "08099999999"}, "partial", 0.8),
        ({"firstname": "Chukwuemeka"}, "insufficient", 0.0),
        ({"birthdate": "01-01-1980"}, "none", 0.0),
        ({"phone": "+2348103737017"}, "insufficient", 0.0),
    ],
)
def test_a_match_has_the_result_of_the_service(
    client: Any, claimed: Dict[str, str], overall: str, score: float
) -> None:
    match = client.verify("NIN", NIN, match=claimed).match
    assert (match["overall"], match["score"]) == (overall, score)


@pytest.mark.parametrize(
    ("nin", "claimed", "overall", "score", "reason"),
    [
        # Of docs/guides/match.md.
        (
            "0301",
            {"firstname": "Dahiru", "lastname": "Kaura", "birthdate": "1992-10-26"},
            "exact",
            1.0,
            "TONE_MARKS",
        ),
        (
            "0303",
            {
                "firstname": "Bolanle",
                "lastname": "Ogunleye",
                "birthdate": "08-12-1952",
                "phone": "09054678220",
            },
            *("strong", 0.85, "SURNAME_CHANGED"),
        ),
        (
            "0305",
            {"firstname": "Kasimu", "lastname": "Danmusa", "birthdate": "07-10-1966"},
            "strong",
            0.97,
            "DAY_MONTH_SWAPPED",
        ),
        (
            "1021",
            {"firstname": "Chukwu Emeka", "lastname": "Obiora", "birthdate": "24-02-1965"},
            "strong",
            0.99,
            "COMPOUND_SPLIT",
        ),
    ],
)
def test_a_documented_match_has_the_result_of_the_service(
    client: Any, nin: str, claimed: Dict[str, str], overall: str, score: float, reason: str
) -> None:
    match = client.verify("NIN", f"1234567{nin}", match=claimed).match
    reasons = [one for field in match["fields"].values() for one in field["reasons"]]
    assert (match["overall"], match["score"]) == (overall, score)
    assert reason in reasons


def test_a_proxy_in_the_environment_is_not_used_for_the_fixture(
    monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    for name in ("http_proxy", "HTTP_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.setenv("no_proxy", "internal.example")
    fake = request.getfixturevalue("fake_identity")
    with IdentityClient(max_retries=0) as client:
        assert client.verify("NIN", NIN).verified
    assert len(fake.charges) == 1
    assert os.environ["no_proxy"] == "internal.example,127.0.0.1"


def test_the_error_has_the_message_and_reason_of_the_service(
    client: IdentityClient, api: FakeIdentity
) -> None:
    api.credits = 0
    with pytest.raises(ng_identity.InsufficientFundsError) as caught:
        client.verify("NIN", NIN)
    found = (caught.value.reason, caught.value.field, caught.value.hint)
    assert found == ("insufficient_credits", "", "Top up the wallet.")
    assert "The wallet balance does not cover this request." in str(caught.value)
    with pytest.raises(ng_identity.ValidationError, match="schema") as rejected:
        client.start_top_up(9)
    assert rejected.value.field == "credits"


@pytest.mark.parametrize("event_type", testing.EVENT_TYPES)
def test_a_signed_sample_of_each_event_is_accepted(event_type: str) -> None:
    secret = "whsec_c2VjcmV0IG9mIGEgdGVzdA=="
    event = testing.webhook_event(event_type)
    for signed in (testing.sign_webhook(event, secret), testing.sign_webhook(json.dumps(event), secret)):
        assert ng_identity.verify_webhook(signed.body, signed.headers, secret) == event
    data_class = {get_args(get_type_hints(one)["type"]): one for one in get_args(ng_identity.WebhookEvent)}
    (one,) = [found for types, found in data_class.items() if event_type in types]
    assert set(event["data"]) == set(get_type_hints(one)["data"].__annotations__)


def test_there_is_a_sample_of_every_event() -> None:
    types = [get_args(get_type_hints(one)["type"]) for one in get_args(ng_identity.WebhookEvent)]
    assert sorted(testing.EVENT_TYPES) == sorted(name for names in types for name in names)
    with pytest.raises(ValueError, match="no event type"):
        testing.webhook_event("balance.high")
