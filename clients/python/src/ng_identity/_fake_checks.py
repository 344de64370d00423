"""
The checks of a request body in the fake API, which are those of the service
(shared/verifications/requests.ts). A test passes the same bodies to both.
"""

import json
import re
from datetime import datetime
from typing import (
    Any,
    Callable,
    Dict,
    Iterator,
    List,
    Mapping,
    MutableMapping,
    NamedTuple,
    NoReturn,
    Optional,
    Tuple,
    Union,
)

from . import _checks
from ._belonging import instant
from ._fake_text import contains_number, is_name, is_printable, is_storable, length, shown_name
from ._service_data import CREDITS

ALIASES: Mapping[str, str] = {"NIN": "nin", "BVN": "bvn", "CAC": "rc_number", "TIN": "tin", "NUBAN": "nuban"}
_LEVELS = {"basic": "basic", "advanced": "premium", "advance": "premium"}
_PHONE = re.compile(r" *\+?(?:[ ().-]*[0-9]){7,15} *")
_BIRTHDATE = re.compile(r"[0-9]{2}-[0-9]{2}-(?:19|20)[0-9]{2}|(?:19|20)[0-9]{2}-[0-9]{2}-[0-9]{2}")
_BANK_CODE = re.compile("[0-9A-Za-z]{2,10}")
_KEY = re.compile("[ -~]{8,255}")
_HTTPS = re.compile(r"\s*https:[/\\]*[^/\\?#@\s<>^|%]+(?:[/\\?#].*)?", re.IGNORECASE | re.DOTALL)
_LARGEST_INTEGER = 2**53 - 1
_MOST_BYTES = 4096


class RejectionError(Exception):
    """An error response."""

    def __init__(
        self,
        code: str,
        details: Optional[Mapping[str, str]] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> None:
        super().__init__(code)
        self.code = code
        self.details = details
        self.headers = headers or {}


class LookUp(NamedTuple):
    service: str
    """Such as `nin-basic` or `nin-slip`."""
    id_type: str
    number: str
    """In the form of the service, without separators."""
    field: str
    """The field with the number."""
    given: Mapping[str, Any]
    """The body without its absent fields."""
    is_gateway: bool = False
    needs_photo: bool = False
    bank_code: Optional[str] = None
    slip_type: str = ""

    def fingerprint(self) -> str:
        """What a repeat under the same key must not change."""
        stored = [self.given.get(name) for name in ("consent", "reason")]
        claims = sorted(self.given.get("match", {}).items())
        match = (claims, bool(self.given.get("match_only")))
        options = (self.needs_photo, self.bank_code, self.slip_type, self.given.get("reference") or None)
        return repr((self.service, self.number, *options, *stored, *match))


def details(reason: str, field: str) -> Dict[str, str]:
    hint = "Check the number." if reason == "no_record" else "Compare the request with the API guide."
    return {"reason": reason, "field": field, "hint": hint}


def parse_body(content: bytes) -> Any:
    """Reads strict JSON. Raises RejectionError as the service does."""
    if len(content) > _MOST_BYTES:
        raise RejectionError("PAYLOAD_TOO_LARGE", details("too_large", ""))
    try:
        return json.loads(content.decode("utf-8"), object_pairs_hook=_fields, parse_constant=_no_constant)
    except ValueError:
        _reject("not_json", "")


def _fields(pairs: List[Tuple[str, Any]]) -> Dict[str, Any]:
    fields: Dict[str, Any] = {}
    for name, value in pairs:
        if name in ("__proto__", "constructor", "prototype"):
            _reject("unknown_field", name)
        if name in fields:
            _reject("duplicate_field", shown_name(name))
        fields[name] = value
    return fields


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"JSON has no {name}.")


