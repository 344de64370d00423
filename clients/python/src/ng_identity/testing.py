"""
A fake API for your own tests. It listens on this machine only, contacts no other server, and returns
invented people.

With pytest, use the fixture `fake_identity`, which is available after the installation:

    def test_onboarding(fake_identity):
        customer = onboard("12345678901")  # your code, which creates an IdentityClient
        assert customer.is_verified
        assert len(fake_identity.charges) == 1

Without pytest, use FakeIdentity in a `with` block, and pass its `base_url` and `api_key` to your client.
"""

import contextlib
import json
import re
import secrets
import threading
import time
from datetime import datetime, timedelta, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import MappingProxyType
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Tuple
from urllib.parse import parse_qs, urlsplit

from . import _checks
from ._belonging import instant
from ._fake_checks import (
    LookUp,
    RejectionError,
    check_range,
    details,
    parse_body,
    plain_number,
    read_look_up,
    read_query,
    read_top_up,
)
from ._http import Headers
from ._invented_match import invented_match
from ._invented_payments import Payment, new_top_up, summary_of, top_up_reference
from ._invented_records import bank_of, invented_record
from ._invented_webhooks import EVENT_TYPES, SignedWebhook, sign_webhook, webhook_event
from ._models import KeyUse, VerificationSummary
from ._sandbox import ending_of
from ._service_data import BANKS, ENDINGS, ERRORS

__all__ = [
    "API_KEY",
    "EVENT_TYPES",
    "Charge",
    "FakeIdentity",
    "ReceivedRequest",
    "SignedWebhook",
    "sign_webhook",
    "webhook_event",
]

API_KEY = "idv_test_0123456789abcdefghijklmnopqrstuvwxyzABCDEF000000"
"""The key that every fake accepts."""

FREE_REPLAYS = 3
_JSON_TYPE = re.compile(r"application/json *(?:;(?!.*charset=(?!\"?utf-?8)).*)?", re.IGNORECASE)

OUTCOMES: Mapping[str, str] = {
    "0404": "{}_NOT_FOUND",
    "0400": "{}_VERIFICATION_FAILED",
    "0503": "SERVICE_UNAVAILABLE",
    "0504": "TIMEOUT",
    "0500": "SERVER_ERROR",
}
"""The outcome that the last four digits of a number select. On dedicated routes, {} becomes the ID type."""

_ME = {
    "environment": "test",
    "organisation": {"id": "a1B2c3D4e5", "name": "Made-up Bank", "status": "APPROVED"},
    "key": {"label": "test", "last_four": "0000", "expires_at": None},
    "scopes": ["verify:*", "slip:read", "wallet:read", "verification:read", "slip:revoke"],
    "limits": {"requests_per_second": 10, "burst": 20},
    "services": [
        {"service": service, "is_enabled": True, "access": "full", "credits": 1}
        for service in _checks.SERVICES
    ],
}

SIMULATED = {"REQUEST_IN_PROGRESS": "2", "RATE_LIMITED": "2"}
"""Their Retry-After if the ending of the number selects them."""
RETRY_AFTER_S: Mapping[str, int] = {
    "RATE_LIMITED": 1,
    "REQUEST_IN_PROGRESS": 1,
    "OUTCOME_UNKNOWN": 2,
    "SERVICE_UNAVAILABLE": 5,
}
"""The seconds in Retry-After, unless `fail_next` or the ending of the number sets others."""


class Charge(NamedTuple):
    idempotency_key: str
    service: str
    """Such as `nin-basic` or `nin-slip`."""


class ReceivedRequest(NamedTuple):
    method: str
    path: str
    query: Dict[str, List[str]]
    headers: Headers
    body: Any
    """The parsed JSON, or None."""
    client_port: int


class _Reply(NamedTuple):
    status: int
    body: Dict[str, Any]
    headers: Mapping[str, str] = {}
    pdf: Optional[bytes] = None


