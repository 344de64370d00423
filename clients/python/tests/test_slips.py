import os
import stat
from pathlib import Path
from typing import Any, Callable

import pytest

import ng_identity
from ng_identity import IdentityClient
from ng_identity.testing import FakeIdentity

from . import fault_proxy as faults
from .conftest import MakeClient
from .fault_proxy import FaultProxy, responds

NIN = "12345678901"


@pytest.mark.parametrize("slip_type", ["regular", "improved", "premium"])
def test_a_slip_is_returned_as_bytes(client: IdentityClient, api: FakeIdentity, slip_type: Any) -> None:
    client.verify("NIN", NIN)
    pdf = client.download_slip(NIN, slip_type)

    assert pdf.startswith(b"%PDF-1.7\n" + slip_type.encode())
    assert api.requests[-1].path == "/api/v1/ng/nin/slip/download/"
    assert api.requests[-1].body == {"nin": NIN, "slip_type": slip_type}
    assert "application/pdf" in api.requests[-1].headers["Accept"]


def test_a_slip_request_contains_the_details_to_confirm(client: IdentityClient, api: FakeIdentity) -> None:
    client.verify("NIN", NIN)
    client.download_slip(NIN, "regular", match={"lastname": "Anunobi"})

    assert api.requests[-1].body == {"nin": NIN, "slip_type": "regular", "match": {"lastname": "Anunobi"}}


def test_a_slip_is_written_to_a_file_that_only_its_owner_can_read(
    client: IdentityClient, tmp_path: Path
) -> None:
    client.verify("NIN", NIN)
    target = tmp_path / "slip.pdf"
    target.write_bytes(b"an older slip")
    pdf = client.download_slip(NIN, "regular", to=target)

    assert target.read_bytes() == pdf
    assert stat.S_IMODE(os.stat(str(target)).st_mode) == 0o600
    assert os.listdir(str(tmp_path)) == ["slip.pdf"]


def test_a_nin_that_was_never_verified_has_no_slip_and_leaves_the_file_unchanged(
    client: IdentityClient, tmp_path: Path
) -> None:
    target = tmp_path / "slip.pdf"
    target.write_bytes(b"an older slip")
    with pytest.raises(ng_identity.NotFoundError) as caught:
        client.download_slip(NIN, "regular", target)

    assert caught.value.code == "VERIFICATION_LOG_NOT_FOUND"
    assert os.listdir(str(tmp_path)) == ["slip.pdf"]
    assert target.read_bytes() == b"an older slip"


def test_an_incomplete_slip_is_never_written(
    make_client: MakeClient, behind: Callable[..., FaultProxy], api: FakeIdentity, tmp_path: Path
) -> None:
    api.verified.append(NIN)
    client = make_client(base_url=behind(faults.half).base_url, max_retries=0)
    with pytest.raises(ng_identity.TransportError) as caught:
        client.download_slip(NIN, "regular", tmp_path / "slip.pdf")

    assert caught.value.charged is None
    assert os.listdir(str(tmp_path)) == []
    client.download_slip(NIN, "regular", tmp_path / "slip.pdf", idempotency_key=caught.value.idempotency_key)
    assert os.listdir(str(tmp_path)) == ["slip.pdf"]
    assert len(api.charges) == 1


@pytest.mark.parametrize("kind", ["application/json", "text/html", "application/pdf"])
def test_a_response_that_is_not_a_pdf_raises_transport_error(
    make_client: MakeClient, behind: Callable[..., FaultProxy], kind: str
) -> None:
    proxy = behind(responds("200 OK", '{"success": true}', kind=kind))
    with pytest.raises(ng_identity.TransportError):
        make_client(base_url=proxy.base_url, max_retries=0).download_slip(NIN, "regular")


@pytest.mark.parametrize(("nin", "slip_type"), [("123", "regular"), (NIN, "Regular"), (NIN, ""), (NIN, None)])
def test_a_wrong_number_or_slip_type_is_rejected_before_any_request(
    client: IdentityClient, api: FakeIdentity, nin: str, slip_type: Any
) -> None:
    with pytest.raises(ValueError, match=r"The NIN must be|slip_type must be one of"):
        client.download_slip(nin, slip_type)
    assert api.requests == []


def test_an_unwritable_path_costs_nothing(client: IdentityClient, api: FakeIdentity, tmp_path: Path) -> None:
    for target in (tmp_path / "missing" / "slip.pdf", tmp_path):
        with pytest.raises(OSError, match=r"missing|folder"):
            client.download_slip(NIN, "regular", target)
    assert api.requests == []