def read_look_up(route: str, body: Any, key: Optional[str]) -> LookUp:
    """Returns the look-up that a request asks for. Raises RejectionError as the service does."""
    if route == "identities/verify":
        look_up = _gateway(_read(_GATEWAY, body))
    elif route == "ng/nin/slip/download":
        look_up = _slip(_read(_SLIP, body))
    elif route.startswith("ng/") and route[len("ng/") :] in _checks.SERVICES and not route.endswith("slip"):
        look_up = _dedicated(route[len("ng/") :], body)
    else:
        raise RejectionError("ROUTE_NOT_FOUND")
    for name in _STORED:
        if contains_number(look_up.given.get(name, ""), look_up.number):
            _reject("wrong_value", name)
    check_key(key)
    if key is not None and contains_number(key, look_up.number):
        _reject("wrong_value", "Idempotency-Key")
    return look_up


def check_key(key: Optional[str]) -> None:
    if key is not None and not _KEY.fullmatch(key):
        _reject("wrong_format", "Idempotency-Key")


def read_top_up(body: Any, key: Optional[str]) -> int:
    order = _read(_TOP_UP, body)
    if "return_url" in order and not _HTTPS.fullmatch(order["return_url"]):
        _reject("wrong_format", "return_url")
    check_key(key)
    if not CREDITS[0] <= order["credits"] <= CREDITS[1]:
        _reject("wrong_value", "credits")
    return int(order["credits"])


_Parameter = Union["re.Pattern[str]", Tuple[str, ...], Callable[[str], str]]
_CURSOR: Mapping[str, _Parameter] = {"cursor": re.compile(".*"), "limit": re.compile("[1-9][0-9]?|100")}
_RANGE: Mapping[str, _Parameter] = {"from": instant, "to": instant}
_QUERIES: Mapping[str, Mapping[str, _Parameter]] = {
    "verifications": {
        **_CURSOR,
        **_RANGE,
        "reference": re.compile("(?s:.+)"),
        "service": _checks.SERVICES,
        "idempotency_key": _KEY,
        "outcome": (*_checks.OUTCOMES, "REJECTED"),
    },
    "wallet/transactions": {**_CURSOR, **_RANGE, "type": _checks.TRANSACTION_TYPES},
    "wallet/lots": _CURSOR,
    "wallet/invoices": {**_CURSOR, "kind": _checks.DOCUMENT_KINDS},
}
"""The parameters of each list: permitted values, a pattern, or what reads the value."""


def read_query(route: str, query: Mapping[str, List[str]]) -> None:
    """Raises RejectionError for a query that the service rejects."""
    for name, values in query.items():
        if len(values) > 1:
            _reject("duplicate_field", shown_name(name))
    known = _QUERIES.get(route, {})
    for name, allowed in known.items():
        if name in query:
            _check_parameter(name, query[name][0], allowed)
    for name in query:
        if name not in known:
            _reject("unknown_field", shown_name(name))


def check_range(query: Mapping[str, List[str]], start: str, end: str) -> None:
    if start > end:
        _reject("wrong_value", "from")
    others = [name for name in query if name != "idempotency_key"]
    if "idempotency_key" in query and others:
        _reject("wrong_value", others[0])


def _check_parameter(name: str, value: str, allowed: _Parameter) -> None:
    if isinstance(allowed, tuple):
        if value not in allowed:
            _reject("wrong_value", name)
    elif isinstance(allowed, re.Pattern):
        if name == "reference" and length(value) > _LONGEST[name]:
            _reject("too_long", name)
        if not allowed.fullmatch(value):
            _reject("wrong_format", name)
    else:
        try:
            allowed(value)
        except ValueError:
            _reject("wrong_format", name)


def _dedicated(service: str, given: Any) -> LookUp:
    id_type = service.split("-")[0].upper()
    alias = ALIASES[id_type]
    body = _read(_DEDICATED[id_type], given)
    field = "id_number" if "id_number" in body else alias
    if field not in body:
        _reject("missing_field", "id_number")
    if body.get(alias, body[field]) != body[field]:
        _reject("wrong_value", alias)
    number = _number(id_type, body[field], body.get("company_type"), field, f"{id_type}_NOT_FOUND")
    _check_match(id_type, body, needs_photo=False)
    return LookUp(service, id_type, number, field, body, bank_code=body.get("bank_code"))


