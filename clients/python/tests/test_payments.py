import json
from pathlib import Path
from typing import Any, Callable
from urllib.parse import unquote

import pytest

import ng_identity
from ng_identity import IdentityClient, IdentityError, NotFoundError, ServiceUnavailableError, ValidationError
from ng_identity.testing import FakeIdentity

KEY = "order-of-november-2026"


def test_an_order_is_paid_and_credits_the_wallet(client: IdentityClient, api: FakeIdentity) -> None:
    order = client.start_top_up(500, return_url="https://shop.example/paid")
    assert (order.state, order.data["credits"], order.data["total_kobo"]) == ("OPENED", 500, 5_375_000)
    assert order.checkout_url == f"https://checkout.example/{order.reference}"
    assert api.requests[-1].body == {"credits": 500, "return_url": "https://shop.example/paid"}
    assert api.requests[-1].headers["Idempotency-Key"] == order.idempotency_key

    before = client.balance().available
    api.pay_top_up(order.reference)
    paid = client.top_up(order.reference)
    assert (paid.state, client.balance().available) == ("CREDITED", before + 500)
    assert paid.data["invoice"] == "TEST-IDV-2026-000001"
    assert api.charges == []


def test_a_retry_opens_no_second_order(client: IdentityClient, api: FakeIdentity) -> None:
    api.cut_next()
    first = client.start_top_up(500, idempotency_key=KEY)
    assert [request.headers["Idempotency-Key"] for request in api.requests] == [KEY, KEY]
    again = client.start_top_up(500, idempotency_key=KEY)
    assert again.reference == first.reference
    assert client.start_top_up(500).reference != first.reference
    with pytest.raises(ValidationError) as reused:
        client.start_top_up(501, idempotency_key=KEY)
    assert (reused.value.code, reused.value.charged) == ("IDEMPOTENCY_KEY_REUSED", False)


@pytest.mark.parametrize("code", ["SERVICE_UNAVAILABLE", "REQUEST_IN_PROGRESS", "SERVER_ERROR"])
def test_the_error_of_a_failed_order_has_its_key_and_no_charge(
    client: IdentityClient, api: FakeIdentity, code: str
) -> None:
    api.fail_next(code, times=9, retry_after=0)
    with pytest.raises(IdentityError) as failed:
        client.with_options(max_retries=0).start_top_up(500, idempotency_key=KEY)
    assert (failed.value.charged, failed.value.idempotency_key) == (False, KEY)
    assert failed.value.retryable


def test_an_order_without_billing_details_is_not_retried(client: IdentityClient, api: FakeIdentity) -> None:
    api.fail_next("BILLING_INCOMPLETE")
    with pytest.raises(IdentityError) as rejected:
        client.start_top_up(500)
    assert (rejected.value.code, rejected.value.status_code) == ("BILLING_INCOMPLETE", 409)
    assert (rejected.value.retryable, len(api.requests)) == (False, 1)


def test_lots_and_documents_are_listed_page_by_page(client: IdentityClient, api: FakeIdentity) -> None:
    references = [client.start_top_up(amount).reference for amount in (100, 200, 300)]
    for reference in references:
        api.pay_top_up(reference)

    assert [lot["credits"] for lot in client.lots(page_size=2)] == [100, 200, 300]
    assert [request.query for request in api.requests[-2:]] == [
        {"limit": ["2"]},
        {"limit": ["2"], "cursor": ["2"]},
    ]
    assert len(list(client.invoices(page_size=4))) == 6
    receipts = list(client.invoices(kind="RECEIPT"))
    assert [receipt["top_up"] for receipt in receipts] == references[::-1]
    assert "lines" not in receipts[0]


def test_a_document_is_read_and_downloaded(client: IdentityClient, api: FakeIdentity, tmp_path: Path) -> None:
    api.pay_top_up(client.start_top_up(100).reference)
    (summary,) = client.invoices(kind="INVOICE")
    invoice = client.invoice(summary["number"])
    assert invoice.data["lines"][0]["quantity"] == 100
    assert api.requests[-1].headers["Accept"] == "application/json"

    file = tmp_path / "invoice.pdf"
    pdf = client.download_invoice(summary["number"], file)
    assert pdf.startswith(b"%PDF-")
    assert (file.read_bytes(), file.stat().st_mode & 0o777) == (pdf, 0o600)
    assert api.requests[-1].headers["Accept"] == "application/pdf"
    with pytest.raises(NotFoundError, match="INVOICE_NOT_FOUND"):
        client.download_invoice("IDV-2026-999999")
    with pytest.raises(NotFoundError, match="TOP_UP_NOT_FOUND"):
        client.top_up("TOPUP-01KF0ZB7M0EXAMP1E00000000V")


def test_a_failed_download_is_retried_and_never_charged(client: IdentityClient, api: FakeIdentity) -> None:
    api.fail_next("SERVICE_UNAVAILABLE", times=9, retry_after=0)
    with pytest.raises(ServiceUnavailableError) as failed:
        client.download_invoice("IDV-2026-000001")
    assert (failed.value.charged, failed.value.idempotency_key, len(api.requests)) == (False, None, 3)


def test_an_order_is_read_under_any_reference_that_an_operator_can_choose(
    client: IdentityClient, api: FakeIdentity
) -> None:
    with pytest.raises(NotFoundError, match="TOP_UP_NOT_FOUND"):
        client.top_up("FT:2026_11.7-a")
    assert unquote(api.requests[-1].path).rstrip("/").endswith("/wallet/top-ups/FT:2026_11.7-a")


@pytest.mark.parametrize(
    "call",
    [
        lambda client: client.start_top_up(0),
        lambda client: client.start_top_up(1.5),
        lambda client: client.start_top_up(True),
        lambda client: client.start_top_up("100"),
        lambda client: client.start_top_up(100, idempotency_key="short"),
        lambda client: client.top_up("../../verifications"),
        lambda client: client.top_up(".."),
        lambda client: client.invoice("../balance"),
        lambda client: client.invoice(""),
        lambda client: client.download_invoice(41),
        lambda client: client.invoices(kind="BILL"),
        lambda client: client.lots(page_size=0),
    ],
)
def test_wrong_arguments_are_rejected_before_any_request(
    client: IdentityClient, api: FakeIdentity, call: Callable[[Any], Any]
) -> None:
    with pytest.raises(ValueError, match=r"must|credits"):
        call(client)
    assert api.requests == []


@pytest.mark.parametrize(
    ("schema", "model"),
    [
        ("Lot", ng_identity.Lot),
        ("InvoiceSummary", ng_identity.InvoiceSummary),
        ("Invoice", ng_identity.InvoiceData),
        ("Party", ng_identity.Party),
        ("InvoiceLine", ng_identity.InvoiceLine),
        ("InvoicePayment", ng_identity.InvoicePayment),
        ("Statement", ng_identity.Statement),
        ("TopUp", ng_identity.TopUpData),
    ],
)
def test_the_fields_match_the_api_document(schema: str, model: Any) -> None:
    document = json.loads((Path(__file__).parents[3] / "docs" / "openapi.json").read_text(encoding="utf-8"))
    described = document["components"]["schemas"][schema]
    assert set(model.__annotations__) == set(described["properties"])
    optional = set(described["properties"]) - set(described["required"])
    # Python 3.8 does not know which keys are optional.
    assert getattr(model, "__optional_keys__", optional) == optional
