"""
A test double of the API: keys, formats, magic endings, one charge for each idempotency key, free replays.
test_service.py uses the real service instead.
"""

import contextlib
import json
import secrets
import ssl
import threading
import time
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Type
from urllib.parse import parse_qs, urlsplit

from ng_identity import _checks

KEY = "idv_test_0123456789abcdefghijklmnopqrstuvwxyzABCDEF000000"
Response = Tuple[int, Dict[str, Any], Dict[str, str]]

RECORDS: Dict[str, Dict[str, Any]] = {
    "NIN": {
        "nin": "",
        "firstname": "Adébáyọ̀",
        "lastname": "Ọlá",
        "photo": "aGk=",
        "residence": {"town": "Ìbàdàn"},
    },
    "BVN": {"bvn": "", "firstname": "Ngọzi", "lastname": "Okeke", "photo": "aGk="},
    "CAC": {"rcNumber": "", "companyName": "Ọ̀ṣun Example Ltd", "affiliates": 1, "directors": []},
    "TIN": {"tin": "", "name": "Example Ventures", "tax_office": "MSTO Ikeja"},
    "NUBAN": {"account_number": "", "account_name": "Zainab Example", "currency": "NGN"},
}
NUMBER_FIELDS = {"NIN": "nin", "BVN": "bvn", "CAC": "rcNumber", "TIN": "tin", "NUBAN": "account_number"}
# Magic ending: status and code. {} stands for the ID type on a dedicated route.
OUTCOMES = {
    "0404": (400, "{}_NOT_FOUND"),
    "0400": (400, "{}_VERIFICATION_FAILED"),
    "0503": (503, "SERVICE_UNAVAILABLE"),
    "0504": (504, "TIMEOUT"),
    "0500": (500, "SERVER_ERROR"),
    "0402": (402, "INSUFFICIENT_FUNDS"),
}

NO_RECORD = {"reason": "no_record", "field": "id_number", "hint": "Check the number."}


class Seen(NamedTuple):
    """One received request."""

    method: str
    path: str
    query: Dict[str, List[str]]
    headers: Dict[str, str]
    body: Any
    client_port: int