class FakeIdentity:
    """
    A fake API. The last four digits of a number select an error, as in the sandbox. The fake charges
    each idempotency key once, and does not delay responses unless `delay_s` is set. Thread-safe.

    credits   how many credits the wallet has left. Set it to 0 for `InsufficientFundsError`
    charges   every charge, in order
    requests  every received request, in order
    verified  the NINs that were verified before, whose slips can be downloaded
    delay_s   how long each response is delayed
    """

    def __init__(self, credits: int = 1000) -> None:  # noqa: A002 the name of the attribute
        self.api_key = API_KEY
        self.credits = credits
        self.charges: List[Charge] = []
        self.requests: List[ReceivedRequest] = []
        self.delay_s = 0.0
        self._log: Dict[str, Dict[str, Any]] = {}
        self._statement: List[Dict[str, Any]] = []
        self._replays: Dict[Tuple[str, str], int] = {}
        self._charged_requests: Dict[Tuple[str, str], str] = {}
        self._fingerprints: Dict[Tuple[str, str], str] = {}
        self._top_ups: Dict[str, Dict[str, Any]] = {}
        self._payments: List[Payment] = []
        self.verified: List[str] = []
        self._failures: List[Optional[Tuple[str, Mapping[str, str]]]] = []
        self._lock = threading.RLock()
        self._server = _new_server(self)
        self.port = int(self._server.server_address[1])
        self.base_url = f"http://127.0.0.1:{self.port}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    def fail_next(self, code: str, times: int = 1, retry_after: Optional[int] = None) -> None:
        """
        Makes the next `times` requests fail with this error code of the API, such as "RATE_LIMITED", without
        a charge. `retry_after` sets Retry-After, in seconds. Raises ValueError for an unknown code.
        """
        if code not in ERRORS:
            raise ValueError(f"There is no error code {code}.")
        headers = {} if retry_after is None else {"Retry-After": str(retry_after)}
        self._failures += [(code, headers)] * times

    def cut_next(self, times: int = 1) -> None:
        """
        Breaks the connections of the next `times` requests after processing and charging them, so that the
        client does not learn whether they were charged.
        """
        self._failures += [None] * times

    def pay_top_up(self, reference: str) -> None:
        """Pays an order that `start_top_up` opened: adds its credits, and writes an invoice and a receipt."""
        with self._lock:
            order = self._top_ups[reference]
            if order["state"] != "OPENED":
                raise ValueError(f"The order {reference} is already paid.")
            payment = Payment(len(self._payments) + 1, order, _now())
            self._payments.append(payment)
            order.update(payment.changes())
            self._book(order["credits"], id=reference, reference=reference, kind="TOP_UP")

    def __enter__(self) -> "FakeIdentity":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def serve(self, handler: BaseHTTPRequestHandler) -> None:
        """Responds to one request. The server calls it on the thread of the request's connection."""
        request, content = _received(handler)
        with self._lock:
            self.requests.append(request)
            failure = self._failures.pop(0) if self._failures else ("", {})
            reply = self._reply(request, content, failure)
        time.sleep(self.delay_s)
        if failure is None:
            # The handler ignores this error, and the server closes the connection.
            raise ConnectionAbortedError
        _send(handler, reply)

    def _reply(
        self, request: ReceivedRequest, content: bytes, failure: Optional[Tuple[str, Mapping[str, str]]]
    ) -> _Reply:
        request_id = f"req_{secrets.token_hex(6)}"
        route = _route(request.path)
        try:
            if failure is not None and failure[0]:
                raise RejectionError(failure[0])
            reply = self._handle(request, content, route, request_id)
        except RejectionError as rejection:
            body = _error_body(rejection, _id_type(route, request.body))
            headers = failure[1] if failure is not None else {}
            reply = _Reply(ERRORS[rejection.code]["status"], body, {**_error_headers(rejection), **headers})
        first = reply.headers.get("X-Replay-Of")
        replay_of = {} if first is None else {"replay_of": first}
        meta = {"request_id": request_id, "timestamp": _now(), **replay_of}
        key = request.headers.get("Idempotency-Key")
        headers = {
            "X-Credits-Charged": "0",
            **({} if key is None else {"Idempotency-Key": key}),
            "RateLimit-Policy": '"requests";q=20;w=2',
            "RateLimit": '"requests";r=19;t=1',
            **reply.headers,
            "X-Request-Id": request_id,
        }
        return reply._replace(body={**reply.body, "meta": meta}, headers=headers)

    def _handle(self, request: ReceivedRequest, content: bytes, route: str, request_id: str) -> _Reply:
        if request.headers.get("Authorization") != f"Bearer {self.api_key}":
            raise RejectionError("INVALID_API_KEY")
        if request.method == "GET":
            return self._free(route, request)
        if not _JSON_TYPE.fullmatch(request.headers.get("Content-Type", "")):
            raise RejectionError("UNSUPPORTED_MEDIA_TYPE", details("wrong_content_type", "Content-Type"))
        body = parse_body(content)
        key = request.headers.get("Idempotency-Key")
        if route == "wallet/top-ups":
            return self._start_top_up(body, key)
        look_up = read_look_up(route, body, key)
        for code in ("RATE_LIMITED", "SUBSCRIPTION_REQUIRED", "REQUEST_IN_PROGRESS"):
            _simulate(code, look_up)
        if look_up.slip_type and look_up.number not in [plain_number("NIN", nin) for nin in self.verified]:
            raise RejectionError("VERIFICATION_LOG_NOT_FOUND", details("not_verified", "nin"))
        return self._charged((route, key or request_id), look_up, request_id)

    def _found(self, look_up: LookUp) -> _Reply:
        id_type, number = look_up.id_type, look_up.number
        if ending_of(number) in OUTCOMES:
            raise _rejection(OUTCOMES[ending_of(number)], look_up)
        if look_up.slip_type:
            return _slip(look_up.slip_type, number)
        record = invented_record(look_up.service, number)
        if look_up.needs_photo and not record["photo"]:
            raise RejectionError("VERIFICATION_FAILED", details("no_photo", "method"))
        if look_up.bank_code is not None:
            bank = bank_of(look_up.bank_code)
            if bank is None:
                code = "VERIFICATION_FAILED" if look_up.is_gateway else "NUBAN_VERIFICATION_FAILED"
                field = "params.bank_code" if look_up.is_gateway else "bank_code"
                raise RejectionError(code, details("unknown_bank", field))
            if bank["name"] != record["bank_name"]:
                raise _rejection("{}_NOT_FOUND", look_up)
            record["bank_code"] = look_up.bank_code
        if id_type == "NIN":
            self.verified.append(number)
        envelope = {
            "success": True,
            "code": f"{id_type}_VERIFIED",
            "message": f"{id_type} verified.",
            "verification_type": id_type,
            "summary": _summary(id_type, is_verified=True),
            "data": record,
        }
        return _matched(_Reply(200, envelope), look_up.given)

    def _book(self, amount: int, **fields: Any) -> None:
        """Changes the balance, and adds the entry to the statement."""
        self.credits += amount
        entry = {"amount": amount, "balance_after": self.credits, "created_at": _now(), **fields}
        self._statement.append(entry)

    def _charged(self, key: Tuple[str, str], look_up: LookUp, request_id: str) -> _Reply:
        """
        Charges a key once for each route, however often it is sent. Permits three free replays of a charged
        request.
        """
        fingerprint = look_up.fingerprint()
        if self._fingerprints.setdefault(key, fingerprint) != fingerprint:
            raise RejectionError("IDEMPOTENCY_KEY_REUSED")
        first = self._charged_requests.get(key)
        is_replay = first is not None
        # A later error then says what the API knows of the key.
        of_key = {"Idempotency-Key-Charged": str(is_replay).lower()}
        if is_replay and self._replays.get(key, 0) >= FREE_REPLAYS:
            raise RejectionError("REPLAY_EXHAUSTED", headers=of_key)
        _simulate("INSUFFICIENT_FUNDS", look_up, of_key)
        if not is_replay and self.credits < 1:
            raise RejectionError("INSUFFICIENT_FUNDS", headers=of_key)
        try:
            reply = self._found(look_up)
        except RejectionError as rejection:
            rejection.headers = of_key
            outcome = _outcome(rejection)
            if outcome is not None:
                entry = _log_record(request_id, look_up, rejection.code, outcome)
                self._log[request_id] = entry
            raise
        self._log[request_id] = _log_record(request_id, look_up)
        self._log[request_id].update(credits_charged=0 if is_replay else 1, is_replay=is_replay)
        self._log[request_id].update(replay_of=first)
        headers = {"Idempotency-Key-Charged": "true"}
        if first is not None:
            self._replays[key] = self._replays.get(key, 0) + 1
            headers.update({"Idempotent-Replayed": "true", "X-Replay-Of": first})
        else:
            self._charged_requests[key] = request_id
            self.charges.append(Charge(key[1], look_up.service))
            fields = {"service": look_up.service, "key_label": "test"}
            self._book(-1, id=request_id, request_id=request_id, kind="CHARGE", **fields)
            headers["X-Credits-Charged"] = "1"
            _simulate("OUTCOME_UNKNOWN", look_up)
        return reply._replace(headers={**reply.headers, **headers})

    def _start_top_up(self, body: Any, given_key: Optional[str]) -> _Reply:
        """Opens one order for each key, however often it is sent."""
        amount = read_top_up(body, given_key)
        key = given_key or secrets.token_hex(16)
        fingerprint = json.dumps(body, sort_keys=True)
        if self._fingerprints.setdefault(("wallet/top-ups", key), fingerprint) != fingerprint:
            raise RejectionError("IDEMPOTENCY_KEY_REUSED")
        reference = top_up_reference(key)
        is_repeat = reference in self._top_ups
        order = self._top_ups.setdefault(reference, new_top_up(reference, amount, _now()))
        reply = _found("WALLET_TOP_UP", order)
        return reply._replace(headers={"Idempotent-Replayed": "true"}) if is_repeat else reply

    def _payment_rows(self, route: str, request: ReceivedRequest) -> Optional[_Reply]:
        """Returns the response to a request for lots, documents or orders, or None for any other route."""
        query = request.query
        if route == "wallet/lots":
            lots = [payment.lot() for payment in self._payments]
            return _found("WALLET_LOTS", {"environment": "test", **_page_of("lots", lots, query)})
        documents = [document for payment in reversed(self._payments) for document in payment.documents()]
        if route == "wallet/invoices":
            kinds = query.get("kind", ["INVOICE", "RECEIPT"])
            listed = [summary_of(document) for document in documents if document["kind"] in kinds]
            return _found("WALLET_INVOICES", {"environment": "test", **_page_of("invoices", listed, query)})
        name, _, identifier = route.rpartition("/")
        if name == "wallet/invoices":
            for document in documents:
                if document["number"] == identifier:
                    is_pdf = request.headers.get("Accept") == "application/pdf"
                    pdf = b"%PDF-1.7\n" + identifier.encode() + b"\n%%EOF\n" if is_pdf else None
                    headers = _file_name(f"{identifier}.pdf") if is_pdf else {}
                    return _found("WALLET_INVOICE", document)._replace(pdf=pdf, headers=headers)
            raise RejectionError("INVOICE_NOT_FOUND")
        if name == "wallet/top-ups":
            if identifier not in self._top_ups:
                raise RejectionError("TOP_UP_NOT_FOUND")
            return _found("WALLET_TOP_UP", self._top_ups[identifier])
        return None

    def _free(self, route: str, request: ReceivedRequest) -> _Reply:
        query = request.query
        read_query(route, query)
        found = self._payment_rows(route, request)
        if found is not None:
            return found
        if route == "me":
            return _found("ME", _ME)
        if route == "wallet/balance":
            data = {"environment": "test", "available": self.credits, "held": 0, "currency": "credits"}
            return _found("WALLET_BALANCE", data)
        if route == "banks":
            return _found("BANKS", {"banks": BANKS})
        if route == "wallet/transactions":
            return _found("WALLET_TRANSACTIONS", self._transactions(query))
        if route == "verifications":
            return _found("VERIFICATIONS", self._verifications(query))
        if route.startswith("verifications/"):
            entry = self._log.get(route[len("verifications/") :])
            if entry is None:
                raise RejectionError("VERIFICATION_NOT_FOUND")
            return _found("VERIFICATION", entry)
        raise RejectionError("ROUTE_NOT_FOUND")

    def _verifications(self, query: Dict[str, List[str]]) -> Dict[str, Any]:
        filters = {name: query[name][0] for name in ("reference", "service", "outcome") if name in query}
        limits = _range(query)
        key = query.get("idempotency_key", [None])[0]
        uses = [] if key is None else self._key_uses(key)
        of_key = [use["request_id"] for use in uses]
        entries = [
            {name: value for name, value in entry.items() if name in VerificationSummary.__annotations__}
            for entry in reversed(list(self._log.values()))
            if all(entry[name] == value for name, value in filters.items())
            and _is_within(entry["requested_at"], limits)
            and (key is None or entry["request_id"] in of_key or entry["replay_of"] in of_key)
        ]
        page = {**limits, **_page_of("verifications", entries, query), "rejected": []}
        return page if key is None else {**page, "key_uses": uses}

    def _key_uses(self, key: str) -> List[KeyUse]:
        return [
            {
                "route": self._log[request_id]["service"],
                "key_state": "charged",
                "request_id": request_id,
                "requested_at": self._log[request_id]["requested_at"],
                "credits_charged": 1,
                "replays_left": FREE_REPLAYS - self._replays.get(used, 0),
            }
            for used, request_id in self._charged_requests.items()
            if used[1] == key
        ]

    def _transactions(self, query: Dict[str, List[str]]) -> Dict[str, Any]:
        limits = _range(query)
        kinds = query.get("type", ["debit", "credit"])
        entries = [
            _transaction(entry) for entry in self._statement if _is_within(entry["created_at"], limits)
        ]
        before = [entry for entry in self._statement if entry["created_at"] < limits["from"]]
        first = self._statement[0] if self._statement else None
        start = first["balance_after"] - first["amount"] if first else self.credits
        opening = before[-1]["balance_after"] if before else start
        return {
            **limits,
            "opening_balance": opening,
            **_page_of("transactions", [entry for entry in entries if entry["type"] in kinds], query),
            "closing_balance": entries[-1]["balance_after"] if entries else opening,
        }


