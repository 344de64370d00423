"""
The recommended onboarding of a customer: a live selfie, the NIN's record, and whether the two show one face.

    NG_IDENTITY_API_KEY=... NG_IDENTITY_BASE_URL=http://127.0.0.1:3000 \\
        python onboarding.py 12345678901 --live --same-face

The identity service is step 2. Steps 1 and 3 are services of your choice, which `onboard` takes as functions.
The sandbox's people have no selfies, so here --live and --same-face say what those two would have answered.
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
    """Keep it with the customer's file: it finds the log entry, and holds no identity data."""


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
    is_live    step 1: is the selfie of a person in front of the camera?
    same_face  step 3: do the selfie and the registry's photo show the same person?

    Raises IdentityError where nothing can be decided. Keep its `idempotency_key` with the customer's file,
    and hand it in when you try again: if a credit was taken, it is not taken a second time.
    """
    # The check that costs no credit comes first.
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
        return Decision(False, "the face is another", result.request_id)
    return Decision(True, "the selfie and the registry's photo show one face", result.request_id)


def main() -> int:
    parser = argparse.ArgumentParser(description="The onboarding pipeline, against the sandbox.")
    parser.add_argument("nin")
    parser.add_argument("--live", action="store_true", help="the liveness service says yes")
    parser.add_argument("--same-face", action="store_true", help="the face comparison says yes")
    parser.add_argument("--idempotency-key", help="of an earlier try that ended without a decision")
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
                print(f"try again with --idempotency-key {error.idempotency_key}", file=sys.stderr)
            return 1
    print("accepted" if decision.is_accepted else "refused", decision.reason, decision.request_id, sep=": ")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