class FakeApi:
    def __init__(self) -> None:
        self.seen: List[Seen] = []
        self.charges: List[Tuple[str, str]] = []
        """(idempotency key, service) of each charge."""
        self.verified: List[str] = []
        self.delay_s = 0.0
        self._keys: Dict[str, str] = {}
        self._lock = threading.Lock()
        api = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def handle(self) -> None:
                # In some tests the client disconnects early.
                with contextlib.suppress(ConnectionError):
                    super().handle()

            def do_GET(self) -> None:
                api._serve(self)

            def do_POST(self) -> None:
                api._serve(self)

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.port: int = self._server.server_address[1]
        self.base_url = f"http://127.0.0.1:{self.port}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    def use_tls(self, context: ssl.SSLContext) -> None:
        self._server.socket = context.wrap_socket(self._server.socket, server_side=True)

    def __enter__(self) -> "FakeApi":
        self._thread.start()
        return self

    def __exit__(
        self, _: Optional[Type[BaseException]], __: Optional[BaseException], ___: Optional[TracebackType]
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _serve(self, handler: BaseHTTPRequestHandler) -> None:
        parts = urlsplit(handler.path)
        raw = handler.rfile.read(int(handler.headers.get("Content-Length") or 0))
        body = json.loads(raw) if raw else None
        headers = {name.title(): value for name, value in handler.headers.items()}
        seen = Seen(
            str(handler.command), parts.path, parse_qs(parts.query), headers, body, handler.client_address[1]
        )
        self.seen.append(seen)
        time.sleep(self.delay_s)
        status, body, extra = self._respond(seen)
        request_id = f"req_{secrets.token_hex(6)}"
        pdf = body.pop("pdf", None)
        body["meta"] = {"request_id": request_id, "timestamp": "2026-11-21T11:33:22.123Z"}
        content = pdf if pdf is not None else json.dumps(body).encode()
        extra = {"X-Credits-Charged": "0", **extra, "X-Request-Id": request_id}
        extra["Content-Type"] = "application/pdf" if pdf is not None else "application/json"
        handler.send_response(status)
        for name, value in extra.items():
            handler.send_header(name, value)
        handler.send_header("Content-Length", str(len(content)))
        handler.end_headers()
        handler.wfile.write(content)

    def _respond(self, seen: Seen) -> Response:
        if seen.headers.get("Authorization") != f"Bearer {KEY}":
            return _error(401, "INVALID_API_KEY")
        route = seen.path[len("/api/v1/") :].strip("/") if seen.path.startswith("/api/v1/") else ""
        if seen.method == "GET":
            return self._free(route, seen.query)
        if seen.headers.get("Content-Type") != "application/json":
            return _error(415, "UNSUPPORTED_MEDIA_TYPE")
        if route == "ng/nin/slip/download":
            return self._once(seen, route, lambda: self._slip(seen.body))
        if route == "identities/verify":
            id_type, number = seen.body["id_type"], _number(seen.body["params"])
            return self._once(seen, route, lambda: self._verify(id_type, number, gateway=True))
        name, _, level = route[len("ng/") :].partition("-")
        if name.upper() not in _checks.ID_TYPES or level not in ("basic", "premium"):
            return _error(404, "ROUTE_NOT_FOUND")
        return self._once(seen, route, lambda: self._verify(name.upper(), _number(seen.body)))

    def _verify(self, id_type: str, number: str, gateway: bool = False) -> Response:
        if number[-4:] in OUTCOMES:
            status, code = OUTCOMES[number[-4:]]
            if gateway and "{}" in code:
                status, code = (404, "RECORD_NOT_FOUND") if "NOT" in code else (400, "VERIFICATION_FAILED")
            details = NO_RECORD if "NOT_FOUND" in code else None
            return _error(status, code.format(id_type), id_type, details)
        if not _checks.NUMBER_FORMATS[id_type].pattern.fullmatch(number):
            return _error(400, "INVALID_SCHEMA", id_type)
        self.verified.append(number)
        summary = {
            "verified": True,
            "verification_type": id_type,
            "provider": "Sandbox",
            "confidence_score": 1.0,
        }
        envelope = {
            "success": True,
            "code": f"{id_type}_VERIFIED",
            "message": "Verified.",
            "verification_type": id_type,
            "summary": summary,
            "data": {**RECORDS[id_type], NUMBER_FIELDS[id_type]: number},
        }
        return 200, envelope, {}

    def _slip(self, body: Any) -> Response:
        if body["nin"] not in self.verified:
            return _error(404, "VERIFICATION_LOG_NOT_FOUND", "NIN")
        return 200, {"pdf": b"%PDF-1.7\n" + body["slip_type"].encode() + b"\n%%EOF\n" * 2000}, {}

    def _once(self, seen: Seen, route: str, work: Any) -> Response:
        """Charges each idempotency key once, however often it is sent, like the ledger."""
        key = seen.headers["Idempotency-Key"]
        fingerprint = json.dumps([route, seen.body], sort_keys=True)
        with self._lock:
            if self._keys.setdefault(key, fingerprint) != fingerprint:
                return _error(422, "IDEMPOTENCY_KEY_REUSED")
            status, body, headers = work()
            if status != 200:
                return status, body, headers
            if key in (charged for charged, _ in self.charges):
                return status, body, {"Idempotent-Replayed": "true"}
            self.charges.append((key, route))
            return status, body, {"X-Credits-Charged": "1"}

    def _free(self, route: str, query: Dict[str, List[str]]) -> Response:
        if route == "wallet/balance":
            data: Dict[str, Any] = {"environment": "test", "available": 1000 - len(self.charges), "held": 0}
            return _found("BALANCE", data)
        if route == "banks":
            bank = {"name": "Ecobank Nigeria Plc", "short_name": "Ecobank", "cbn_code": "050"}
            return _found("BANKS", {"banks": [bank]})
        if route == "wallet/transactions":
            start, size = int(query.get("cursor", ["0"])[0]), int(query.get("limit", ["2"])[0])
            rows = [
                {"id": key, "type": "debit", "amount": 1, "service": service} for key, service in self.charges
            ]
            following = str(start + size) if start + size < len(rows) else None
            page = {"transactions": rows[start : start + size], "next_cursor": following}
            now = datetime.now(timezone.utc).isoformat()
            times = {"from": query.get("from", ["2026-11-01"])[0], "to": query.get("to", [now])[0]}
            return _found("TRANSACTIONS", {**times, **page})
        if route.startswith("verifications/"):
            return _error(404, "VERIFICATION_NOT_FOUND")
        return _error(404, "ROUTE_NOT_FOUND")


def _number(body: Any) -> str:
    return str(body.get("company_type", "") + body["id_number"])


def _found(code: str, data: Dict[str, Any]) -> Response:
    return 200, {"success": True, "code": code, "message": "", "data": data}, {}


def _error(status: int, code: str, id_type: str = "", details: Optional[Dict[str, str]] = None) -> Response:
    summary = {"verified": False, "verification_type": id_type, "provider": "", "confidence_score": 0.0}
    envelope = {
        "success": False,
        "code": code,
        "message": f"Message for {code}.",
        "verification_type": id_type,
        "summary": summary,
        "data": None,
        **({} if details is None else {"error": details}),
    }
    return status, envelope, {}
