"""
When a call is repeated, and after how long. A repeat always carries the idempotency key of the first send,
so the service takes one credit at most, however often it is asked.
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
    """Carries an error and its rule from one send to the loop below; never leaves this package."""

    def __init__(self, error: IdentityError, rule: Rule) -> None:
        super().__init__()
        self.error = error
        self.rule = rule


def delay_s(retries: int, retry_after_s: Optional[float]) -> float:
    """
    The wait before the next send. `retries`: how many there were. The service's own Retry-After goes first;
    the jitter on top keeps clients that failed together from returning together.
    """
    if retry_after_s is not None:
        return retry_after_s + random.uniform(0, 0.1 + retry_after_s / 10)  # noqa: S311 no secret
    return random.uniform(0.5, 1) * min(LONGEST_DELAY_S, FIRST_DELAY_S * 2.0**retries)  # noqa: S311 no secret


def call_with_retries(send: Callable[[], T], *, max_retries: int, deadline: Deadline) -> T:
    """
    The result of `send`, repeated while the errors that it raises as AttemptError allow it. Raises the last
    IdentityError, its `charged` as far as all the sends together tell.
    """
    retries = 0
    charged: Optional[bool] = False
    while True:
        try:
            return send()
        except AttemptError as attempt:
            error, rule = attempt.error, attempt.rule
        charged = _together(charged, error.charged)
        wait_s = delay_s(retries, error.retry_after)
        if not _may_repeat(rule, retries, max_retries) or wait_s >= deadline.remaining_s():
            error.charged = charged
            raise error
        time.sleep(wait_s)
        # A call in progress under our own key ends by itself: waiting for it is limited by time alone.
        if rule.error is not InProgressError:
            retries += 1


def _together(one: Optional[bool], other: Optional[bool]) -> Optional[bool]:
    """Was anything charged under a key of which one send says this, and another that?"""
    if one is True or other is True:
        return True
    return None if one is None or other is None else False


def _may_repeat(rule: Rule, retries: int, max_retries: int) -> bool:
    if not rule.automatic or max_retries == 0:
        return False
    if rule.error is InProgressError:
        return True
    return retries < (1 if rule.retry == "once" else max_retries)
