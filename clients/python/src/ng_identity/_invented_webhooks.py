"""Samples of every webhook event, and their signatures, for tests (`ng_identity.testing`)."""

import base64
import json
import secrets
import time
from typing import Any, Dict, Mapping, NamedTuple, Optional, Union, cast

from ._models import WebhookEvent
from ._webhooks import key_of, signature_of

_DATA: Mapping[str, Dict[str, Any]] = {
    "balance.low": {"available": 40, "low_below": 50, "sequence": 41},
    "wallet.empty": {"available": 0, "low_below": 50, "sequence": 42},
    "top_up.credited": {
        "reference": "TOPUP-01KF0ZB7M0EXAMP1E00000000V",
        "credits": 1000,
        "invoice": "IDV-2026-000041",
        "available": 1000,
        "sequence": 43,
    },
    "key.expiring": {
        "label": "backend",
        "last_four": "0a1b",
        "not_after": "2026-02-14T00:00:00.000Z",
        "days_left": 30,
    },
    "registry.down": {"id_type": "NIN"},
    "registry.up": {"id_type": "NIN"},
    "organisation.approved": {"organisation": "Invented Company Limited"},
    "test": {"message": "This is a test event."},
}

EVENT_TYPES = tuple(_DATA)
"""Every type of event that the service sends."""


class SignedWebhook(NamedTuple):
    """A request as your endpoint receives it."""

    body: bytes
    headers: Dict[str, str]


def webhook_event(event_type: str) -> WebhookEvent:
    """Returns a sample of an event, such as "balance.low". Raises ValueError for any other type."""
    if event_type not in _DATA:
        raise ValueError(f"There is no event type {event_type}. The types are {', '.join(EVENT_TYPES)}.")
    event: Any = {
        "id": secrets.token_hex(16),
        "type": event_type,
        "timestamp": "2026-01-15T09:30:00.000Z",
        "environment": "live",
        "data": dict(_DATA[event_type]),
    }
    return cast(WebhookEvent, event)


def sign_webhook(
    event: Union[WebhookEvent, bytes, str], secret: str, *, now: Optional[float] = None
) -> SignedWebhook:
    """
    Signs an event, or a body, as the service does, so that `verify_webhook` accepts it. `now` is in seconds
    since 1970, by default the time of this machine.
    """
    text = json.dumps(event) if isinstance(event, dict) else event
    content = text.encode() if isinstance(text, str) else text
    identifier = event["id"] if isinstance(event, dict) else secrets.token_hex(16)
    timestamp = str(int(time.time() if now is None else now))
    signature = base64.b64encode(signature_of(key_of(secret), identifier, timestamp, content)).decode()
    headers = {
        "content-type": "application/json",
        "webhook-id": identifier,
        "webhook-timestamp": timestamp,
        "webhook-signature": f"v1,{signature}",
    }
    return SignedWebhook(content, headers)
