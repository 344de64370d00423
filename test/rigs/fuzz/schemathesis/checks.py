"""What the service promises beyond its schemas, checked on every answer of the fuzzing client."""

import json
import re

import schemathesis

# A cursor is the service's own text, and `from` must not be later than `to`: no schema tells either.
TOLD_IN_WORDS = {"cursor", "from", "to"}
MALFORMED = ("INVALID_SCHEMA", "UNSUPPORTED_MEDIA_TYPE", "ROUTE_NOT_FOUND", "INVALID_API_KEY", "AUTH_FAILURE")
# The last four digits of a number with which the sandbox is asked for a fault.
ASKED_FOR = {500: "0500", 503: "0503|0504", 504: "0504"}


def code_of(response):
    try:
        return json.loads(response.content).get("code")
    except (ValueError, AttributeError):
        return None


@schemathesis.check
def a_documented_request_is_understood(ctx, response, case):
    """A request that the document allows is never called malformed."""
    if not case.meta.generation.mode.is_positive or TOLD_IN_WORDS & set(case.query or {}):
        return
    if code_of(response) in MALFORMED:
        raise AssertionError(f"The document allows this request, and it was answered {code_of(response)}.")


@schemathesis.check
def a_fault_is_only_what_the_sandbox_was_asked_for(ctx, response, case):
    """Every 5xx answers a number that asks for it."""
    if response.status_code < 500:
        return
    endings = ASKED_FOR.get(response.status_code, "$^")
    if not re.search(rf"(?:{endings})\"", json.dumps(case.body, default=str)):
        raise AssertionError(f"Nobody asked for this {response.status_code}: {response.content[:500]!r}")


@schemathesis.check
def only_a_found_record_is_charged(ctx, response, case):
    """No credit is taken for anything but an answer with data."""
    charged = (response.headers.get("x-credits-charged") or ["0"])[0]
    if charged not in ("0", "unknown") and response.status_code != 200:
        raise AssertionError(f"{response.status_code} took {charged} credits.")
