import copy
import json
import os
import pickle
import re
import subprocess
from pathlib import Path
from typing import Any, Callable, Dict, Optional, Type

import pytest

import ng_identity
from ng_identity import Headers, IdentityError, Response, _errors
from ng_identity.testing import FakeIdentity

from .conftest import MakeClient
from .fault_proxy import PAGE, FaultProxy, responds

PROJECT = Path(__file__).parents[3]
NIN = "12345678901"
# The catalogue describes one response. For these codes the client reports the charge of the call as a whole.
CHARGED_BY_CALL = {"REQUEST_IN_PROGRESS": None, "REPLAY_EXHAUSTED": None}
Behind = Callable[..., FaultProxy]


def catalogue(name: str = "CATALOGUE") -> Dict[str, Dict[str, Any]]:
    """Reads a part of the service's own error catalogue, with the project's Node."""
    node = str(PROJECT / "node_modules" / ".bin" / "node")
    if not os.path.exists(node):
        pytest.skip("needs the project's Node to read the service's error catalogue: run npm ci")
    script = f"import('./shared/core/errors.ts').then(module => console.log(JSON.stringify(module.{name})))"
    output = subprocess.run([node, "-e", script], cwd=str(PROJECT), stdout=subprocess.PIPE, check=True).stdout  # noqa: S603
    entries: Dict[str, Dict[str, Any]] = json.loads(output)
    return entries


def test_the_client_handles_every_code_of_the_service_catalogue() -> None:
    entries = catalogue()

    assert set(_errors.CODES) == set(entries)
    for code, entry in entries.items():
        rule = _errors.CODES[code]
        assert rule.retry == entry["retry"], code
        charged = {"no": False, "yes": True, "unknown": None}[entry["charged"]]
        assert rule.charged == CHARGED_BY_CALL.get(code, charged), code
        # The client must not retry on its own if the service says that a retry cannot succeed.
        assert not rule.automatic or entry["retry"] != "no", code


def test_the_client_handles_every_reason_that_decides_whether_a_retry_may_succeed() -> None:
    entries = catalogue("RETRY_BY_REASON")
    expected = {(code, reason): retry for code in entries for reason, retry in entries[code].items()}

    assert {key: rule.retry for key, rule in _errors.REASONS.items()} == expected
    for (code, reason), rule in _errors.REASONS.items():
        assert (rule.error, rule.charged) == (_errors.CODES[code].error, False)
        assert not rule.automatic or rule.retry != "no", reason


def test_each_code_raises_the_error_class_of_its_status_if_the_status_has_one() -> None:
    of_status = {401: "AuthenticationError", 402: "InsufficientFundsError", 413: "ValidationError"}
    of_status.update({415: "ValidationError", 422: "ValidationError", 429: "RateLimitError"})
    of_status.update({503: "ServiceUnavailableError", 504: "RequestTimeoutError", 500: "ServerError"})
    for code, entry in catalogue().items():
        if entry["status"] in of_status:
            assert _errors.CODES[code].error.__name__ == of_status[entry["status"]], code
            assert _errors.rule_of(entry["status"], None).error.__name__ == of_status[entry["status"]]


@pytest.mark.parametrize(
    ("ending", "error_class", "status", "code", "retryable"),
    [
        ("0404", ng_identity.NotFoundError, 400, "NIN_NOT_FOUND", False),
        ("0400", ng_identity.VerificationFailedError, 400, "NIN_VERIFICATION_FAILED", True),
        ("0503", ng_identity.ServiceUnavailableError, 503, "SERVICE_UNAVAILABLE", True),
        ("0504", ng_identity.RequestTimeoutError, 504, "TIMEOUT", True),
        ("0500", ng_identity.ServerError, 500, "SERVER_ERROR", True),
    ],
)
def test_a_failure_raises_its_error_class_with_all_attributes(
    make_client: MakeClient,
    api: FakeIdentity,
    ending: str,
    error_class: Type[IdentityError],
    status: int,
    code: str,
    retryable: bool,
) -> None:
    with pytest.raises(error_class) as caught:
        make_client().verify("NIN", "1234567" + ending)
    error = caught.value

    assert type(error) is error_class
    assert (error.status_code, error.code, error.retryable) == (status, code, retryable)
    assert error.charged is False
    assert error.message == catalogue()[code]["message"]
    assert error.request_id
    assert error.request_id in str(error)
    assert error.response is not None
    assert error.response.status_code == status
    assert error.idempotency_key == api.requests[-1].headers["Idempotency-Key"]
    details = ("no_record", "id_number", "Check the number.") if ending == "0404" else (None, None, None)
    assert (error.reason, error.field, error.hint) == details
    assert not isinstance(error, ValueError)
    assert api.charges == []


def envelope(code: str, **more: Any) -> str:
    return json.dumps({"success": False, "code": code, "message": "Message.", "data": None, **more})


@pytest.mark.parametrize("details", [None, "text", [], {}, {"reason": 7, "field": None, "hint": ["x"]}])
def test_an_error_object_with_a_different_shape_is_ignored(
    make_client: MakeClient, behind: Behind, details: Any
) -> None:
    proxy = behind(responds("400 Bad Request", envelope("INVALID_SCHEMA", error=details)))
    with pytest.raises(ng_identity.ValidationError) as caught:
        make_client(base_url=proxy.base_url).verify("NIN", NIN)
    assert (caught.value.reason, caught.value.field, caught.value.hint) == (None, None, None)


