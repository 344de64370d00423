"""
The checks of a request body in the fake API, which are those of the service
(shared/verifications/requests.ts). A test passes the same bodies to both.
"""

import re
import unicodedata
from datetime import datetime
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, NoReturn, Optional, Tuple, Union

from . import _checks
from ._belonging import instant
from ._service_data import CREDITS

MATCH_FIELDS = ("firstname", "lastname", "middlename", "birthdate", "gender", "phone")
ALIASES: Mapping[str, str] = {"NIN": "nin", "BVN": "bvn", "CAC": "rc_number", "TIN": "tin", "NUBAN": "nuban"}
_LEVELS = {"basic": "basic", "advanced": "premium", "advance": "premium"}
_STORED = {"consent": 200, "reason": 200, "reference": 100}
_PHONE = re.compile(r" *\+?(?:[ ().-]*[0-9]){7,15} *")
_BIRTHDATE = re.compile(r"[0-9]{2}-[0-9]{2}-(?:19|20)[0-9]{2}|(?:19|20)[0-9]{2}-[0-9]{2}-[0-9]{2}")
_NO_NUMBER = re.compile(
    r"(?<!\w)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?!\w)"  # UUID
    r"|(?<!\w)(?=[0-9]*[a-z])[0-7][0-9a-hjkmnp-tv-z]{25}(?!\w)"  # ULID
    r"|(?<![0-9])(?:(?:19|20)[0-9]{2}[-/.][0-9]{2}[-/.][0-9]{2}|[0-9]{2}[-/.][0-9]{2}[-/.](?:19|20)[0-9]{2})"
    r"(?![0-9])(?:[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,9})?)?(?:Z|[+-][0-9]{2}:[0-9]{2})?)?",
    re.IGNORECASE,
)
_LONG_NUMBER = re.compile(r"\d(?:[\s./-]?\d){9,}")
_BANK_CODE = re.compile("[0-9A-Za-z]{2,10}")


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
    is_gateway: bool = False
    needs_photo: bool = False
    bank_code: Optional[str] = None
    slip_type: str = ""


def details(reason: str, field: str) -> Dict[str, str]:
    hint = "Check the number." if reason == "no_record" else "Compare the request with the API guide."
    return {"reason": reason, "field": field, "hint": hint}


def read_look_up(route: str, body: Any, key: Optional[str]) -> LookUp:
    """Returns the look-up that a request asks for. Raises RejectionError as the service does."""
    if not isinstance(body, dict):
        _reject("not_an_object", "")
    body = _present(body)
    if route == "identities/verify":
        look_up = _gateway(body)
    elif route == "ng/nin/slip/download":
        look_up = _slip(body)
    elif route.startswith("ng/") and route[len("ng/") :] in _checks.SERVICES and not route.endswith("slip"):
        look_up = _dedicated(route[len("ng/") :], body)
    else:
        raise RejectionError("ROUTE_NOT_FOUND")
    if key is not None:
        if not 8 <= len(key) <= 255:
            _reject("wrong_format", "Idempotency-Key")
        if _contains(key, look_up.number):
            _reject("wrong_value", "Idempotency-Key")
    for name in _STORED:
        if _contains(body.get(name, ""), look_up.number):
            _reject("wrong_value", name)
    return look_up


_REQUIRED = ("country", "id_type", "params", "nin", "slip_type")


def _present(body: Mapping[str, Any]) -> Dict[str, Any]:
    """Leaves out optional fields that are null, and empty fields of `match`."""
    fields = {name: value for name, value in body.items() if value is not None or name in _REQUIRED}
    for name in ("match", "params"):
        inner = fields.get(name)
        if isinstance(inner, dict):
            empty = ("", None) if name == "match" else (None,)
            fields[name] = {key: value for key, value in inner.items() if value not in empty}
    return fields


def read_top_up(body: Any) -> int:
    if not isinstance(body, dict):
        _reject("not_an_object", "")
    _check_fields(body, ("credits",), ("return_url",))
    amount = body["credits"]
    if not isinstance(amount, int) or isinstance(amount, bool):
        _reject("wrong_type", "credits")
    if not CREDITS[0] <= amount <= CREDITS[1]:
        _reject("wrong_value", "credits")
    if "return_url" in body and not str(body["return_url"]).startswith("https://"):
        _reject("wrong_format", "return_url")
    return amount