def _range(query: Dict[str, List[str]]) -> Dict[str, Any]:
    # Otherwise, an entry of this millisecond would be missing.
    now = _now(after_ms=1)
    end = min(instant(query["to"][0]), now) if "to" in query else now
    start = instant(query["from"][0]) if "from" in query else f"{end[:8]}01T00:00:00.000Z"
    check_range(query, start, end)
    return {"environment": "test", "from": start, "to": end}


def _is_within(time: str, limits: Mapping[str, str]) -> bool:
    return str(limits["from"]) <= time < str(limits["to"])


def _page_of(name: str, entries: List[Any], query: Dict[str, List[str]]) -> Dict[str, Any]:
    start, size = int(query.get("cursor", ["0"])[0]), int(query.get("limit", ["50"])[0])
    following = str(start + size) if start + size < len(entries) else None
    return {name: entries[start : start + size], "next_cursor": following}


def _new_server(api: FakeIdentity) -> ThreadingHTTPServer:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def handle(self) -> None:
            # A client may disconnect early.
            with contextlib.suppress(ConnectionError):
                super().handle()

        def do_GET(self) -> None:
            api.serve(self)

        def do_POST(self) -> None:
            api.serve(self)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 the name in the base class
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    return server


def _received(handler: BaseHTTPRequestHandler) -> Tuple[ReceivedRequest, bytes]:
    parts = urlsplit(handler.path)
    content = handler.rfile.read(int(handler.headers.get("Content-Length") or 0))
    try:
        body = json.loads(content) if content else None
    except ValueError:
        body = None
    headers = Headers(handler.headers.items())
    port = int(handler.client_address[1])
    query = parse_qs(parts.query, keep_blank_values=True)
    return ReceivedRequest(str(handler.command), parts.path, query, headers, body, port), content


