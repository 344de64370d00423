"""
The fake API responds like the service: the cases of both fakes (clients/fake-cases.json), and the service's
own checks of bodies, which the project's Node runs.
"""

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence, Tuple

import pytest
import requests

from ng_identity._fake_checks import RejectionError, read_look_up
from ng_identity._invented_records import invented_record
from ng_identity.testing import FakeIdentity

PROJECT = Path(__file__).parents[3]
NIN = {"id_number": "12345678901"}
PARAMS = {"params": NIN}
GATEWAY = {"country": "NG", "id_type": "NIN", **PARAMS}
CAC = {"country": "NG", "id_type": "CAC"}
UUID = "8d3f0c1e-1111-4222-8333-123456789012"
CLAIMS: List[Dict[str, Any]] = [
    {},
    {"first_name": "A"},
    *[{"firstname": value} for value in ("", "A", "1", "A" * 100, "A" * 101, "Ọlá", "A\u200b", 5, None)],
    *[{"gender": value} for value in ("m", "f", "male", "female", "Male", "", 1, None)],
    *[
        {"birthdate": value}
        for value in ("23-08-1957", "1957-08-23", "31-02-1990", "14/02/1990", "14-02-1890", "1-2-1990", "")
    ],
    *[{"phone": value} for value in ("08012345678", "+234 801 234 5678", "123", "0" * 31, "phone")],
]
STORED: List[Dict[str, Any]] = [
    *[
        {"reference": value}
        for value in ("", "A" * 100, "A" * 101, "12345678901", "no 123-4567-8901", "1234567890")
    ],
    *[
        {"reason": value}
        for value in ("A" * 200, "A" * 201, "12345678901", UUID, "2026-01-15T09:30:00Z", "a\nb")
    ],
    *[{"consent": value} for value in ("ok", None, 5, "1234567890")],
]
# Like an identity number, or not.
LONG_NUMBERS = (
    *(
        "call (0803) 555-1234",
        "form-1732612345678",
        "1732612345678",
        "2732612345678-x",
        "1732612345678\u0967",
    ),
    *(
        "1,234,567,890",
        "1---2345678901",
        "1a2345678901",
        "\u0661\u0662\u0663\u0664\u0665\u0666\u0667\u0668\u0669\u0660",
    ),
    *(
        "\u27762345678901",
        "\u13692345678901",
        "1\u03012345678901",
        "15_01_2026",
        "2026-13-15 1234",
        "2026-01/15 12345678",
    ),
    *(r"12345\u00a067890", r"12345\n67890", "12345&nbsp;67890"),
    *(r"\uff11234567890", "&#xff11;234567890"),
    *(
        "2026-01-15 2026-01-16",
        f"x{UUID}",
        f"_{UUID}_",
        "01ARZ3NDEKTSV4RRFFQ69G5FAV",
        "01234567890123456789012345",
    ),
)
UNUSUAL = (
    *(
        "a\u2800",
        "a\u3164",
        "a\ufe0f",
        "\ufe0fa",
        " \ufe0f",
        "\u0301\ufe0f",
        "a\ue000",
        "a\ud800",
        "a\u2065",
        "a\u180b",
    ),
    *("\U0001f600" * 50, "\U0001f600" * 51, "\U0001f600" * 100, "\U0001f600" * 101),
    *("\u0661\u0662345678901", "\u24602345678901", "\uff112345678901"),
)
# The service names one of several faults.
SEVERAL_FAULTS: List[Tuple[str, Any]] = [
    ("identities/verify", {"country": "GH", "level": "high"}),
    ("identities/verify", {**GATEWAY, "country": "GH", "other": None}),
    ("identities/verify", {**GATEWAY, "method": 5, "match": {"other": ""}}),
    ("identities/verify", {**GATEWAY, "id_type": "TIN", "params": {"id_number": "1"}, "match_only": True}),
    ("identities/verify", {**GATEWAY, "params": ["a"], "consent": 5}),
    ("nin-basic", {"reason": 5, "match": [], "nin": None}),
    ("nin-basic", {"id_number": "1", "nin": "2", "match_only": True}),
    ("nin-basic", {**NIN, "reference": "A" * 101, "consent": "1234567890"}),
    ("nin-basic", {**NIN, "call (0803) 555-1234 \u00e9": 1}),
    ("cac-basic", {"rc_number": "RC7000", "company_type": "BN"}),
    ("ng/nin/slip/download", {"slip_type": None, "match": {"phone": "1"}}),
    ("ng/nin/slip/download", {"nin": "1!2345678901", "slip_type": "premium"}),
]
BODIES: List[Any] = [NIN, {"nin": "12345678901"}, {}, [], None, "text", {"idNumber": "1"}]
PARAMETERS: List[Any] = [{}, None, [], {"id_number": "1"}]
CASES: List[Tuple[str, Any]] = [
    *[("nin-basic", body) for body in BODIES],
    ("nin-basic", {**NIN, "nin": "12345678902"}),
    ("nin-basic", {**NIN, "nin": "12345678901"}),
    ("nin-premium", {"id_number": " 1234 567-8901 "}),
    *[
        ("nin-basic", {"id_number": value})
        for value in ("1", "A1234567890123B4", 12345678901, None, "1234567890a")
    ],
    *[("bvn-basic", {**NIN, "match": claim}) for claim in CLAIMS],
    *[("nin-basic", {**NIN, **stored}) for stored in STORED],
    *[("nin-basic", {**NIN, "consent": value}) for value in (*LONG_NUMBERS, *UNUSUAL)],
    *[("nin-basic", {**NIN, "reference": value}) for value in UNUSUAL],
    *[("nin-basic", {**NIN, "match": {"firstname": value}}) for value in UNUSUAL],
    *SEVERAL_FAULTS,
    *[("nin-basic", {**NIN, "match_only": value}) for value in (True, False, "yes", None)],
    ("nin-basic", {**NIN, "match_only": True, "match": {"firstname": "A"}}),
    ("nin-basic", {**NIN, "match": []}),
    ("nin-basic", {**NIN, "bank_code": "058"}),
    ("cac-basic", {"id_number": "RC7000", "match": {"firstname": "A"}}),
    ("cac-basic", {"id_number": "7000"}),
    *[("cac-basic", {"id_number": "7000", "company_type": value}) for value in ("RC", "rc", "PLC", 1)],
    ("cac-basic", {"id_number": "RC7000", "company_type": "RC"}),
    *[
        ("tin-basic", {"id_number": value})
        for value in ("12345678-0001", "RC7000", "12345678901", "1", "1234567890")
    ],
    *[
        ("nuban-basic", {"id_number": "0123456789", "bank_code": value})
        for value in ("058", "0", "99999", "a-b", 58)
    ],
    ("identities/verify", GATEWAY),
    *[
        ("identities/verify", {**GATEWAY, "level": value})
        for value in ("basic", "advance", "advanced", "high")
    ],
    *[("identities/verify", {**GATEWAY, "method": value}) for value in ("identity", "biometric", "face")],
    ("identities/verify", {**GATEWAY, "method": "biometric", "level": "advanced"}),
    ("identities/verify", {**GATEWAY, "method": "biometric", "level": "advanced", "match_only": True}),
    *[("identities/verify", {**GATEWAY, "country": value}) for value in ("GH", "ng", None)],
    *[("identities/verify", {**GATEWAY, "id_type": value}) for value in ("TIN", "nin", 5)],
    *[("identities/verify", {**GATEWAY, "params": value}) for value in PARAMETERS],
    ("identities/verify", {**GATEWAY, "params": {**NIN, "company_type": "RC"}}),
    ("identities/verify", {**GATEWAY, "params": {**NIN, "other": "RC"}}),
    ("identities/verify", {**GATEWAY, "match": {"first_name": "A"}}),
    ("identities/verify", {**CAC, "params": {"id_number": "7000", "company_type": "BN"}}),
    ("identities/verify", {**CAC, "params": {"id_number": "7000"}}),
    ("identities/verify", {**CAC, "params": {"id_number": "RC7000"}, "match": {"firstname": "A"}}),
    (
        "identities/verify",
        {**CAC, "params": {"id_number": "RC7000"}, "level": "advanced", "method": "biometric"},
    ),
    *[
        ("ng/nin/slip/download", {"nin": "12345678901", "slip_type": value})
        for value in ("premium", "gold", None)
    ],
    ("ng/nin/slip/download", {"nin": "12345678901"}),
    ("ng/nin/slip/download", {"nin": "A1234567890123B4", "slip_type": "premium"}),
    ("ng/nin/slip/download", {"nin": "12345678901", "slip_type": "premium", "match_only": True}),
]
# The numbers of the page about matches, of people with several numbers, and of each kind of account.
PEOPLE: List[Tuple[str, str]] = [
    *[
        (service, number)
        for number in (
            "12345678901",
            "12345671009",
            "12345671036",
            "12345671021",
            "12345671271",
            "90012345678",
        )
        for service in ("nin-premium", "bvn-premium")
    ],
    *[
        ("nin-basic", f"1234567{ending}")
        for ending in ("0301", "0302", "0303", "0304", "0305", "1061", "0206")
    ],
    ("nin-basic", "AB012345670301YZ"),
    *[("nuban-basic", number) for number in ("0012345678", "0123456789", "8012345678", "0000014579")],
    *[("tin-basic", "0012345678"), ("tin-basic", "90012345678")],
]
PEOPLE_SCRIPT = """
import { FakeIdentity } from './clients/typescript/testing/main.ts';
const { apiKey, baseUrl, fetch } = new FakeIdentity();
const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' };
const found = [];
for (const [service, number] of JSON.parse(process.env.CASES)) {
  const body = JSON.stringify({ id_number: number });
  const response = await fetch(`${baseUrl}/api/v1/ng/${service}/`, { method: 'POST', headers, body });
  found.push((await response.json()).data);
}
console.log(JSON.stringify(found));
"""
SAME_FIELDS = (
    *("firstname", "middlename", "lastname", "gender", "birthdate", "phone", "email", "residence", "nin"),
    *("residential_address", "state_of_origin", "lga_of_origin", "name_on_card", "account_name", "bank_code"),
    *("bank_name", "name", "business_type"),
)
SCRIPT = """
import { dedicatedBody, gatewayBody, slipBody } from './shared/verifications/requests.ts';
import { containsNumber } from './shared/core/numbers.ts';
import { IDEMPOTENCY_KEY } from './shared/http/idempotency-key.ts';
const readers = { 'identities/verify': gatewayBody, 'ng/nin/slip/download': slipBody };
const found = JSON.parse(process.env.CASES).map(([route, body, key]) => {
  try {
    const { service, number } = (readers[route] ?? dedicatedBody(route)).read(body);
    if (key && !IDEMPOTENCY_KEY.test(key)) return ['INVALID_SCHEMA', 'wrong_format', 'Idempotency-Key'];
    if (key && containsNumber(key, number)) return ['INVALID_SCHEMA', 'wrong_value', 'Idempotency-Key'];
    return [service, number];
  } catch (error) {
    return [error.code, error.details?.reason, error.details?.field];
  }
});
console.log(JSON.stringify(found));
"""


