"""What the fake API knows of the service and its sandbox. The service's `npm run openapi` writes the JSON."""

import json
import pkgutil
from typing import Any, Dict, List, Mapping, Tuple

_DATA: Dict[str, Any] = json.loads(pkgutil.get_data("ng_identity", "_service_data.json") or b"")

ERRORS: Mapping[str, Dict[str, Any]] = _DATA["errors"]
"""The `status`, the `message` and perhaps the object `error` of each error code."""
ENDINGS: Mapping[str, str] = _DATA["endings"]
"""The code of the rejection that the last digits of a number select."""
CREDITS: Tuple[int, int] = (_DATA["credits"][0], _DATA["credits"][1])
"""The smallest and the largest number of credits of an order."""
CULTURES: List[Dict[str, Any]] = _DATA["people"]
"""Lists of names and towns."""
STREETS: List[str] = _DATA["streets"]
PHONE_PREFIXES: List[str] = _DATA["prefixes"]
EVENTS: Mapping[str, Dict[str, Any]] = _DATA["events"]
"""Sample data of each webhook event."""
BANKS: List[Dict[str, Any]] = _DATA["banks"]
TEXT: Mapping[str, Any] = _DATA["text"]
"""Patterns of what the service rejects in text, and the digits that NFKD keeps."""
