"""
Responses without the Idempotency-Key of their request, because they never had it or a proxy removed it. What
they contain must show to which request they belong.
"""

import json
from typing import Any, Callable, Dict, Optional

import pytest

import ng_identity
from ng_identity import IdentityError, TransportError
from ng_identity._invented_records import invented_record

from .conftest import MakeClient
from .fault_proxy import Fault, FaultProxy, header_of, responds

Behind = Callable[..., FaultProxy]
Call = Callable[[Any], Any]

NIN = "12345678901"
CLAIMED = {"firstname": "Chukwuemeka"}
MATCH = {"overall": "exact", "score": 1.0, "algorithm": "1", "fields": {}}


def found(service: str, number: str, *, code: str = "", **more: Any) -> Dict[str, Any]:
    id_type = service.split("-")[0].upper()
    record = {**invented_record(service, number), **more.pop("data", {})}
    return {"success": True, "code": code or f"{id_type}_VERIFIED", "data": record, **more}


def listed(code: str, **data: Any) -> Dict[str, Any]:
    return {"success": True, "code": code, "data": {"next_cursor": None, **data}}


def json_of(body: Dict[str, Any]) -> Fault:
    return responds("200 OK", json.dumps(body), kind="application/json")


def pdf(name: Optional[str]) -> Fault:
    headers = [] if name is None else [f'Content-Disposition: attachment; filename="{name}"']
    return responds("200 OK", "%PDF-1.7\n%%EOF\n", *headers, kind="application/pdf")


def verify(id_type: str, number: str, **options: Any) -> Call:
    return lambda client: client.verify(id_type, number, **options)


def gateway(id_type: str, number: str, **options: Any) -> Call:
    return lambda client: client.verify_gateway(id_type, number, **options)


def slip(slip_type: str, **options: Any) -> Call:
    return lambda client: client.download_slip(NIN, slip_type, **options)


def top_up(client: Any) -> Any:
    return client.start_top_up(500)


ORDER = {"success": True, "code": "WALLET_TOP_UP", "data": {"reference": "TOPUP-1", "credits": 500}}
FOREIGN = {
    "the code of another type": (verify("NIN", NIN), json_of(found("nin-basic", NIN, code="BVN_VERIFIED"))),
    "another number": (verify("NIN", NIN), json_of(found("nin-basic", "12345678902"))),
    "no number": (verify("NIN", NIN), json_of({**found("nin-basic", NIN), "data": {"firstname": "ADA"}})),
    "a TIN with other zeros": (
        verify("TIN", "0012345678"),
        json_of(found("tin-basic", "0000012345678")),
    ),
    "a company with other zeros": (verify("CAC", "RC0123"), json_of(found("cac-basic", "RC123"))),
    "another company type": (verify("CAC", "RC123"), json_of(found("cac-basic", "BN123"))),
    "premium instead of basic": (verify("NIN", NIN), json_of(found("nin-premium", NIN))),
    "basic instead of premium": (verify("BVN", NIN, advance=True), json_of(found("bvn-basic", NIN))),
    "premium from the gateway": (gateway("CAC", "RC123"), json_of(found("cac-premium", "RC123"))),
    "basic from the gateway": (
        gateway("CAC", "RC123", level="advanced"),
        json_of(found("cac-basic", "RC123")),
    ),
    "another bank": (
        verify("NUBAN", "0123456789", bank_code="011"),
        json_of(found("nuban-basic", "0123456789")),
    ),
    "any bank": (verify("NUBAN", "0123456789"), json_of(found("nuban-basic", "0123456789"))),
    "the match of another claim": (
        verify("NIN", NIN, match=CLAIMED),
        json_of(found("nin-basic", NIN, match=MATCH)),
    ),
    "no match": (gateway("NIN", NIN, match=CLAIMED), json_of(found("nin-basic", NIN))),
    "a match that was not asked for": (verify("NIN", NIN), json_of(found("nin-basic", NIN, match=MATCH))),
    "only a number": (
        verify("NIN", NIN),
        json_of({"success": True, "code": "NIN_VERIFIED", "data": {"nin": NIN}, "match": MATCH}),
    ),
    "a record that was not checked for a photo": (
        gateway("NIN", NIN, level="advanced", method="biometric"),
        json_of(found("nin-premium", NIN)),
    ),
    "another slip type": (slip("premium"), pdf(f"regular_{NIN}_slip.pdf")),
    "the slip of another NIN": (slip("premium"), pdf("premium_12345678902_slip.pdf")),
    "the slip of another claim": (slip("premium", match=CLAIMED), pdf(f"premium_{NIN}_slip.pdf")),
    "a slip without a name": (slip("premium"), pdf(None)),
}


def failed(make_client: MakeClient, proxy: FaultProxy, call: Call) -> IdentityError:
    with pytest.raises(IdentityError) as caught:
        call(make_client(base_url=proxy.base_url, max_retries=0))
    return caught.value