def _gateway(body: Mapping[str, Any]) -> LookUp:
    id_type, params = body["id_type"], body["params"]
    for own, name in (("CAC", "company_type"), ("NUBAN", "bank_code")):
        if id_type != own and name in params:
            _reject("unknown_field", f"params.{name}")
    field = "params.id_number"
    number = _number(id_type, params["id_number"], params.get("company_type"), field, "INVALID_SCHEMA")
    level = _LEVELS[body.get("level", "basic")]
    needs_photo = body.get("method") == "biometric"
    if needs_photo and (id_type not in _checks.PERSON_ID_TYPES or level == "basic"):
        _reject("wrong_value", "method")
    if level != "basic" and id_type not in _checks.ADVANCED_ID_TYPES:
        _reject("wrong_value", "level")
    _check_match(id_type, body, needs_photo)
    service = f"{id_type.lower()}-{level}"
    return LookUp(service, id_type, number, field, body, True, needs_photo, params.get("bank_code"))


def _slip(body: Mapping[str, Any]) -> LookUp:
    number = _number("NIN", body["nin"], None, "nin", "INVALID_SCHEMA")
    if not number.isdigit():
        _reject("wrong_format", "nin")
    return LookUp("nin-slip", "NIN", number, "nin", body, slip_type=body["slip_type"])


def plain_number(id_type: str, written: str) -> str:
    number = re.sub("[^A-Z0-9]", "", written.upper())
    return f"{number[:8]}-{number[8:]}" if id_type == "TIN" and len(number) == 12 else number


def _number(id_type: str, written: str, company_type: Optional[str], field: str, code: str) -> str:
    pattern = _checks.NUMBER_FORMATS[id_type].pattern
    own_type = re.sub("[^A-Z]", "", written.upper())
    lacks_type = id_type == "CAC" and not own_type and company_type is None
    if lacks_type or not pattern.fullmatch(written):
        raise RejectionError(code, details("wrong_format", field))
    if company_type is not None and own_type not in ("", company_type):
        _reject(
            "wrong_value", field.replace("id_number", "company_type").replace("rc_number", "company_type")
        )
    return plain_number(id_type, ("" if own_type else company_type or "") + written)


def _check_match(id_type: str, body: Mapping[str, Any], needs_photo: bool) -> None:
    if id_type not in _checks.PERSON_ID_TYPES:
        for name in ("match", "match_only"):
            if name in body:
                _reject("unknown_field", name)
    if body.get("match_only") and "match" not in body:
        _reject("missing_field", "match")
    if body.get("match_only") and needs_photo:
        _reject("wrong_value", "match_only")


_Check = Callable[[str, Any], None]
"""Receives the path of a field, and its value. Raises RejectionError."""


class _Object(NamedTuple):
    fields: Mapping[str, Any]
    """The check of each field, or the `_Object` in it, in the order of the service."""
    required: Tuple[str, ...] = ()


def _text(longest: Optional[int] = None, is_right: Callable[[str], bool] = lambda _: True) -> _Check:
    def check(field: str, value: Any) -> None:
        if not isinstance(value, str):
            _reject("wrong_type", field)
        if longest is not None and length(value) > longest:
            _reject("too_long", field)
        if not is_right(value):
            _reject("wrong_format", field)

    return check


def _choice(*allowed: str) -> _Check:
    def check(field: str, value: Any) -> None:
        if not isinstance(value, str):
            _reject("wrong_type", field)
        if value not in allowed:
            _reject("wrong_value", field)

    return check


def _flag(field: str, value: Any) -> None:
    if not isinstance(value, bool):
        _reject("wrong_type", field)


def _count(field: str, value: Any) -> None:
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        _reject("wrong_type", field)
    if not 1 <= value <= _LARGEST_INTEGER or value != int(value):
        _reject("wrong_value", field)


def _is_birthdate(text: str) -> bool:
    if not _BIRTHDATE.fullmatch(text):
        return False
    try:
        datetime.strptime(text, "%d-%m-%Y" if text[2] == "-" else "%Y-%m-%d")
    except ValueError:
        return False
    return True


