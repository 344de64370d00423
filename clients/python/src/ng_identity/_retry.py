"""
Decides when a call is retried, and after what delay. Every retry carries the idempotency key of the first
attempt, so the service charges the call at most once.
"""

import random
from typing import Optional

from ._deadline import Deadline
from ._errors import IdentityError, InProgressError, Rule, knows_key

FIRST_DELAY_S = 0.5
LONGEST_DELAY_S = 8.0
LONGEST_RESPONSE_S = 28.0
"""The service responds within this time. A call that is known not to be charged is not retried with less."""
LONGEST_ATTEMPT_S = 30.0
"""A response that has not arrived by then is lost, because API Gateway ends every request after 29 s."""


class AttemptError(Exception):
    """Carries the error of one attempt, and its rule, to the client's loop. Never leaves this package."""

    def __init__(self, error: IdentityError, rule: Rule, *, is_foreign: bool = False) -> None:
        super().__init__()
        self.error = error
        self.rule = rule
        self.is_foreign = is_foreign
        """Whether the connection delivered a response to a different request."""


def delay_s(retries: int, retry_after_s: Optional[float]) -> float:
    """
    Returns the delay before the next attempt, after `retries` retries. The service's Retry-After takes
    precedence. The jitter prevents clients that failed at the same time from retrying at the same time.
    """
    if retry_after_s is not None:
        return retry_after_s + random.uniform(0, 0.1 + retry_after_s / 10)  # noqa: S311
    return random.uniform(0.5, 1) * min(LONGEST_DELAY_S, FIRST_DELAY_S * 2.0**retries)  # noqa: S311


class Attempts:
    """
    The attempts of one call. The client calls `delay_after` for each failed attempt, waits, and sends the
    request again, until an attempt succeeds or `delay_after` raises the error of the call.

    costs    whether the call costs credits
    charged  whether the key was charged before the call: None if the caller supplied it, else False
    """

    def __init__(self, *, timeout_s: float, max_retries: int, costs: bool, charged: Optional[bool]) -> None:
        self._deadline = Deadline(timeout_s)
        self._max_retries = max_retries
        self._costs = costs
        self._retries = 0
        self._charged = charged
        self._last_of_api: Optional[IdentityError] = None
        self.needs_new_connection = False
        """Whether the next attempt must not use the pool, whose connections may all be out of step."""

    def attempt_deadline(self) -> Deadline:
        """Returns the deadline of an attempt that starts now."""
        return Deadline(min(LONGEST_ATTEMPT_S, self._deadline.remaining_s()))

    def delay_after(self, failed: AttemptError) -> float:
        """
        Returns the delay before the next attempt. Raises the IdentityError of the call if the rule of the
        failure, `max_retries` or the remaining time does not permit another attempt.
        """
        error, rule = failed.error, failed.rule
        self.needs_new_connection |= failed.is_foreign
        self._charged = _combined(self._charged, error)
        if error.code is not None:
            self._last_of_api = error
        wait_s = delay_s(self._retries, error.retry_after)
        remaining_s = self._deadline.remaining_s() - wait_s
        # Without a response, `charged` would become unknown.
        needed_s = LONGEST_RESPONSE_S if self._costs and self._charged is False else 0.0
        if remaining_s <= 0 or remaining_s < needed_s or not self._may_retry(rule):
            raise self._error_of_call(error)
        # Another call under this key is in progress and will end. Only the deadline limits the wait for it.
        if rule.error is not InProgressError:
            self._retries += 1
        return wait_s

    def _may_retry(self, rule: Rule) -> bool:
        if not rule.automatic or self._max_retries == 0:
            return False
        if rule.error is InProgressError:
            return True
        most = self._max_retries if rule.most_retries is None else min(self._max_retries, rule.most_retries)
        return self._retries < (1 if rule.retry == "once" else most)

    def _error_of_call(self, last: IdentityError) -> IdentityError:
        """Returns the last error that the API sent, or the last error of any kind if it sent none."""
        error = self._last_of_api or last
        if error is not last:
            error.__cause__ = last
        error.charged = self._charged
        return error


def _combined(charged: Optional[bool], error: IdentityError) -> Optional[bool]:
    """Returns whether the key was charged, given what earlier attempts and this one reported."""
    if charged is True or error.charged is True:
        return True
    if error.charged is None or (charged is None and not knows_key(error)):
        return None
    return False