_INSTANT = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,9})?(Z|[+ -][0-9]{2}:[0-9]{2}))?"
)
_RANGE = {"from": _INSTANT, "to": _INSTANT}
_PAGE = {"cursor": re.compile(".*"), "limit": re.compile("[1-9][0-9]?|100")}
_QUERIES: Mapping[str, Mapping[str, Union["re.Pattern[str]", Tuple[str, ...]]]] = {
    "verifications": {
        **_RANGE,
        **_PAGE,
        "reference": re.compile(".{1,100}"),
        "service": _checks.SERVICES,
        "idempotency_key": re.compile("[ -~]{8,255}"),
        "outcome": (*_checks.OUTCOMES, "REJECTED"),
    },
    "wallet/transactions": {**_RANGE, **_PAGE, "type": _checks.TRANSACTION_TYPES},
    "wallet/lots": _PAGE,
    "wallet/invoices": {**_PAGE, "kind": _checks.DOCUMENT_KINDS},
}
"""The parameters of each list: permitted values, or a pattern."""


def read_query(route: str, query: Mapping[str, List[str]]) -> None:
    """Raises RejectionError for a query that the service rejects."""
    known = _QUERIES.get(route, {})
    for name, values in query.items():
        if len(values) > 1:
            _reject("duplicate_field", name)
        if name not in known:
            _reject("unknown_field", name)
        allowed = known[name]
        if isinstance(allowed, tuple):
            _check_choice({name: values[0]}, name, allowed)
        elif not allowed.fullmatch(values[0]) or (allowed is _INSTANT and not _exists(values[0])):
            is_long = name == "reference" and len(values[0]) > 100
            _reject("too_long" if is_long else "wrong_format", name)
    others = [name for name in query if name != "idempotency_key"]
    if "idempotency_key" in query and others:
        _reject("wrong_value", others[0])
    if "from" in query and "to" in query and instant(query["from"][0]) > instant(query["to"][0]):
        _reject("wrong_value", "from")


def _exists(time: str) -> bool:
    try:
        datetime.strptime(time[:10], "%Y-%m-%d")
    except ValueError:
        return False
    return True


def _dedicated(service: str, body: Mapping[str, Any]) -> LookUp:
    id_type = service.split("-")[0].upper()
    alias = ALIASES[id_type]
    own = {"CAC": ("company_type",), "NUBAN": ("bank_code",)}.get(id_type, ())
    is_person = id_type in _checks.PERSON_ID_TYPES
    _check_fields(body, (), ("id_number", alias, *own, *(("match", "match_only") if is_person else ())))
    field = "id_number" if "id_number" in body else alias
    if field not in body:
        _reject("missing_field", "id_number")
    _check_text(body[field], field)
    if body.get(alias, body[field]) != body[field]:
        _reject("wrong_value", alias)
    _check_choice(body, "company_type", _checks.COMPANY_TYPES)
    bank_code = _bank_code(body, "bank_code")
    _check_match(body, needs_photo=False)
    number = _number(id_type, body[field], body.get("company_type"), field, f"{id_type}_NOT_FOUND")
    return LookUp(service, id_type, number, field, bank_code=bank_code)


def _bank_code(given: Mapping[str, Any], field: str) -> Optional[str]:
    if "bank_code" not in given:
        return None
    code = given["bank_code"]
    if not isinstance(code, str):
        _reject("wrong_type", field)
    if not _BANK_CODE.fullmatch(code):
        _reject("wrong_format", field)
    return code


def _gateway(body: Mapping[str, Any]) -> LookUp:
    _check_fields(body, ("country", "id_type", "params"), ("method", "level", "match", "match_only"))
    _check_choice(body, "country", ("NG",))
    _check_choice(body, "id_type", tuple(ALIASES))
    _check_choice(body, "method", _checks.METHODS)
    _check_choice(body, "level", tuple(_LEVELS))
    id_type, params = body["id_type"], body["params"]
    if not isinstance(params, dict):
        _reject("wrong_type", "params")
    _check_fields(params, ("id_number",), ("company_type", "bank_code"), "params.", has_stored=False)
    _check_text(params["id_number"], "params.id_number")
    _check_choice(params, "company_type", _checks.COMPANY_TYPES, "params.")
    bank_code = _bank_code(params, "params.bank_code")
    for own, name in (("CAC", "company_type"), ("NUBAN", "bank_code")):
        if id_type != own and name in params:
            _reject("unknown_field", f"params.{name}")
    company_type = params.get("company_type")
    number = _number(id_type, params["id_number"], company_type, "params.id_number", "INVALID_SCHEMA")
    level = _LEVELS[body.get("level", "basic")]
    needs_photo = body.get("method") == "biometric"
    if needs_photo and (id_type not in _checks.PERSON_ID_TYPES or level == "basic"):
        _reject("wrong_value", "method")
    if level != "basic" and id_type not in _checks.ADVANCED_ID_TYPES:
        _reject("wrong_value", "level")
    if id_type not in _checks.PERSON_ID_TYPES:
        for name in ("match", "match_only"):
            if name in body:
                _reject("unknown_field", name)
    _check_match(body, needs_photo)
    service = f"{id_type.lower()}-{level}"
    number_field = "params.id_number"
    return LookUp(
        service, id_type, number, number_field, is_gateway=True, needs_photo=needs_photo, bank_code=bank_code
    )


