"""
The recommended onboarding of a customer: a live selfie, the NIN's record, and whether the two show one face.

    NG_IDENTITY_API_KEY=... NG_IDENTITY_BASE_URL=http://127.0.0.1:3000 python onboarding.py 12345678901

The identity service is step 2. Steps 1 and 3 are services of your choice: the two functions below stand where
you call them, and say so.
"""

import base64
import sys
from typing import NamedTuple

from ng_identity import (
    IdentityClient,
    InsufficientFundsError,
    NotFoundError,
    RequestTimeoutError,
    ServiceUnavailableError,
)


class Decision(NamedTuple):
    accepted: bool
    reason: str
    request_id: str
    """Keep it with the customer's file: it finds the log entry, and holds no identity data."""


def is_live(selfie: bytes) -> bool:
    """Step 1. Your liveness service: is this a picture of a person in front of the camera?"""
    return len(selfie) > 0


def same_face(selfie: bytes, reference: bytes) -> bool:
    """Step 3. Your face comparison: does the selfie show the person of the registry's photo?"""
    return len(selfie) > 0 and len(reference) > 0


def onboard(client: IdentityClient, nin: str, selfie: bytes) -> Decision:
    # The cheapest check first: a failed liveness check costs no credit.
    if not is_live(selfie):
        return Decision(False, "the selfie is not live", "")
    try:
        result = client.verify("NIN", nin)
    except NotFoundError as error:
        return Decision(False, "no such NIN", error.request_id or "")
    photo = result.data["photo"]
    if not photo:
        return Decision(False, "the registry has no photo", result.request_id or "")
    if not same_face(selfie, base64.b64decode(photo)):
        return Decision(False, "the face is another", result.request_id or "")
    return Decision(True, "the face and the record agree", result.request_id or "")


def main() -> int:
    selfie = b"the bytes of the selfie"
    with IdentityClient() as client:
        try:
            decision = onboard(client, sys.argv[1], selfie)
        except InsufficientFundsError:
            print("top up the wallet; the customer stays in the queue")
            return 1
        except (ServiceUnavailableError, RequestTimeoutError) as error:
            # Later, with the same key: if this call was charged after all, the repeat is free.
            print(f"try again later with idempotency key {error.idempotency_key}")
            return 1
    print("accepted" if decision.accepted else "refused", decision.reason, decision.request_id, sep=": ")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
