import gzip
import json
import pickle
from datetime import datetime, timezone
from inspect import signature
from typing import Any, Callable, Dict

import pytest

from ng_identity import AsyncIdentityClient, IdentityClient, ValidationError, Verification
from ng_identity._checks import ADVANCED_ID_TYPES, ID_TYPES
from ng_identity.testing import FakeIdentity

from .conftest import MakeClient
from .fault_proxy import FaultProxy, responds

NUMBERS = {
    "NIN": "12345678901",
    "BVN": "22345678901",
    "CAC": "RC1234567",
    "TIN": "12345678-0001",
    "NUBAN": "0123456789",
}
BAD_NUMBERS = [
    ("NIN", "1234567890"),
    ("NIN", "123456789012"),
    ("NIN", "1234  5678901"),
    ("NIN", "1234--5678901"),
    ("NIN", "-12345678901"),
    ("NIN", "\u300012345678901"),
    ("NIN", "12345\n678901"),
    ("NIN", "AB012345678910Y"),
    ("BVN", "AB012345678910YZ"),
    ("NIN", "1234\u00a05678901"),
    ("NIN", "١٢٣٤٥٦٧٨٩٠١"),
    ("NIN", ""),
    ("NIN", 12345678901),
    ("NIN", None),
    ("BVN", "2234567890a"),
    ("CAC", "1234567"),
    ("CAC", "RC"),
    ("CAC", "XX1234567"),
    ("CAC", "RC  1234567"),
    ("CAC", "RC123456789"),
    ("TIN", "12345678-901"),
    ("TIN", "BN1234567"),
    ("TIN", "1234567-00001"),
    ("TIN", "12345678901234"),
    ("NUBAN", "012345678"),
]
GOOD_NUMBERS = [
    ("NIN", " 12345678901"),
    ("NIN", "1234 567-8901"),
    ("NIN", "12345678901\n"),
    ("NIN", "\ufeff12345678901\u00a0"),
    ("NIN", "ab012345678910yz"),
    ("BVN", "222-3456-7890"),
    ("CAC", "rc1234567"),
    ("CAC", "BN7000"),
    ("CAC", "RC 1234567\t"),
    ("CAC", "RC-1234567"),
    ("CAC", "It12"),
    ("CAC", "LP1"),
    ("CAC", " LLP12345678 "),
    ("TIN", "123456780001"),
    ("TIN", "1234567890"),
    ("TIN", "1234567890123"),
    ("TIN", "12345678901"),
    ("TIN", "RC-1234567"),
    ("NUBAN", "012 345 6789"),
]


@pytest.mark.parametrize("id_type", ID_TYPES)
def test_each_type_uses_its_basic_route(client: IdentityClient, api: FakeIdentity, id_type: Any) -> None:
    result = client.verify(id_type, NUMBERS[id_type])

    assert result.code == f"{id_type}_VERIFIED"
    assert result.verified
    assert result.verification_type == id_type
    assert NUMBERS[id_type] in result.data.values()
    assert (api.requests[0].method, api.requests[0].path) == ("POST", f"/api/v1/ng/{id_type.lower()}-basic/")
    assert api.requests[0].body == {"id_number": NUMBERS[id_type]}
    assert len(api.charges) == 1


@pytest.mark.parametrize("id_type", ADVANCED_ID_TYPES)
def test_advance_uses_the_premium_route(client: IdentityClient, api: FakeIdentity, id_type: Any) -> None:
    client.verify(id_type, NUMBERS[id_type], advance=True)

    assert api.requests[0].path == f"/api/v1/ng/{id_type.lower()}-premium/"


@pytest.mark.parametrize("id_type", sorted({*ID_TYPES} - {*ADVANCED_ID_TYPES}))
def test_advance_is_rejected_for_types_with_one_level(
    client: IdentityClient, api: FakeIdentity, id_type: Any
) -> None:
    with pytest.raises(ValueError, match="advance"):
        client.verify(id_type, NUMBERS[id_type], advance=True)
    assert api.requests == []


@pytest.mark.parametrize("advance", ["false", "basic", 1, None])
def test_an_advance_that_is_not_a_bool_is_rejected(
    client: IdentityClient, api: FakeIdentity, advance: Any
) -> None:
    with pytest.raises(ValueError, match="advance must be True or False"):
        client.verify("NIN", NUMBERS["NIN"], advance)
    assert api.requests == []