@pytest.mark.parametrize("name", FOREIGN)
def test_a_response_that_may_be_for_a_different_request_is_not_returned(
    make_client: MakeClient, behind: Behind, name: str
) -> None:
    call, response = FOREIGN[name]
    error = failed(make_client, behind(response), call)
    assert type(error) is TransportError
    assert "different request" in error.message
    assert (error.charged, bool(error.idempotency_key)) == (None, True)


@pytest.mark.parametrize(
    ("call", "body"),
    [
        (verify("NIN", f" {NIN[:4]}-{NIN[4:]} "), found("nin-basic", NIN)),
        (verify("NIN", NIN, advance=True), found("nin-premium", NIN)),
        (verify("TIN", "123456780001"), found("tin-basic", "12345678-0001")),
        (verify("CAC", " rc0123"), found("cac-basic", "RC0123")),
        (verify("CAC", "0123", company_type="BN"), found("cac-basic", "BN0123")),
        (gateway("CAC", "RC123", level="advanced"), found("cac-premium", "RC123")),
        (verify("NUBAN", "012-345-6789", bank_code="050"), found("nuban-basic", "0123456789")),
    ],
)
def test_a_response_with_all_that_was_asked_for_is_returned(
    make_client: MakeClient, behind: Behind, call: Call, body: Dict[str, Any]
) -> None:
    assert call(make_client(base_url=behind(json_of(body)).base_url)).data == body["data"]


def test_the_response_of_another_order_for_as_many_credits_is_not_returned(
    make_client: MakeClient, behind: Behind
) -> None:
    error = failed(make_client, behind(json_of(ORDER)), top_up)
    assert (type(error), error.charged, bool(error.idempotency_key)) == (TransportError, False, True)


REJECTED = {"minute": "2026-11-01T00:00:00.000Z", "code": "RATE_LIMITED", "count": 1}
READS = {
    "references": (
        lambda client: list(client.verifications(reference="a")),
        json_of(listed("VERIFICATIONS", verifications=[{"reference": "a"}, {"reference": "b"}])),
    ),
    "services": (
        lambda client: list(client.verifications(service="nin-basic")),
        json_of(listed("VERIFICATIONS", verifications=[{"service": "bvn-basic"}])),
    ),
    "outcomes": (
        lambda client: list(client.verifications(outcome="FOUND")),
        json_of(listed("VERIFICATIONS", verifications=[{"outcome": "NOT_FOUND"}])),
    ),
    "requests that were not rejected": (
        lambda client: list(client.rejected_requests()),
        json_of(listed("VERIFICATIONS", verifications=[{"outcome": "FOUND"}], rejected=[REJECTED])),
    ),
    "types": (
        lambda client: list(client.transactions(type="debit")),
        json_of(listed("WALLET_TRANSACTIONS", transactions=[{"type": "credit"}])),
    ),
    "kinds": (
        lambda client: list(client.invoices(kind="RECEIPT")),
        json_of(listed("WALLET_INVOICES", invoices=[{"kind": "INVOICE"}])),
    ),
    "an earlier start": (
        lambda client: list(client.transactions(from_="2026-11-01")),
        json_of(listed("WALLET_TRANSACTIONS", transactions=[], **{"from": "2026-10-01T00:00:00.000Z"})),
    ),
    "a later end": (
        lambda client: list(client.verifications(to="2026-11-01T00:00:00Z")),
        json_of(listed("VERIFICATIONS", verifications=[], to="2026-11-01T00:00:00.001Z")),
    ),
    "a list without its range": (
        lambda client: list(client.verifications(from_="2026-11-01")),
        json_of(listed("VERIFICATIONS", verifications=[])),
    ),
    "the code of another list": (
        lambda client: list(client.lots()),
        json_of(listed("WALLET_INVOICES", lots=[])),
    ),
    "another document": (
        lambda client: client.invoice("IDV-2026-000041"),
        json_of(listed("WALLET_INVOICE", number="IDV-2026-000042")),
    ),
    "a document without a number": (
        lambda client: client.invoice("IDV-2026-000041"),
        json_of(listed("WALLET_INVOICE")),
    ),
    "the file of another document": (
        lambda client: client.download_invoice("IDV-2026-000041"),
        pdf("IDV-2026-0000411.pdf"),
    ),
    "a file without a name": (lambda client: client.download_invoice("IDV-2026-000041"), pdf(None)),
    "another order": (
        lambda client: client.top_up("TOPUP-2"),
        json_of(ORDER),
    ),
    "a request with the reference of an order": (
        lambda client: client.top_up("TOPUP-1"),
        json_of({**ORDER, "code": "VERIFICATION"}),
    ),
    "another request": (
        lambda client: client.verification("req_0123456789ab"),
        json_of(listed("VERIFICATION", request_id="req_0123456789ac")),
    ),
}