def result_of(route: str, body: Any, key: Optional[str] = None) -> List[Any]:
    try:
        found = read_look_up(route if "/" in route else f"ng/{route}", body, key)
    except RejectionError as error:
        shown = error.details or {}
        return [error.code, shown.get("reason"), shown.get("field")]
    return [found.service, found.number]


def of_service(script: str, cases: Sequence[Tuple[Any, ...]]) -> List[Any]:
    """Returns what a program with the service's own code prints."""
    node = str(PROJECT / "node_modules" / ".bin" / "node")
    if not os.path.exists(node):
        pytest.skip("needs the project's Node to run the service's code: run npm ci")
    environment = {**os.environ, "CASES": json.dumps(cases)}
    command = [node, "--input-type=module", "-e", script]
    run = subprocess.run(command, cwd=str(PROJECT), env=environment, stdout=subprocess.PIPE, check=True)  # noqa: S603
    results: List[Any] = json.loads(run.stdout)
    return results


def test_the_fake_has_the_people_of_the_sandbox() -> None:
    for (service, number), record in zip(PEOPLE, of_service(PEOPLE_SCRIPT, PEOPLE)):
        found = invented_record(service, number)
        same = [name for name in SAME_FIELDS if name in record]
        assert {name: found[name] for name in same} == {name: record[name] for name in same}, number