@pytest.mark.parametrize(("id_type", "number"), BAD_NUMBERS)
def test_a_malformed_number_is_rejected_before_any_request(
    client: IdentityClient, api: FakeIdentity, id_type: Any, number: Any
) -> None:
    with pytest.raises(ValueError, match=f"The {id_type}( number)? must be") as caught:
        client.verify(id_type, number)

    assert len(str(number)) < 8 or str(number).strip() not in str(caught.value)
    assert isinstance(caught.value, ValidationError) is isinstance(number, str)
    assert api.requests == []


@pytest.mark.parametrize(("id_type", "number"), GOOD_NUMBERS)
def test_a_number_is_sent_as_the_caller_wrote_it(
    client: IdentityClient, api: FakeIdentity, id_type: Any, number: str
) -> None:
    client.verify(id_type, number)
    assert api.requests[0].body == {"id_number": number}


def test_a_cac_number_of_digits_only_is_sent_with_its_type(client: IdentityClient, api: FakeIdentity) -> None:
    client.verify("CAC", "7000", company_type="BN")
    client.verify_gateway("CAC", "7000", company_type="IT")

    assert api.requests[0].body == {"id_number": "7000", "company_type": "BN"}
    assert api.requests[1].body["params"] == {"id_number": "7000", "company_type": "IT"}


