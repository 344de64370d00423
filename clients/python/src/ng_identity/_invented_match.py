"""The comparison of claimed details in the fake API: a small part of the service's (shared/matching)."""

import re
import unicodedata
from difflib import SequenceMatcher
from typing import Any, Dict, List, Mapping

from ._sandbox import HOOKED

_WEIGHTS = {
    "firstname": 3.0,
    "lastname": 3.0,
    "middlename": 1.0,
    "birthdate": 3.0,
    "gender": 0.5,
    "phone": 1.5,
}
_NAMES = ("firstname", "lastname", "middlename")
_SWAPPED = {"firstname": "lastname", "lastname": "firstname"}
_HIGHEST_PARTIAL = 0.84
_LOWEST_STRONG = 0.85


def invented_match(claimed: Mapping[str, str], record: Mapping[str, Any]) -> Dict[str, Any]:
    """
    Returns the result of a match. It finds tone marks, swapped names, initials, similar spellings, divided
    names, a changed surname, and dates that differ in one digit or by swapping. The API finds more, such as
    short forms of names.
    """
    fields = {name: _field(name, value, claimed, record) for name, value in claimed.items()}
    is_married = _has_other_surname_only(fields)
    if is_married:
        fields["lastname"] = _result("none", 0.0, "SURNAME_CHANGED")
    overall = "strong" if is_married else _overall(fields)
    total = sum(_WEIGHTS[name] for name in fields)
    score = round(sum(_WEIGHTS[name] * field["score"] for name, field in fields.items()) / total, 2)
    if overall in ("none", "insufficient"):
        score = 0.0
    elif overall == "partial":
        score = min(score, _HIGHEST_PARTIAL)
    elif is_married:
        score = _LOWEST_STRONG
    return {"overall": overall, "score": score, "algorithm": "fake", "fields": fields}


def _has_other_surname_only(fields: Mapping[str, Dict[str, Any]]) -> bool:
    """Whether only the surname differs, and date of birth and phone number agree."""
    results = {name: field["result"] for name, field in fields.items()}
    agreeing = all(results.get(name) == "exact" for name in ("firstname", "birthdate", "phone"))
    return agreeing and results.get("lastname") == "none"


def _overall(fields: Mapping[str, Dict[str, Any]]) -> str:
    results = {name: field["result"] for name, field in fields.items()}
    names = [results[name] for name in _NAMES if name in results]
    others = [results[name] for name in results if name not in _NAMES]
    if len(names) < 2:
        return "none" if "none" in others or "none" in names else "insufficient"
    if names.count("none") == len(names):
        return "none"
    is_sure = all(result in ("exact", "strong") for result in names)
    if results.get("birthdate") == "none":
        return "partial" if is_sure else "none"
    if not is_sure or "none" in others or "partial" in others:
        return "partial"
    return "exact" if {*names, *others} <= {"exact", "not_in_record"} else "strong"


def _field(name: str, value: str, claimed: Mapping[str, str], record: Mapping[str, Any]) -> Dict[str, Any]:
    registered = str(record.get(name, ""))
    if not registered:
        return _result("not_in_record", 0.0)
    if name == "birthdate":
        return _date(value, registered)
    if name == "gender":
        return _result("exact", 1.0) if value[:1] == registered[:1] else _result("none", 0.0)
    if name == "phone":
        ours, theirs = re.sub("[^0-9]", "", value), re.sub("[^0-9]", "", registered)
        if ours[-10:] != theirs[-10:]:
            return _result("none", 0.0)
        return _result("exact", 1.0, *([] if ours == theirs else ["COUNTRY_CODE"]))
    return _name(name, value, claimed, record)


def _name(name: str, value: str, claimed: Mapping[str, str], record: Mapping[str, Any]) -> Dict[str, Any]:
    registered = str(record[name])
    ours, theirs = _folded(value), _folded(registered)
    if ours == theirs:
        has_marks = value.strip().upper() != registered.upper()
        if len(value.split()) != len(registered.split()):
            return _result("strong", 0.97, "COMPOUND_SPLIT")
        return _result("exact", 1.0, *(["TONE_MARKS"] if has_marks else []))
    other = _SWAPPED.get(name)
    if other and ours == _folded(str(record.get(other, ""))) and _folded(claimed.get(other, "")) == theirs:
        return _result("strong", 0.94, "ORDER_SWAPPED")
    if min(len(ours), len(theirs)) == 1 and ours[:1] == theirs[:1]:
        return _result("partial", 0.5, "INITIAL")
    if SequenceMatcher(None, ours, theirs).ratio() >= 0.85:
        return _result("strong", 0.88)
    return _result("none", 0.0, *(["FIRST_NAME_ABSENT"] if name == "firstname" else []))


def _date(value: str, registered: str) -> Dict[str, Any]:
    ours, theirs = _parts(value), _parts(registered)
    if ours == theirs:
        return _result("exact", 1.0)
    if [ours[1], ours[0], ours[2]] == theirs:
        return _result("strong", 0.9, "DAY_MONTH_SWAPPED")
    differing = sum(one != other for one, other in zip("".join(ours), "".join(theirs)))
    return _result("partial", 0.6) if differing == 1 else _result("none", 0.0)


def _parts(date: str) -> List[str]:
    """Returns the day, the month and the year."""
    parts = date.split("-")
    return parts[::-1] if len(parts[0]) == 4 else parts


def _folded(name: str) -> str:
    """Returns a name in capitals, without marks and separators."""
    plain = unicodedata.normalize("NFKD", name.translate(HOOKED))
    return "".join(one for one in plain.upper() if one.isalpha())


def _result(result: str, score: float, *reasons: str) -> Dict[str, Any]:
    return {"result": result, "score": score, "reasons": list(reasons)}