_LONGEST = {"consent": 200, "reason": 200, "reference": 100}
_STORED: Mapping[str, _Check] = {
    "consent": _text(_LONGEST["consent"], is_storable),
    "reason": _text(_LONGEST["reason"], is_storable),
    "reference": _text(_LONGEST["reference"], is_printable),
}
_NAME = _text(100, is_name)
MATCH_FIELDS: Mapping[str, _Check] = {
    "firstname": _NAME,
    "lastname": _NAME,
    "middlename": _NAME,
    "birthdate": _text(None, _is_birthdate),
    "gender": _choice("m", "f", "male", "female"),
    "phone": _text(30, lambda text: _PHONE.fullmatch(text) is not None),
}
_MATCH = {"match": _Object(MATCH_FIELDS), "match_only": _flag}
_COMPANY_TYPE = {"company_type": _choice(*_checks.COMPANY_TYPES)}
_BANK = {"bank_code": _text(None, lambda text: _BANK_CODE.fullmatch(text) is not None)}
_OWN: Mapping[str, Mapping[str, Any]] = {
    "NIN": _MATCH,
    "BVN": _MATCH,
    "CAC": {**_COMPANY_TYPE, **_BANK},
    "TIN": {},
    "NUBAN": _BANK,
}
_DEDICATED = {
    id_type: _Object({"id_number": _text(), ALIASES[id_type]: _text(), **own, **_STORED})
    for id_type, own in _OWN.items()
}
_GATEWAY = _Object(
    {
        "country": _choice("NG"),
        "id_type": _choice(*ALIASES),
        "method": _choice(*_checks.METHODS),
        "level": _choice(*_LEVELS),
        "params": _Object({"id_number": _text(), **_COMPANY_TYPE, **_BANK}, ("id_number",)),
        **_MATCH,
        **_STORED,
    },
    ("country", "id_type", "params"),
)
_SLIP = _Object(
    {"nin": _text(), "slip_type": _choice(*_checks.SLIP_TYPES), "match": _MATCH["match"], **_STORED},
    ("nin", "slip_type"),
)
_TOP_UP = _Object({"credits": _count, "return_url": _text(2_000)}, ("credits",))


def _read(expected: _Object, body: Any) -> Dict[str, Any]:
    """Returns the body without absent fields. Raises RejectionError for the fault that the service names."""
    if not isinstance(body, dict):
        _reject("not_an_object", "")
    present = _present(expected, body)
    for unknown in _unknown(expected, present):
        _reject("unknown_field", shown_name(unknown))
    _check_object(expected, present)
    return present


def _present(expected: _Object, given: Mapping[str, Any], of: str = "") -> Dict[str, Any]:
    """Leaves out optional fields that are null, and empty fields of `match`."""
    present: Dict[str, Any] = {}
    for name, value in given.items():
        field = expected.fields.get(name)
        is_absent = value is None or (value == "" and of == "match")
        if isinstance(field, _Object) and isinstance(value, dict):
            present[name] = _present(field, value, name)
        elif field is None or name in expected.required or not is_absent:
            present[name] = value
    return present


def _unknown(expected: _Object, given: Mapping[str, Any], prefix: str = "") -> Iterator[str]:
    for name, field in expected.fields.items():
        if isinstance(field, _Object) and isinstance(given.get(name), dict):
            yield from _unknown(field, given[name], f"{name}.")
    yield from (prefix + name for name in given if name not in expected.fields)


def _check_object(expected: _Object, given: MutableMapping[str, Any], prefix: str = "") -> None:
    for name, field in expected.fields.items():
        path = prefix + name
        if name not in given:
            if name in expected.required:
                _reject("missing_field", path)
        elif not isinstance(field, _Object):
            field(path, given[name])
        elif isinstance(given[name], dict):
            _check_object(field, given[name], f"{path}.")
            if not given[name]:
                _reject("missing_field", path)
        else:
            is_empty_match = given[name] == [] and not field.required
            _reject("missing_field" if is_empty_match else "wrong_type", path)


def _reject(reason: str, field: str) -> NoReturn:
    raise RejectionError("INVALID_SCHEMA", details(reason, field))