def _send(handler: BaseHTTPRequestHandler, reply: _Reply) -> None:
    content = json.dumps(reply.body).encode() if reply.pdf is None else reply.pdf
    handler.send_response(reply.status)
    for name, value in reply.headers.items():
        handler.send_header(name, value)
    handler.send_header("Content-Type", "application/json" if reply.pdf is None else "application/pdf")
    handler.send_header("Content-Length", str(len(content)))
    handler.end_headers()
    handler.wfile.write(content)


def _route(path: str) -> str:
    return path[len("/api/v1/") :].strip("/") if path.startswith("/api/v1/") else ""


def _id_type(route: str, body: Any) -> str:
    if route == "identities/verify":
        requested = body.get("id_type") if isinstance(body, dict) else None
        return requested if requested in _checks.ADVANCED_ID_TYPES else ""
    found = route[len("ng/") :].split("-")[0].split("/")[0].upper() if route.startswith("ng/") else ""
    return found if found in _checks.ID_TYPES else ""


def _rejection(code: str, look_up: LookUp) -> RejectionError:
    if look_up.is_gateway:
        code = {
            "{}_NOT_FOUND": "RECORD_NOT_FOUND",
            "{}_VERIFICATION_FAILED": "VERIFICATION_FAILED",
            "TIMEOUT": "SERVICE_UNAVAILABLE",
        }.get(code, code)
    code = code.format(look_up.id_type)
    return RejectionError(code, details("no_record", look_up.field) if "NOT_FOUND" in code else None)