def test_the_fake_reads_bodies_like_the_service() -> None:
    expected = of_service(SCRIPT, CASES)
    found = [result_of(route, body) for route, body in CASES]
    wrong = [(case, ours, theirs) for case, ours, theirs in zip(CASES, found, expected) if ours != theirs]
    assert wrong == []


KEYS: List[Tuple[str, Any, str]] = [
    *[
        ("nin-basic", NIN, key)
        for key in (
            "short",
            "k" * 255,
            "k" * 256,
            "\u00e9" * 8,
            "order-0001",
            "order 123-4567-8901",
            "\t2345678",
        )
    ],
    ("nin-basic", {"nin": "a1234567890123b4"}, "card a1234567890123b4"),
    ("tin-basic", {"tin": "123456780001"}, "tax 12345678-0001"),
    ("cac-basic", {"id_number": "RC7000"}, "company RC7000"),
]


def test_the_fake_checks_keys_like_the_service() -> None:
    found = [result_of(route, body, key) for route, body, key in KEYS]
    assert found == of_service(SCRIPT, KEYS)


FAKE_CASES = json.loads((PROJECT / "clients" / "fake-cases.json").read_text(encoding="utf-8"))["cases"]


def wire_body(value: Any) -> Any:
    """Replaces `{101}` by a text of 101 characters."""
    if isinstance(value, dict):
        return {name: wire_body(one) for name, one in value.items()}
    length = re.fullmatch(r"\{([0-9]+)\}", value) if isinstance(value, str) else None
    return "a" * int(length.group(1)) if length else value


