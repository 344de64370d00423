"""
The recommended way to onboard a customer: check that a selfie is live, look up the NIN, and compare the
faces.

    NG_IDENTITY_API_KEY=... NG_IDENTITY_BASE_URL=http://127.0.0.1:3000 \\
        python onboarding.py 12345678901 --live --same-face

This service performs step 2, the look-up. For steps 1 and 3, pass functions that call services of your choice
to `onboard`. The invented people of the sandbox have no selfies, so --live and --same-face set the results of
these steps here.
"""

import argparse
import base64
import sys
from typing import Callable, NamedTuple, Optional

from ng_identity import IdentityClient, IdentityError, NotFoundError


class Decision(NamedTuple):
    is_accepted: bool
    reason: str
    request_id: Optional[str] = None
    """Store this ID in the customer's file. It identifies the log entry, and contains no identity data."""


def onboard(
    client: IdentityClient,
    nin: str,
    selfie: bytes,
    *,
    is_live: Callable[[bytes], bool],
    same_face: Callable[[bytes, bytes], bool],
    idempotency_key: Optional[str] = None,
) -> Decision:
    """
    Decides whether to accept a customer.

    is_live    step 1: returns whether the selfie shows a person in front of the camera
    same_face  step 3: returns whether the selfie and the registry's photo show the same person

    Raises IdentityError if no decision is possible. Store its `idempotency_key` in the customer's file and
    pass it when you try again, so that the customer's look-up is not charged twice.
    """
    # This check comes first because it costs no credit.
    if not is_live(selfie):
        return Decision(False, "the selfie is not live")
    try:
        result = client.verify("NIN", nin, idempotency_key=idempotency_key)
    except NotFoundError as error:
        return Decision(False, "no such NIN", error.request_id)
    photo = result.data["photo"]
    if not photo:
        return Decision(False, "the registry has no photo", result.request_id)
    if not same_face(selfie, base64.b64decode(photo)):
        return Decision(False, "the faces do not match", result.request_id)
    return Decision(True, "the faces match", result.request_id)


def main() -> int:
    parser = argparse.ArgumentParser(description="Run the onboarding example against the sandbox.")
    parser.add_argument("nin")
    parser.add_argument("--live", action="store_true", help="the liveness check succeeds")
    parser.add_argument("--same-face", action="store_true", help="the faces match")
    parser.add_argument("--idempotency-key", help="the key of an earlier run that ended without a decision")
    options = parser.parse_args()
    with IdentityClient() as client:
        try:
            decision = onboard(
                client,
                options.nin,
                selfie=b"",
                is_live=lambda _: options.live,
                same_face=lambda _, __: options.same_face,
                idempotency_key=options.idempotency_key,
            )
        except IdentityError as error:
            print(f"undecided: {error}", file=sys.stderr)
            if error.retryable:
                print(f"Try again with --idempotency-key {error.idempotency_key}", file=sys.stderr)
            return 1
    print("accepted" if decision.is_accepted else "rejected", decision.reason, decision.request_id, sep=": ")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