def _simulate(code: str, look_up: LookUp, headers: Mapping[str, str] = MappingProxyType({})) -> None:
    """Raises the error if the number selects it, as in the sandbox."""
    if ENDINGS.get(ending_of(look_up.number)) == code:
        waits = {"Retry-After": SIMULATED[code]} if code in SIMULATED else {}
        raise RejectionError(code, headers={**headers, **waits})


def _error_headers(rejection: RejectionError) -> Dict[str, str]:
    headers = dict(rejection.headers)
    if rejection.code in RETRY_AFTER_S:
        headers.setdefault("Retry-After", str(RETRY_AFTER_S[rejection.code]))
    if rejection.code == "OUTCOME_UNKNOWN":
        headers["X-Credits-Charged"] = "unknown"
    return headers


def _error_body(rejection: RejectionError, id_type: str) -> Dict[str, Any]:
    body = {
        "success": False,
        "code": rejection.code,
        "message": ERRORS[rejection.code]["message"],
        "verification_type": id_type,
        "summary": _summary(id_type, is_verified=False),
        "data": None,
    }
    error = rejection.details or ERRORS[rejection.code].get("error")
    return body if error is None else {**body, "error": dict(error)}


def _summary(id_type: str, is_verified: bool) -> Dict[str, Any]:
    return {
        "verified": is_verified,
        "verification_type": id_type,
        "provider": "Sandbox" if is_verified else "",
        "confidence_score": 1.0 if is_verified else 0.0,
    }


