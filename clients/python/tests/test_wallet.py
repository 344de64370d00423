from datetime import date, datetime, timedelta, timezone
from typing import Any, Callable, Dict

import pytest

import ng_identity
from ng_identity import IdentityClient
from ng_identity.testing import FakeIdentity

from .conftest import MakeClient
from .fault_proxy import FaultProxy, responds

NIN = "12345678901"


def test_the_balance_is_in_credits(client: IdentityClient, api: FakeIdentity) -> None:
    client.verify("NIN", NIN)
    balance = client.balance()

    assert (balance.available, balance.held, balance.environment) == (999, 0, "test")
    assert balance["data"] == balance.data
    assert "Idempotency-Key" not in api.requests[-1].headers
    assert api.requests[-1].body is None


def test_the_banks_are_listed_with_their_codes(client: IdentityClient, api: FakeIdentity) -> None:
    codes = {bank["short_name"]: bank["cbn_code"] for bank in client.banks()}
    assert codes["GTBank"] == "058"
    assert "Idempotency-Key" not in api.requests[-1].headers


def test_transactions_are_fetched_page_by_page_as_needed(client: IdentityClient, api: FakeIdentity) -> None:
    request_ids = [client.verify("NIN", NIN).request_id for _ in range(5)]
    entries = client.transactions(page_size=2)
    assert len(api.requests) == 5

    assert next(entries)["request_id"] == request_ids[0]
    assert len(api.requests) == 6
    assert [entry["request_id"] for entry in entries] == request_ids[1:]
    assert [seen.query.get("cursor") for seen in api.requests[5:]] == [None, ["2"], ["4"]]
    assert "to" not in api.requests[5].query
    assert api.requests[6].query["to"] == api.requests[7].query["to"]


def test_filters_of_transactions_are_sent_in_the_query(client: IdentityClient, api: FakeIdentity) -> None:
    lagos = timezone(timedelta(hours=1))
    moment = datetime(2026, 11, 2, 8, 30, 0, 123456, tzinfo=lagos)
    list(client.transactions(from_=date(2026, 11, 1), to=moment, type="debit"))
    expected = {"from": ["2026-11-01"], "to": ["2026-11-02T07:30:00.123Z"], "type": ["debit"]}
    assert api.requests[-1].query == expected

    list(client.transactions(from_="2026-11-01T00:00:00Z", page_size=100))
    assert api.requests[-1].query == {"from": ["2026-11-01T00:00:00Z"], "limit": ["100"]}


def test_each_page_of_requests_is_read_with_the_parameters_of_the_first_page(
    client: IdentityClient, api: FakeIdentity
) -> None:
    """The cursor of this list is valid only for the same parameters."""
    for _ in range(3):
        client.verify("NIN", NIN, reference="customer-4711")
    api.requests.clear()
    moment = datetime(2026, 11, 1, tzinfo=timezone.utc)
    assert len(list(client.verifications(reference="customer-4711", from_=moment, page_size=2))) == 3
    first = {"reference": ["customer-4711"], "from": ["2026-11-01T00:00:00.000Z"], "limit": ["2"]}
    assert [request.query for request in api.requests] == [first, {**first, "cursor": ["2"]}]
    assert {request.path for request in api.requests} == {"/api/v1/verifications/"}

    list(client.rejected_requests(to=date(2026, 11, 2)))
    assert api.requests[-1].query == {"to": ["2026-11-02"], "outcome": ["REJECTED"]}


@pytest.mark.parametrize("options", [{"service": "nin"}, {"outcome": "REJECTED"}, {"page_size": 0}])
def test_an_invalid_filter_of_requests_is_rejected_before_any_request(
    client: IdentityClient, api: FakeIdentity, options: Any
) -> None:
    with pytest.raises(ValueError, match=r"must be one of|1 to 100"):
        client.verifications(**options)
    assert api.requests == []


@pytest.mark.parametrize(
    "options",
    [{"type": "refund"}, {"from_": datetime(2026, 11, 1)}, {"page_size": 0}, {"page_size": 101}],
)
def test_an_invalid_filter_is_rejected_before_any_request(
    client: IdentityClient, api: FakeIdentity, options: Dict[str, Any]
) -> None:
    with pytest.raises(ValueError, match=r"debit, credit|time zone|1 to 100"):
        client.transactions(**options)
    assert api.requests == []


PAGE = (
    '{"success": true, "code": "WALLET_TRANSACTIONS",'
    ' "data": {"transactions": [{"id": "1"}], "next_cursor": "same"}}'
)


def test_a_cursor_that_does_not_advance_raises_an_error(
    make_client: MakeClient, behind: Callable[..., FaultProxy]
) -> None:
    proxy = behind(*[responds("200 OK", PAGE, kind="application/json")] * 9)
    with pytest.raises(ng_identity.TransportError):
        list(make_client(base_url=proxy.base_url, max_retries=0).transactions())
    assert len(proxy.requests) == 2


def test_a_request_without_a_log_entry_is_not_found_and_costs_nothing(
    client: IdentityClient, api: FakeIdentity
) -> None:
    with pytest.raises(ng_identity.NotFoundError) as caught:
        client.verification("req_0123456789ab")
    assert api.requests[-1].path == "/api/v1/verifications/req_0123456789ab/"
    assert (caught.value.charged, caught.value.idempotency_key) == (False, None)


@pytest.mark.parametrize("request_id", ["../wallet/balance", "req_XYZ", "", None, "req_0123456789ab/x"])
def test_a_malformed_request_id_is_rejected_before_any_request(
    client: IdentityClient, api: FakeIdentity, request_id: Any
) -> None:
    with pytest.raises(ValueError, match="request ID"):
        client.verification(request_id)
    assert api.requests == []