@pytest.mark.parametrize(
    ("id_type", "number", "company_type", "message"),
    [
        (
            "CAC",
            "7000",
            None,
            "The CAC number must be RC, .* followed by 1 to 8 digits, or digits with company_type",
        ),
        ("CAC", "7000", "PLC", "company_type must be one of RC, BN, IT, LP, LLP"),
        ("CAC", "7000", "bn", "company_type must be one of"),
        ("CAC", "LLP7000", "LP", "name different types"),
        ("NIN", NUMBERS["NIN"], "RC", "company_type is available for CAC only"),
    ],
)
def test_a_wrong_company_type_is_rejected_before_any_request(
    client: IdentityClient, api: FakeIdentity, id_type: Any, number: str, company_type: Any, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        client.verify(id_type, number, company_type=company_type)
    with pytest.raises(ValueError, match=message):
        client.verify_gateway(id_type, number, company_type=company_type)
    assert api.requests == []


@pytest.mark.parametrize("id_type", ["nin", "VNIN", "", None, 3, "NIN ", ["NIN"]])
def test_an_unknown_type_is_rejected_before_any_request(
    client: IdentityClient, api: FakeIdentity, id_type: Any
) -> None:
    with pytest.raises(ValueError, match="NIN, BVN, CAC, TIN, NUBAN"):
        client.verify(id_type, NUMBERS["NIN"])
    assert api.requests == []


def test_optional_fields_are_sent_only_if_given(client: IdentityClient, api: FakeIdentity) -> None:
    client.verify("NUBAN", NUMBERS["NUBAN"], bank_code="050", consent="ref 7", reason=None)

    assert api.requests[0].body == {"id_number": NUMBERS["NUBAN"], "bank_code": "050", "consent": "ref 7"}
    options: Any = {"bank_code": "050"}
    with pytest.raises(ValueError, match="bank_code"):
        client.verify("NIN", NUMBERS["NIN"], **options)


def test_a_misspelt_option_raises_type_error_before_any_request(
    client: IdentityClient, api: FakeIdentity
) -> None:
    options: Dict[str, Any] = {"idempotency": "x" * 16}
    with pytest.raises(TypeError, match="idempotency"):
        client.verify("NIN", NUMBERS["NIN"], **options)
    assert api.requests == []


@pytest.mark.parametrize("client", [IdentityClient, AsyncIdentityClient])
def test_the_signature_of_each_call_lists_every_option(client: Any) -> None:
    for call, own in (
        (client.verify, {"bank_code", "company_type"}),
        (client.verify_gateway, {"bank_code", "company_type"}),
        (client.download_slip, set()),
    ):
        options = {name for name, one in signature(call).parameters.items() if one.kind is one.KEYWORD_ONLY}
        assert {"idempotency_key", "reference", "consent", "reason", *own} <= options


def test_a_result_indexes_and_serialises_like_the_envelope(client: IdentityClient) -> None:
    result = client.verify("NIN", NUMBERS["NIN"])

    assert isinstance(result, Verification)
    assert result["data"]["firstname"] == result.data["firstname"] == "CHUKWUEMEKA"
    assert json.loads(json.dumps(result)) == result
    assert result["meta"]["request_id"] == result.request_id
    assert result.timestamp == datetime.strptime(
        result["meta"]["timestamp"], "%Y-%m-%dT%H:%M:%S.%fZ"
    ).replace(tzinfo=timezone.utc)
    assert (result.provider, result.confidence_score, result.credits_charged) == ("Sandbox", 1.0, 1)
    twin = pickle.loads(pickle.dumps(result))  # noqa: S301
    assert (twin, twin.data, twin.idempotency_key) == (result, result.data, result.idempotency_key)


def test_a_compressed_response_is_read(make_client: MakeClient, behind: Callable[..., FaultProxy]) -> None:
    body = {"success": True, "code": "NIN_VERIFIED", "data": {"nin": NUMBERS["NIN"], "photo": "a" * 5000}}
    content = gzip.compress(json.dumps(body).encode())
    proxy = behind(responds("200 OK", content, "Content-Encoding: gzip", kind="application/json"))
    result = make_client(base_url=proxy.base_url).verify("NIN", NUMBERS["NIN"])
    assert result == body
    assert "gzip" in str(proxy.header("Accept-Encoding")[0])


def test_repeating_a_call_under_the_same_key_costs_nothing(client: IdentityClient, api: FakeIdentity) -> None:
    first = client.verify("NIN", NUMBERS["NIN"])
    second = client.verify("NIN", NUMBERS["NIN"], idempotency_key=first.idempotency_key)

    assert (first.credits_charged, second.credits_charged) == (1, 0)
    assert len(api.charges) == 1


def test_each_call_generates_its_own_idempotency_key(client: IdentityClient, api: FakeIdentity) -> None:
    for _ in range(20):
        client.verify("NIN", NUMBERS["NIN"])
    assert len({seen.headers["Idempotency-Key"] for seen in api.requests}) == 20


@pytest.mark.parametrize(
    "key",
    ["short12", "x" * 256, " at the start", "at the end ", "line\r\nEnd: 1234567", "schlüssel", 7],
)
def test_a_malformed_idempotency_key_is_rejected_before_any_request(
    client: IdentityClient, api: FakeIdentity, key: Any
) -> None:
    with pytest.raises(ValueError, match="idempotency key"):
        client.verify("NIN", NUMBERS["NIN"], idempotency_key=key)
    assert api.requests == []


def test_the_gateway_receives_its_own_request_body(client: IdentityClient, api: FakeIdentity) -> None:
    client.verify_gateway("BVN", NUMBERS["BVN"], level="advanced", method="biometric", reason="KYC")

    assert api.requests[0].path == "/api/v1/identities/verify/"
    assert api.requests[0].body == {
        "country": "NG",
        "id_type": "BVN",
        "method": "biometric",
        "level": "advanced",
        "params": {"id_number": NUMBERS["BVN"]},
        "reason": "KYC",
    }


def test_the_gateway_verifies_every_type(client: IdentityClient, api: FakeIdentity) -> None:
    account = client.verify_gateway("NUBAN", "0000014579", bank_code="011").data
    assert account["account_name"] == "OLORUNFEMI YETUNDE FOLASADE"
    assert api.requests[0].body["params"] == {"id_number": "0000014579", "bank_code": "011"}
    assert client.verify_gateway("TIN", "12345678-0001").data["tin"] == "12345678-0001"
    assert client.verify_gateway("CAC", "7000", company_type="BN").data["rcNumber"] == "BN7000"


@pytest.mark.parametrize(
    ("id_type", "options"),
    [
        ("TIN", {"level": "advanced"}),
        ("NUBAN", {"method": "biometric"}),
        ("NIN", {"bank_code": "058"}),
        ("NIN", {"level": "premium"}),
        ("NIN", {"method": "face"}),
        ("NIN", {"country": "GH"}),
        ("NIN", {"method": "biometric"}),
        ("CAC", {"method": "biometric", "level": "advanced"}),
    ],
)
def test_unsupported_gateway_options_are_rejected_before_any_request(
    client: IdentityClient, api: FakeIdentity, id_type: Any, options: Any
) -> None:
    with pytest.raises(ValueError, match=r"must be one of|is available for"):
        client.verify_gateway(id_type, NUMBERS[id_type], **options)
    assert api.requests == []
