"""Samples of every webhook event, and their signatures, for tests (`ng_identity.testing`)."""

import base64
import json
import secrets
import time
from typing import Any, Dict, NamedTuple, Optional, Union, cast

from ._models import WebhookEvent
from ._service_data import EVENTS
from ._webhooks import key_of, signature_of

EVENT_TYPES = tuple(EVENTS)
"""Every type of event that the service sends."""


class SignedWebhook(NamedTuple):
    """A request as your endpoint receives it."""

    body: bytes
    headers: Dict[str, str]


def webhook_event(event_type: str) -> WebhookEvent:
    """Returns a sample of an event, such as "balance.low". Raises ValueError for any other type."""
    if event_type not in EVENTS:
        raise ValueError(f"There is no event type {event_type}. The types are {', '.join(EVENT_TYPES)}.")
    event: Any = {
        "id": f"test_{secrets.token_hex(13).upper()}",
        "type": event_type,
        "timestamp": "2026-01-15T09:30:00.000Z",
        "environment": "live",
        "data": dict(EVENTS[event_type]),
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
