"""The errors of attempts without a complete response."""

from typing import List, Optional, Type

from ._errors import IdentityError, RequestTimeoutError, Rule, TransportError
from ._retry import AttemptError


def connection_failure(
    cause: Exception,
    *,
    handled: Optional[BaseException],
    costs: bool,
    timed_out: bool,
    never_sent: bool,
    bad_certificate: bool,
) -> AttemptError:
    """
    Returns the error of an attempt that ended without a complete response.

    handled     the exception that the caller was already handling when it made the call
    never_sent  whether it is certain that no byte of the request was sent
    """
    error_class: Type[IdentityError] = RequestTimeoutError if timed_out else TransportError
    if never_sent:
        message = f"{'Connecting timed out' if timed_out else 'The connection failed'}. Nothing was sent."
    elif timed_out:
        message = "No complete response arrived in time."
    else:
        message = "The connection broke before a complete response arrived."
    charged = None if costs and not never_sent else False
    rule = Rule(error_class, retry="later", charged=charged, automatic=not bad_certificate)
    error = error_class(message, retryable=rule.automatic, charged=charged)
    error.__cause__ = _without_details(cause, handled)
    return AttemptError(error, rule)


def has(causes: List[BaseException], *classes: Type[BaseException]) -> bool:
    return any(isinstance(cause, classes) for cause in causes)


def causes_of(exception: BaseException, handled: Optional[BaseException]) -> List[BaseException]:
    """
    Returns the exception and all exceptions that it wraps, in any way that the HTTP libraries use. Leaves
    out `handled`, the exception that the caller was already handling when it made this call.
    """
    queue, found = [exception], []
    seen = {id(handled)}
    while queue:
        current = queue.pop()
        if id(current) in seen:
            continue
        seen.add(id(current))
        found.append(current)
        linked = (current.__cause__, current.__context__, getattr(current, "reason", None), *current.args)
        queue += [item for item in linked if isinstance(item, BaseException)]
    return found


def _without_details(exception: Exception, handled: Optional[BaseException]) -> Exception:
    """Removes the request and the stack frames, whose variables contain the request."""
    if isinstance(getattr(type(exception), "request", None), property) or "request" in vars(exception):
        # Both requests and httpx keep the request here.
        setattr(exception, "request", None)  # noqa: B010 the attribute's type does not include None
    for cause in causes_of(exception, handled):
        cause.__traceback__ = None
    return exception