def _slip(body: Mapping[str, Any]) -> LookUp:
    _check_fields(body, ("nin", "slip_type"), ("match",))
    _check_text(body["nin"], "nin")
    _check_choice(body, "slip_type", _checks.SLIP_TYPES)
    _check_match(body, needs_photo=False)
    number = plain_number("NIN", body["nin"])
    if not re.fullmatch("[0-9]{11}", number):
        raise RejectionError("INVALID_SCHEMA", details("wrong_format", "nin"))
    return LookUp("nin-slip", "NIN", number, "nin", slip_type=body["slip_type"])


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
        _reject("wrong_value", field.replace("id_number", "company_type"))
    return plain_number(id_type, ("" if own_type else company_type or "") + written)


def _check_match(body: Mapping[str, Any], needs_photo: bool) -> None:
    claimed = body.get("match")
    if "match" in body:
        if claimed == []:
            claimed = {}
        if not isinstance(claimed, dict):
            _reject("wrong_type", "match")
        _check_fields(claimed, (), MATCH_FIELDS, "match.", has_stored=False)
        if not claimed:
            _reject("missing_field", "match")
        for name, value in claimed.items():
            _check_claimed(name, value)
    if "match_only" in body and not isinstance(body["match_only"], bool):
        _reject("wrong_type", "match_only")
    if body.get("match_only") and claimed is None:
        _reject("missing_field", "match")
    if body.get("match_only") and needs_photo:
        _reject("wrong_value", "match_only")


def _check_claimed(name: str, value: Any) -> None:
    field = f"match.{name}"
    if name == "gender":
        _check_choice({name: value}, name, ("m", "f", "male", "female"), "match.")
        return
    _check_text(value, field)
    checks: Dict[str, Callable[[str], bool]] = {"birthdate": _is_birthdate, "phone": _is_phone}
    if name != "birthdate" and len(value) > (30 if name == "phone" else 100):
        _reject("too_long", field)
    if not checks.get(name, _is_name)(value):
        _reject("wrong_format", field)


def _is_name(text: str) -> bool:
    return is_printable(text) and any(character.isalpha() for character in text)


def _is_phone(text: str) -> bool:
    return _PHONE.fullmatch(text) is not None


def _is_birthdate(text: str) -> bool:
    if not _BIRTHDATE.fullmatch(text):
        return False
    try:
        datetime.strptime(text, "%d-%m-%Y" if text[2] == "-" else "%Y-%m-%d")
    except ValueError:
        return False
    return True


def is_printable(text: str) -> bool:
    return not any(unicodedata.category(one) in ("Cc", "Cf", "Co", "Cs", "Zl", "Zp") for one in text)


def _check_fields(
    given: Mapping[str, Any],
    required: Tuple[str, ...],
    optional: Tuple[str, ...],
    prefix: str = "",
    has_stored: bool = True,
) -> None:
    for name in given:
        if name not in (*required, *optional, *(_STORED if has_stored else ())):
            _reject("unknown_field", prefix + name)
    for name in required:
        if name not in given:
            _reject("missing_field", prefix + name)
    for name, longest in _STORED.items() if has_stored else ():
        if name in given:
            _check_stored(name, given[name], longest)


def _check_stored(name: str, value: Any, longest: int) -> None:
    _check_text(value, name)
    if len(value) > longest:
        _reject("too_long", name)
    plain = re.sub(r"[\u0300-\u036f]", "", unicodedata.normalize("NFKD", value))
    is_long_number = name != "reference" and _LONG_NUMBER.search(_NO_NUMBER.sub("|", plain))
    if is_long_number or not is_printable(value):
        _reject("wrong_format", name)


def _check_text(value: Any, field: str) -> None:
    if not isinstance(value, str):
        _reject("wrong_type", field)


def _check_choice(given: Mapping[str, Any], name: str, allowed: Tuple[str, ...], prefix: str = "") -> None:
    if name in given and given[name] not in allowed:
        _reject("wrong_value" if isinstance(given[name], str) else "wrong_type", prefix + name)


def _contains(text: str, number: str) -> bool:
    """Whether text contains an identity number, even with separators between its digits."""
    plain = number.replace("-", "")
    is_personal = re.fullmatch("[0-9]{10,}|[A-Z][A-Z0-9]{15}", plain)
    written = "".join(one for one in unicodedata.normalize("NFKD", text).upper() if one.isalnum())
    return is_personal is not None and plain in written


def _reject(reason: str, field: str) -> NoReturn:
    raise RejectionError("INVALID_SCHEMA", details(reason, field))
