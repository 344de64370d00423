"""Checks that the schemas cannot express. Schemathesis runs them on every response."""

import json
import re
from datetime import date

import schemathesis
from hypothesis import strategies

# Schemas cannot express that a cursor comes from an earlier response, or that `from` is not later than `to`.
BEYOND_SCHEMA = {"cursor", "from", "to"}
# How many credits the stage sells in one order (infra/stages/local.ts). The document is the same for all stages.
LEAST_CREDITS, MOST_CREDITS = 10, 1_000_000
MALFORMED = ("INVALID_SCHEMA", "UNSUPPORTED_MEDIA_TYPE", "ROUTE_NOT_FOUND", "INVALID_API_KEY", "AUTH_FAILURE")
# Endings of numbers for which the sandbox simulates a fault.
ENDINGS = {500: "0500", 503: "0503|0504", 504: "0504"}


# The formats of `consent`, `reason` and `reference` allow visible characters but no long number. Texts without digits
# contain none.
INVISIBLE_OR_DIGIT = ("Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp", "Nd", "Nl", "No")
VISIBLE = strategies.characters(exclude_categories=INVISIBLE_OR_DIGIT)
schemathesis.openapi.format("printable-text", strategies.text(VISIBLE, max_size=200))
schemathesis.openapi.format("visible-text", strategies.text(VISIBLE, max_size=100))
# The formats of claimed names and dates of birth.
LETTERS = strategies.characters(categories=("Lu", "Ll", "Lo"))
NAMES = strategies.builds("{}{}".format, LETTERS, strategies.text(VISIBLE, max_size=40))
schemathesis.openapi.format("person-name", NAMES)
BIRTH_DATES = strategies.dates(date(1900, 1, 1), date(2099, 12, 31))
schemathesis.openapi.format("birth-date", BIRTH_DATES.map(lambda day: day.strftime("%d-%m-%Y")))


def adapt(value):
    """Applies conditions."""
    if isinstance(value, list):
        return [adapt(item) for item in value]
    if not isinstance(value, dict):
        return value
    adapted = {name: adapt(item) for name, item in value.items()}
    if "x-conditions" in adapted:
        adapted["allOf"] = [adapted.pop("x-conditions")]
    return adapted


@schemathesis.hook
def before_load_schema(context, raw_schema):
    """Adds the conditions on bodies to their schemas."""
    raw_schema["components"]["schemas"] = adapt(raw_schema["components"]["schemas"])


# The service accepts null in all other fields of bodies, and empty claimed details, as if they were absent. The schemas
# do not express this, because generators would add a type to each field.
REQUIRED = ("id_number", "nin", "slip_type", "country", "id_type", "params", "credits", "request_id", "surname")
CLAIMED = ("firstname", "lastname", "middlename", "birthdate", "gender", "phone")


def has_absent_field(value):
    if not isinstance(value, dict):
        return False
    return any(
        (item is None and name not in REQUIRED) or (item == "" and name in CLAIMED) or has_absent_field(item)
        for name, item in value.items()
    )


@schemathesis.hook
def filter_case(context, case):
    """Leaves out invalid requests with a field that the service treats as absent."""
    return case.meta.generation.mode.is_positive or not has_absent_field(case.body)


def code_of(response):
    try:
        return json.loads(response.content).get("code")
    except (ValueError, AttributeError):
        return None


@schemathesis.check
def a_valid_request_is_not_called_malformed(ctx, response, case):
    """A request that the document allows is not rejected as malformed."""
    if not case.meta.generation.mode.is_positive or BEYOND_SCHEMA & set(case.query or {}):
        return
    credits = case.body.get("credits") if isinstance(case.body, dict) else None
    if credits is not None and not LEAST_CREDITS <= credits <= MOST_CREDITS:
        return
    if code_of(response) in MALFORMED:
        raise AssertionError(f"The document allows this request, but the response is {code_of(response)}.")


@schemathesis.check
def only_simulated_faults_occur(ctx, response, case):
    """Every 5xx is the fault that the number makes the sandbox simulate."""
    if response.status_code < 500:
        return
    endings = ENDINGS.get(response.status_code, "$^")
    if not re.search(rf"(?:{endings})\"", json.dumps(case.body, default=str)):
        raise AssertionError(f"Unexpected {response.status_code}: {response.content[:500]!r}")


@schemathesis.check
def only_a_found_record_is_charged(ctx, response, case):
    """Only a response with a record costs credits."""
    charged = (response.headers.get("x-credits-charged") or ["0"])[0]
    if charged not in ("0", "unknown") and response.status_code != 200:
        raise AssertionError(f"{response.status_code} cost {charged} credits.")
