"""The signatures of webhooks. The TypeScript client passes the same cases."""

import base64
import hashlib
import hmac
import json
import traceback
from datetime import datetime, timezone
from email import message_from_string
from pathlib import Path
from typing import Any, Dict, List, Optional

import pytest

from ng_identity import Headers, WebhookError, verify_webhook

VECTORS: Dict[str, Any] = json.loads(
    (Path(__file__).parents[2] / "webhook-vectors.json").read_text(encoding="utf-8")
)
CASES: List[Dict[str, Any]] = VECTORS["cases"]
HEADERS = {"webhook-id": "id", "webhook-timestamp": "timestamp", "webhook-signature": "signature"}
SECRET: str = VECTORS["secret"]


def result_of(case: Dict[str, Any], *, as_text: bool) -> object:
    """Returns the event, or the reason for the error."""
    parts = {**VECTORS, **case}
    headers = {name: parts[part] for name, part in case.get("headers", HEADERS).items()}
    body = parts["body"] if as_text else parts["body"].encode()
    now = case.get("nowSeconds", int(VECTORS["timestamp"]))
    try:
        return verify_webhook(body, headers, case.get("secrets", SECRET), now=now)
    except WebhookError as error:
        return error.reason


@pytest.mark.parametrize("as_text", [True, False])
@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_webhooks_are_verified_as_the_shared_cases_say(case: Dict[str, Any], as_text: bool) -> None:
    expected = case.get("reason", json.loads(VECTORS["body"]))
    assert result_of(case, as_text=as_text) == expected


VALUES = {name: VECTORS[part] for name, part in HEADERS.items()}


class OnlyGet:
    def get(self, name: str) -> Optional[str]:
        return VALUES.get(name)


@pytest.mark.parametrize(
    "headers",
    [
        {name: [value] for name, value in VALUES.items()},
        {name.encode(): value.encode() for name, value in VALUES.items()},
        list(VALUES.items()),
        [(name.encode(), value.encode()) for name, value in VALUES.items()],
        ((name.upper(), value) for name, value in VALUES.items()),
        Headers(VALUES.items()),
        message_from_string("".join(f"{name}: {value}\n" for name, value in VALUES.items())),
        OnlyGet(),
        {
            "REQUEST_METHOD": "POST",
            **{f"HTTP_{name.upper().replace('-', '_')}": VALUES[name] for name in VALUES},
        },
    ],
    ids=["lists", "bytes", "pairs", "ASGI", "iterator", "client", "http.server", "get", "Django's META"],
)
def test_headers_of_any_framework_are_read(headers: Any) -> None:
    body, now = VECTORS["body"], int(VECTORS["timestamp"])
    for one in (body, body.encode(), bytearray(body.encode()), memoryview(body.encode())):
        # An iterator is read once only.
        given = VALUES.items() if one is not body else headers
        assert verify_webhook(one, given, SECRET, now=now) == json.loads(body)


@pytest.mark.parametrize("headers", [None, {}, [], "webhook-id", 5, [1, 2], object()])
def test_headers_without_the_signature_are_rejected(headers: Any) -> None:
    with pytest.raises(WebhookError) as rejected:
        verify_webhook(VECTORS["body"], headers, SECRET)
    assert rejected.value.reason == "missing_header"


@pytest.mark.parametrize("body", [json.loads(VECTORS["body"]), None, [], 5])
def test_a_parsed_body_raises_type_error(body: Any) -> None:
    with pytest.raises(TypeError, match="Pass the raw body"):
        verify_webhook(body, VALUES, SECRET, now=int(VECTORS["timestamp"]))


def test_a_signature_from_the_reference_library_is_accepted() -> None:
    reference = pytest.importorskip("standardwebhooks").Webhook(SECRET)
    now = datetime.now(tz=timezone.utc)
    body = json.dumps({"type": "test", "data": {"message": "Ọ̀ṣun"}}, ensure_ascii=False)
    headers = {
        "webhook-id": "evt_1",
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": reference.sign("evt_1", now, body),
    }
    assert reference.verify(body, headers) == json.loads(body)
    assert verify_webhook(body, headers, SECRET) == json.loads(body)


def test_a_signed_body_that_is_not_json_is_rejected() -> None:
    signed = f"id.{VECTORS['timestamp']}.{{".encode()
    key = base64.b64decode(SECRET[len("whsec_") :])
    signature = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    headers = {
        "webhook-id": "id",
        "webhook-timestamp": VECTORS["timestamp"],
        "webhook-signature": f"v1,{signature}",
    }
    with pytest.raises(WebhookError) as caught:
        verify_webhook("{", headers, SECRET, now=int(VECTORS["timestamp"]))
    assert caught.value.reason == "not_json"


@pytest.mark.parametrize("secret", ["", "whsec_", "whsec_***", [], None, b"whsec_AAAA", [None], 5])
def test_a_malformed_secret_raises_value_error(secret: Any) -> None:
    with pytest.raises(ValueError, match="secret"):
        verify_webhook("{}", {}, secret)


def test_an_error_contains_neither_the_secret_nor_the_body() -> None:
    headers = {name: VECTORS[part] for name, part in HEADERS.items()}
    with pytest.raises(WebhookError) as caught:
        verify_webhook("CANARY", headers, SECRET, now=int(VECTORS["timestamp"]))
    text = "".join(traceback.format_exception_only(type(caught.value), caught.value))
    assert "CANARY" not in text
    assert "MfKQ9r8G" not in text
