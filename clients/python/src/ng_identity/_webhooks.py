"""Checks the signatures of webhooks (Standard Webhooks 1.0)."""

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from typing import (
    Any,
    Iterable,
    List,
    Literal,
    Mapping,
    Optional,
    Protocol,
    Sequence,
    Tuple,
    Union,
    cast,
)

from ._models import WebhookEvent

TOLERANCE_SECONDS = 5 * 60

WebhookReason = Literal["missing_header", "wrong_time", "wrong_signature", "not_json"]


class WebhookError(Exception):
    """
    A request that is not from the service, has a wrong time, or is damaged. Respond with 400, and do not
    process its body.
    """

    def __init__(self, reason: WebhookReason, message: str) -> None:
        super().__init__(message)
        self.reason: WebhookReason = reason

    def __reduce__(self) -> Tuple[Any, ...]:
        return type(self), (self.reason, str(self))


WebhookHeaders = Union[Mapping[str, Any], Iterable[Tuple[Any, Any]], "HasGet"]
"""Headers in the form of any framework: a mapping, pairs, or an object with `get`."""


class HasGet(Protocol):
    def get(self, name: str) -> Any: ...


_HEADERS = ("webhook-id", "webhook-timestamp", "webhook-signature")


def verify_webhook(
    body: Union[bytes, bytearray, memoryview, str],
    headers: WebhookHeaders,
    secret: Union[str, Sequence[str]],
    *,
    tolerance: float = TOLERANCE_SECONDS,
    now: Optional[float] = None,
) -> WebhookEvent:
    """
    Checks the signature of a webhook and returns its event.

    `body` is the body exactly as received, before any parser: JSON that was parsed and written again has a
    different signature. `headers` may have the form of any framework. `secret` begins with `whsec_`. During a
    rotation, pass both secrets. `tolerance` is how far, in seconds, the time of the request may be from `now`
    (seconds since 1970, by default the time of this machine).
    Raises WebhookError if the request must be rejected, ValueError if the secret is not valid, and TypeError
    for a body that was parsed.
    """
    if not isinstance(body, (bytes, bytearray, memoryview, str)):
        raise TypeError("Pass the raw body of the request, as bytes or text, before any parser.")
    secrets: Iterable[object] = [secret]
    if isinstance(secret, Iterable) and not isinstance(secret, (str, bytes)):
        secrets = secret
    keys = [key_of(one) for one in secrets]
    if not keys:
        raise ValueError("Pass the secret of the webhook endpoint.")
    given = {name: _header(headers, name) for name in _HEADERS}
    for name in _HEADERS:
        if not given[name]:
            raise WebhookError("missing_header", f"The request has no header {name}.")
    timestamp = given["webhook-timestamp"]
    current = time.time() if now is None else now
    if not re.fullmatch("[0-9]{1,12}", timestamp) or abs(int(timestamp) - current) > tolerance:
        raise WebhookError("wrong_time", "The time of the webhook is too far from the time of this machine.")

    content = body.encode() if isinstance(body, str) else bytes(body)
    expected = [signature_of(key, given["webhook-id"], timestamp, content) for key in keys]
    signatures = _signatures(given["webhook-signature"])
    if not any(hmac.compare_digest(one, other) for one in expected for other in signatures):
        raise WebhookError("wrong_signature", "The webhook has no signature that was made with this secret.")
    try:
        return cast(WebhookEvent, json.loads(content))
    except ValueError:
        raise WebhookError("not_json", "The body of the webhook is not JSON.") from None


def signature_of(key: bytes, identifier: str, timestamp: str, content: bytes) -> bytes:
    return hmac.new(key, f"{identifier}.{timestamp}.".encode() + content, hashlib.sha256).digest()


def _header(headers: Any, name: str) -> str:
    """Returns the value of a header, or an empty text. Frameworks differ in the case of names."""
    pairs = headers.items() if hasattr(headers, "items") else headers
    if isinstance(pairs, Iterable):
        for pair in pairs:
            is_pair = isinstance(pair, (tuple, list)) and len(pair) == 2
            # WSGI, as in Django's request.META, calls webhook-id HTTP_WEBHOOK_ID.
            if is_pair and _text(pair[0]).lower().replace("_", "-") in (name, f"http-{name}"):
                return _text(pair[1])
    get = getattr(headers, "get", None)
    return _text(get(name)) if callable(get) else ""


def _text(value: Any) -> str:
    """Returns a value as text. It may be bytes (ASGI), or a list of values (API Gateway)."""
    if isinstance(value, (list, tuple)):
        value = value[0] if value else ""
    if isinstance(value, bytes):
        return value.decode("latin-1").strip()
    return value.strip() if isinstance(value, str) else ""


def key_of(secret: object) -> bytes:
    """Returns the key of a secret, which may have white space around it, such as the line break of a file."""
    if not isinstance(secret, str):
        raise ValueError("The secret must be text: the one that the console shows, whsec_ and Base64.")
    text = secret.strip()
    text = text[len("whsec_") :] if text.startswith("whsec_") else text
    key = _decode(text)
    if not key:
        raise ValueError("The secret is not the text that the console shows: whsec_ and Base64.")
    return key


def _signatures(header: str) -> List[bytes]:
    found = (_decode(part[len("v1,") :]) for part in header.split(" ") if part.startswith("v1,"))
    return [signature for signature in found if signature]


def _decode(text: str) -> Optional[bytes]:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