@pytest.mark.parametrize("case", FAKE_CASES, ids=[case["name"] for case in FAKE_CASES])
def test_the_fake_responds_as_the_shared_cases_say(case: Dict[str, Any]) -> None:
    with FakeIdentity(credits=100) as fake:
        for sent in case["requests"]:
            headers = {"Authorization": f"Bearer {fake.api_key}"}
            if "key" in sent:
                headers["Idempotency-Key"] = sent["key"]
            body = wire_body(sent.get("body"))
            method = "GET" if body is None else "POST"
            url = f"{fake.base_url}/api/v1/{sent['path']}/"
            query = sent.get("query")
            response = requests.request(method, url, params=query, json=body, headers=headers, timeout=10)
            check_response(sent, response)


def check_response(expected: Dict[str, Any], response: requests.Response) -> None:
    headers = {
        "charged": "X-Credits-Charged",
        "replayed": "Idempotent-Replayed",
        "of_key": "Idempotency-Key-Charged",
        "retry_after": "Retry-After",
    }
    is_json = response.headers["Content-Type"] == "application/json"
    body = response.json() if is_json else {}
    found = {
        "status": response.status_code,
        "code": body.get("code"),
        "overall": body.get("match", {}).get("overall"),
        **{name: (body.get("error") or {}).get(name) for name in ("reason", "field")},
        **{name: response.headers.get(header) for name, header in headers.items()},
    }
    known = {name: value for name, value in expected.items() if name in found}
    assert {name: found[name] for name in known} == known
    assert all(body["data"][name] for name in expected.get("has", []))
    data = body.get("data") or {}
    entries = [*data.get("transactions", []), *data.get("verifications", []), {}]
    for part, entry in (("data", data), ("first", entries[0])):
        wanted = expected.get(part, {})
        assert {name: entry.get(name) for name in wanted} == wanted