def _matched(reply: _Reply, body: Mapping[str, Any]) -> _Reply:
    """Adds the result of the match if the request has `match`. Removes the record if it has `match_only`."""
    claimed = body.get("match")
    if claimed is None:
        return reply
    record = reply.body["data"]
    match = invented_match(claimed, record)
    number = {name: record[name] for name in ("nin", "bvn") if name in record}
    data = dict([next(iter(number.items()))]) if body.get("match_only") else record
    summary = {**reply.body["summary"], "confidence_score": match["score"]}
    return reply._replace(body={**reply.body, "summary": summary, "match": match, "data": data})


def _slip(slip_type: str, nin: str) -> _Reply:
    pdf = b"%PDF-1.7\n" + slip_type.encode() + b"\n%%EOF\n" * 2000
    return _Reply(200, {}, _file_name(f"{slip_type}_{re.sub('[^0-9]', '', nin)}_slip.pdf"), pdf)


def _file_name(name: str) -> Dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="{name}"'}


def _found(code: str, data: Dict[str, Any]) -> _Reply:
    return _Reply(200, {"success": True, "code": code, "message": "", "data": data})


def _outcome(rejection: RejectionError) -> Optional[str]:
    """Returns the outcome of a look-up that failed, or None if there was no look-up."""
    if rejection.details is not None and rejection.details["reason"] != "no_record":
        return None
    by_code = {"SERVICE_UNAVAILABLE": "UNREACHABLE", "TIMEOUT": "TIMEOUT", "SERVER_ERROR": "ERROR"}
    return by_code.get(rejection.code, "NOT_FOUND" if rejection.code.endswith("NOT_FOUND") else "FAILED")


def _log_record(
    request_id: str, look_up: LookUp, code: Optional[str] = None, outcome: str = "FOUND"
) -> Dict[str, Any]:
    return {
        "request_id": request_id,
        "environment": "test",
        "service": look_up.service,
        "verification_type": look_up.id_type,
        "outcome": outcome,
        "http_status": 200 if code is None else ERRORS[code]["status"],
        "credits_charged": 0,
        "is_replay": False,
        "replay_of": None,
        "provider": "Sandbox",
        "key_label": "test",
        "latency_ms": 1,
        "requested_at": _now(),
        "reference": look_up.given.get("reference") or None,
        "consent": look_up.given.get("consent"),
        "reason": look_up.given.get("reason"),
    }


def _transaction(entry: Mapping[str, Any]) -> Dict[str, Any]:
    missing = dict.fromkeys(("request_id", "service", "key_label", "reference", "reason"))
    return {"type": "debit" if entry["amount"] < 0 else "credit", **missing, **entry}


def _now(after_ms: int = 0) -> str:
    moment = datetime.now(timezone.utc).replace(tzinfo=None) + timedelta(milliseconds=after_ms)
    return f"{moment.isoformat(timespec='milliseconds')}Z"
