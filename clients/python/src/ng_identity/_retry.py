"""
Decides when a call is retried, and after what delay. Every retry carries the idempotency key of the first
attempt, so the service charges the call once at most.
"""

import random
import time
from typing import Callable, Optional, TypeVar

from ._deadline import Deadline
from ._errors import IdentityError, InProgressError, Rule

T = TypeVar("T")

FIRST_DELAY_S = 0.5
LONGEST_DELAY_S = 8.0


class AttemptError(Exception):
    """Carries the error of one attempt, and its rule, to the loop below. Never leaves this package."""

    def __init__(self, error: IdentityError, rule: Rule) -> None:
        super().__init__()
        self.error = error
        self.rule = rule


def delay_s(retries: int, retry_after_s: Optional[float]) -> float:
    """
    Returns the delay before the next attempt, after `retries` retries. The service's Retry-After takes
    precedence. The jitter prevents clients that failed at the same time from retrying at the same time.
    """
    if retry_after_s is not None:
        return retry_after_s + random.uniform(0, 0.1 + retry_after_s / 10)  # noqa: S311
    return random.uniform(0.5, 1) * min(LONGEST_DELAY_S, FIRST_DELAY_S * 2.0**retries)  # noqa: S311


def call_with_retries(send: Callable[[], T], *, max_retries: int, deadline: Deadline) -> T:
    """
    Returns the result of `send`, which it retries while the AttemptError permits. Raises the last
    IdentityError, with `charged` combined over all attempts.
    """
    retries = 0
    charged: Optional[bool] = False
    while True:
        try:
            return send()
        except AttemptError as attempt:
            error, rule = attempt.error, attempt.rule
        charged = _combined(charged, error.charged)
        wait_s = delay_s(retries, error.retry_after)
        if not _may_retry(rule, retries, max_retries) or wait_s >= deadline.remaining_s():
            error.charged = charged
            raise error
        time.sleep(wait_s)
        # Another call under this key is in progress and will end. Only the deadline limits the wait for it.
        if rule.error is not InProgressError:
            retries += 1


def _combined(first: Optional[bool], second: Optional[bool]) -> Optional[bool]:
    """Returns whether a key was charged, given what two attempts under it reported."""
    if first is True or second is True:
        return True
    return None if first is None or second is None else False


def _may_retry(rule: Rule, retries: int, max_retries: int) -> bool:
    if not rule.automatic or max_retries == 0:
        return False
    if rule.error is InProgressError:
        return True
    if rule.most_retries is not None:
        max_retries = min(max_retries, rule.most_retries)
    return retries < (1 if rule.retry == "once" else max_retries)