@pytest.mark.parametrize("name", READS)
def test_a_read_does_not_return_what_it_did_not_ask_for(
    make_client: MakeClient, behind: Behind, name: str
) -> None:
    call, response = READS[name]
    error = failed(make_client, behind(response), call)
    assert type(error) is TransportError
    assert "different request" in error.message
    assert error.charged is False


def test_a_page_is_not_taken_for_the_next_one(make_client: MakeClient, behind: Behind) -> None:
    first = listed("WALLET_LOTS", lots=[{"id": "1"}], next_cursor="2")
    proxy = behind(json_of(first), json_of(first), json_of(listed("WALLET_LOTS", lots=[{"id": "2"}])))
    lots = list(make_client(base_url=proxy.base_url).lots())
    assert [lot["id"] for lot in lots] == ["1", "2"]


@pytest.mark.parametrize("start", ["2026-11-01", "2026-11-01T01:00:00+01:00"])
def test_a_page_with_the_range_that_was_asked_for_is_returned(
    make_client: MakeClient, behind: Behind, start: str
) -> None:
    times = {"from": "2026-11-01T00:00:00.000Z", "to": "2026-11-05T10:11:12.000Z"}
    proxy = behind(json_of(listed("WALLET_TRANSACTIONS", transactions=[{"type": "debit"}], **times)))
    client = make_client(base_url=proxy.base_url)
    # The API replaces an end in the future with the time of the request.
    entries = list(client.transactions(from_=start, to="2026-12-01T00:00:00.5Z", type="debit"))
    assert [entry["type"] for entry in entries] == ["debit"]


def error_of(code: str, timestamp: str) -> str:
    meta = {"request_id": "req_0123456789ab", "timestamp": timestamp}
    return json.dumps({"success": False, "code": code, "message": "", "data": None, "meta": meta})


STATUSES = ["404 ROUTE_NOT_FOUND", "413 PAYLOAD_TOO_LARGE", "415 UNSUPPORTED_MEDIA_TYPE", "429 RATE_LIMITED"]


@pytest.mark.parametrize("status", STATUSES)
def test_an_error_of_api_gateway_itself_was_not_charged(
    make_client: MakeClient, behind: Behind, status: str
) -> None:
    proxy = behind(responds(status, error_of(status[4:], timestamp=""), kind="application/json"))
    error = failed(make_client, proxy, verify("NIN", NIN))
    assert (error.code, error.charged) == (status[4:], False)


@pytest.mark.parametrize(
    ("status", "code"), [*((each, each[4:]) for each in STATUSES), ("400 Bad", "NIN_NOT_FOUND")]
)
def test_an_error_whose_key_was_removed_may_be_for_a_different_request(
    make_client: MakeClient, behind: Behind, status: str, code: str
) -> None:
    body = error_of(code, timestamp="2026-11-01T00:00:00.000Z")
    proxy = behind(responds(status, body, "X-Credits-Charged: 0", kind="application/json"))
    error = failed(make_client, proxy, verify("NIN", NIN))
    assert (error.code, error.charged, bool(error.idempotency_key)) == (code, None, True)


@pytest.mark.parametrize("has_key", [True, False])
@pytest.mark.parametrize("status", ["201 Created", "204 No Content", "302 Found"])
def test_a_status_that_the_api_does_not_send_may_have_been_charged(
    make_client: MakeClient, behind: Behind, status: str, has_key: bool
) -> None:
    proxy = behind(responds(status, "", "X-Credits-Charged: 0", has_key=has_key))
    error = failed(make_client, proxy, verify("NIN", NIN))
    assert (error.status_code, error.charged) == (int(status[:3]), None)


def with_key(*values: str) -> Fault:
    """Returns a response with these keys, in which {} is the key of the request."""

    def fault(proxy: FaultProxy, client: Any, request: bytes) -> None:
        key = header_of(request, "Idempotency-Key") or ""
        keys = [f"Idempotency-Key: {value.format(key)}" for value in values]
        body = json.dumps(found("nin-basic", NIN))
        responds("200 OK", body, *keys, kind="application/json")(proxy, client, request)

    return fault


@pytest.mark.parametrize("keys", [("{}  ",), ("{}\t",), ("{}", "{}")])
def test_a_key_that_is_repeated_or_followed_by_spaces_is_accepted(
    make_client: MakeClient, behind: Behind, keys: Any
) -> None:
    call = verify("NIN", NIN, match=CLAIMED)
    assert call(make_client(base_url=behind(with_key(*keys)).base_url, max_retries=0)).data["nin"] == NIN


@pytest.mark.parametrize("keys", [("{}", "another-key"), ("another-key", "{}"), ("{}-2",), ("",)])
def test_a_different_key_is_not_accepted(make_client: MakeClient, behind: Behind, keys: Any) -> None:
    error = failed(make_client, behind(with_key(*keys)), verify("NIN", NIN))
    assert type(error) is ng_identity.TransportError