@pytest.mark.parametrize(
    ("status", "body", "error_class"),
    [
        ("302 Found", "", IdentityError),
        ("400 Bad Request", PAGE, IdentityError),
        ("400 Bad Request", envelope("INVALID_SCHEMA"), ng_identity.ValidationError),
        ("401 Unauthorized", PAGE, ng_identity.AuthenticationError),
        ("401 Unauthorized", envelope("SUBSCRIPTION_REQUIRED"), ng_identity.AuthenticationError),
        ("403 Forbidden", PAGE, IdentityError),
        ("404 Not Found", PAGE, IdentityError),
        ("404 Not Found", envelope("ROUTE_NOT_FOUND"), IdentityError),
        ("408 Request Timeout", PAGE, ng_identity.RequestTimeoutError),
        ("409 Conflict", envelope("REPLAY_EXHAUSTED"), ng_identity.ReplayExhaustedError),
        ("409 Conflict", envelope("REQUEST_IN_PROGRESS"), ng_identity.InProgressError),
        ("413 Content Too Large", PAGE, ng_identity.ValidationError),
        ("418 I'm a teapot", envelope("OF_A_NEWER_SERVICE"), IdentityError),
        ("429 Too Many Requests", PAGE, ng_identity.RateLimitError),
        ("500 Internal Server Error", envelope("SERVER_ERROR"), ng_identity.ServerError),
        ("502 Bad Gateway", PAGE, ng_identity.ServerError),
        ("503 Service Unavailable", PAGE, ng_identity.ServiceUnavailableError),
        ("503 Service Unavailable", envelope("OUTCOME_UNKNOWN"), ng_identity.ServiceUnavailableError),
        ("504 Gateway Timeout", envelope("TIMEOUT"), ng_identity.RequestTimeoutError),
        ("200 OK", PAGE, ng_identity.TransportError),
        ("200 OK", "", ng_identity.TransportError),
        ("200 OK", "[]", ng_identity.TransportError),
        ("200 OK", "[" * 100_000, ng_identity.TransportError),
        ("200 OK", b"\xff\xfe\x00".decode("latin-1"), ng_identity.TransportError),
        ("200 OK", '{"success": true, "code": "X", "data": null}', ng_identity.TransportError),
        ("200 OK", '{"success": true, "data": {}}', ng_identity.TransportError),
        ("204 No Content", "", IdentityError),
    ],
)
def test_responses_from_proxies_and_from_a_newer_service_raise_errors(
    make_client: MakeClient,
    behind: Behind,
    status: str,
    body: str,
    error_class: Type[IdentityError],
) -> None:
    proxy = behind(responds(status, body, "Location: https://example.com/"))
    with pytest.raises(IdentityError) as caught:
        make_client(base_url=proxy.base_url, max_retries=0).verify("NIN", NIN)

    assert type(caught.value) is error_class
    # Nothing shows whether they belong to the request.
    assert caught.value.charged is None
    assert caught.value.status_code == int(status[:3])
    assert "<html>" not in str(caught.value)
    assert len(proxy.requests) == 1


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("7", 7.0),
        ("0", 0.0),
        ("Wed, 21 Oct 2015 07:28:00 GMT", 0.0),
        ("soon", None),
        ("-3", None),
        ("", None),
    ],
)
def test_retry_after_is_read_as_seconds_or_date(
    make_client: MakeClient, behind: Behind, header: str, seconds: Optional[float]
) -> None:
    proxy = behind(responds("429 Too Many Requests", envelope("RATE_LIMITED"), f"Retry-After: {header}"))
    with pytest.raises(ng_identity.RateLimitError) as caught:
        make_client(base_url=proxy.base_url, max_retries=0).verify("NIN", NIN)
    assert caught.value.retry_after == seconds


def test_the_message_of_another_server_is_not_repeated(make_client: MakeClient, behind: Behind) -> None:
    body = json.dumps({"message": "No match for POST with Authorization: Bearer secret-key"})
    proxy = behind(responds("400 Bad Request", body, kind="application/json"))
    with pytest.raises(IdentityError) as caught:
        make_client(base_url=proxy.base_url).verify("NIN", NIN)
    assert "secret-key" not in str(caught.value)


PUBLIC_ERRORS = sorted(
    (one for one in vars(ng_identity).values() if isinstance(one, type) and issubclass(one, Exception)),
    key=lambda one: one.__name__,
)


@pytest.mark.parametrize("error_class", PUBLIC_ERRORS)
def test_every_error_can_be_copied_and_pickled(error_class: Any) -> None:
    if issubclass(error_class, IdentityError):
        response = Response(400, Headers([("X-Request-Id", "req_1")]), b"{}")
        error: Any = error_class("A message.", status_code=400, code="CODE", charged=None, response=response)
        error.idempotency_key = "key-of-the-call"
    else:
        error = error_class("not_json", "A message.")
    for twin in (copy.copy(error), copy.deepcopy(error), pickle.loads(pickle.dumps(error))):  # noqa: S301
        assert type(twin) is error_class
        assert (str(twin), twin.args, repr(vars(twin))) == (str(error), error.args, repr(vars(error)))


def test_the_class_tree_in_the_docstring_is_complete() -> None:
    documented = re.findall(r"^(?:│   )?(?:[├└]── )?(\w+Error)  ", _errors.__doc__ or "", re.MULTILINE)
    defined = [
        name for name, value in vars(_errors).items() if isinstance(value, type) and name.endswith("Error")
    ]
    assert documented == [name for name in defined if issubclass(vars(_errors)[name], IdentityError)]
