"""Claimed details in calls to the fake API."""

import datetime
import uuid
from typing import Any

import pytest

import ng_identity
from ng_identity.testing import FakeIdentity

NIN = "12345678901"
CLAIMED = {"firstname": "Chukwuemeka", "lastname": "Anunobi", "birthdate": "23-08-1957"}


def test_the_result_of_a_match_is_next_to_the_record(api: FakeIdentity, client: Any) -> None:
    result = client.verify("NIN", NIN, match=CLAIMED)
    assert result.match is not None
    assert result.match["overall"] == "exact"
    assert set(result.match["fields"]) == set(CLAIMED)
    assert result.confidence_score == 1.0
    assert result.data["lastname"] == "ANUNOBI"
    assert api.requests[-1].body == {"id_number": NIN, "match": CLAIMED}
    assert client.verify("NIN", NIN).match is None


def test_match_only_returns_no_record_and_is_charged(api: FakeIdentity, client: Any) -> None:
    other = {**CLAIMED, "lastname": "Okafor"}
    result = client.verify_gateway("NIN", NIN, match=other, match_only=True)
    assert result.match is not None
    assert (result.match["overall"], result.confidence_score) == ("partial", 0.67)
    assert result.data == {"nin": NIN}
    assert (result.verified, result.credits_charged, len(api.charges)) == (True, 1, 1)
    assert api.requests[-1].body["match_only"] is True


def test_a_match_without_details_or_of_a_company_is_rejected(api: FakeIdentity, client: Any) -> None:
    with pytest.raises(ValueError, match="match_only=True requires match"):
        client.verify("NIN", NIN, match_only=True)
    with pytest.raises(ValueError, match="NIN and BVN only"):
        client.verify("CAC", "RC7000", match=CLAIMED)
    with pytest.raises(ValueError, match="True or False"):
        client.verify("NIN", NIN, match=CLAIMED, match_only="yes")
    assert api.requests == []


def test_a_value_that_is_not_a_string_is_rejected_before_any_request(api: FakeIdentity, client: Any) -> None:
    with pytest.raises(ValueError, match=r"match\.birthdate must be a str\."):
        client.verify("NIN", NIN, match={**CLAIMED, "birthdate": 14021990})
    with pytest.raises(ValueError, match=r"match\.middlename must be a str\.$"):
        client.download_slip(NIN, "regular", match={**CLAIMED, "middlename": None})
    with pytest.raises(ValueError, match=r"^reference must be a str\.$"):
        client.verify("NIN", NIN, reference=uuid.uuid4())
    with pytest.raises(ValueError, match=r"^bank_code must be a str\.$"):
        client.verify("NUBAN", "0123456789", bank_code=58)
    assert api.requests == []


BORN = "14-02-1990"


@pytest.mark.parametrize(
    ("name", "value", "sent"),
    [
        *[("gender", value, "m") for value in ("M", "m", "Male", "MALE", " male ")],
        *[("gender", value, "f") for value in ("F", "f", "Female", "female")],
        *[("birthdate", value, BORN) for value in (BORN, "14/02/1990", "14.2.1990", " 14/2/1990 ")],
        ("birthdate", "1957-08-23", "1957-08-23"),
        ("birthdate", datetime.date(1990, 2, 14), BORN),
        ("birthdate", datetime.datetime(1990, 2, 14, 23, 30), BORN),
    ],
)
def test_genders_and_dates_are_sent_in_the_form_of_the_api(
    api: FakeIdentity, client: Any, name: str, value: Any, sent: str
) -> None:
    client.verify("NIN", NIN, match={**CLAIMED, name: value})
    assert api.requests[-1].body["match"][name] == sent


def test_an_idempotency_key_cannot_be_reused_with_different_details(client: Any) -> None:
    key = "one-key-of-a-match"
    client.verify("NIN", NIN, match=CLAIMED, idempotency_key=key)
    with pytest.raises(ng_identity.ValidationError) as rejected:
        client.verify("NIN", NIN, match={"lastname": "Okafor"}, idempotency_key=key)
    assert rejected.value.code == "IDEMPOTENCY_KEY_REUSED"
