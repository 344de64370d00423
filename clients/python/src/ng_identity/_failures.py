"""
The errors of attempts without a complete response. Both clients use the same table of failures, so that they
report and retry them in the same way.
"""

# cspell:ignore gaierror

import http.client
import re
import signal
import socket
import ssl
import traceback
from types import CodeType
from typing import List, NamedTuple, Optional, Set, Type

from ._errors import IdentityError, RequestTimeoutError, Rule, TransportError
from ._retry import AttemptError


class _Why(NamedTuple):
    """Why no connection was established."""

    text: str
    """Completes the sentence "The connection failed: ..."."""
    repeats: bool = False
    """Whether the next attempt would fail in the same way, so that the client does not retry."""


_CERTIFICATE = "the server's certificate is not valid"
_CA_HINT = "If a proxy of your network signs certificates, set SSL_CERT_FILE to the file of its authority"
_DEMANDED = _Why("the server demands a client certificate, or rejects yours", repeats=True)
_PLAIN = _Why("the server does not speak TLS on this port", repeats=True)
_VERSION = _Why("the server and this machine have no TLS version in common", repeats=True)

_ALERTS = "CERTIFICATE_REQUIRED|(BAD|UNSUPPORTED)_CERTIFICATE|CERTIFICATE_(REVOKED|EXPIRED|UNKNOWN)"
_REJECTED = re.compile(f"ALERT_({_ALERTS}|UNKNOWN_CA|ACCESS_DENIED)")
"""
Alerts with which a server rejects the client's certificate. In TLS 1.3, they arrive after the request was
sent, but the server has not read it.
"""
_TLS = (
    (_REJECTED, _DEMANDED),
    (re.compile("HANDSHAKE_FAILURE"), _DEMANDED),
    (re.compile("WRONG_VERSION_NUMBER|RECORD_LAYER_FAILURE|PACKET_LENGTH_TOO_LONG"), _PLAIN),
    (re.compile("PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL|NO_PROTOCOLS_AVAILABLE|LEGACY_SIG"), _VERSION),
)
"""OpenSSL's reasons, and what they mean."""


def connection_failure(
    failure: Exception, causes: List[BaseException], *, costs: bool, timed_out: bool, never_sent: bool
) -> AttemptError:
    """
    Returns the error of an attempt that ended without a complete response.

    causes      the failure, and all exceptions that it wraps
    never_sent  whether it is certain that the server did not receive the request
    """
    error_class: Type[IdentityError] = RequestTimeoutError if timed_out else TransportError
    repeats = False
    if never_sent and timed_out:
        message = "Connecting timed out. Nothing was sent."
    elif never_sent:
        why = _why(causes)
        repeats = why.repeats
        message = f"The connection failed: {why.text}. Nothing was sent."
    elif timed_out:
        message = "No complete response arrived in time."
    else:
        message = "The connection broke before a complete response arrived."
    charged = None if costs and not never_sent else False
    rule = Rule(error_class, retry="no" if repeats else "later", charged=charged, automatic=not repeats)
    error = error_class(message, retryable=rule.automatic, charged=charged)
    error.__cause__ = _without_details(failure, causes)
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
        linked += tuple(getattr(current, "exceptions", ()))  # of an ExceptionGroup
        queue += [item for item in linked if isinstance(item, BaseException)]
    return found


def is_rejected_client(causes: List[BaseException]) -> bool:
    """Whether the server has rejected the client's certificate, or its absence."""
    return any(isinstance(cause, ssl.SSLError) and _REJECTED.search(_tls_reason(cause)) for cause in causes)


def failed_while_connecting(causes: List[BaseException]) -> bool:
    """
    Whether a failure of http.client's connections occurred in `connect`, which includes the TLS handshake and
    a proxy's CONNECT. The classes of the exceptions do not show it: a reset, for example, has the same class
    later.
    """
    for cause in causes:
        for frame, _ in traceback.walk_tb(cause.__traceback__):
            owner = frame.f_locals.get("self") if frame.f_code.co_name == "connect" else None
            if isinstance(owner, http.client.HTTPConnection):
                return True
    return False


def raised_by_signal_handler(causes: List[BaseException]) -> Optional[BaseException]:
    """
    Returns the exception that a signal handler raised, such as the time limit of a job queue. It must end the
    call, although it may have the class of an error of the network: TimeoutError is an OSError.
    """
    handlers = _handlers()
    # The last one, because urllib3 gives the traceback to the exceptions that it wraps around it.
    for cause in reversed(causes):
        if any(frame.f_code in handlers for frame, _ in traceback.walk_tb(cause.__traceback__)):
            return cause
    return None


def _handlers() -> Set[CodeType]:
    found = (signal.getsignal(one) for one in signal.valid_signals())
    codes = (getattr(one, "__code__", getattr(type(one).__call__, "__code__", None)) for one in found if one)
    return {code for code in codes if isinstance(code, CodeType)}


def _why(causes: List[BaseException]) -> _Why:
    for why in (*map(_why_of_tls, causes), _why_of_proxy(causes)):
        if why is not None:
            return why
    if has(causes, socket.gaierror, UnicodeError):
        return _Why("the host name was not found")
    if has(causes, ConnectionRefusedError):
        return _Why("the connection was refused")
    if has(causes, ConnectionError, ssl.SSLError, http.client.HTTPException):
        return _Why("the server closed the connection before it was established")
    return _Why("the network or the server is not reachable")


def _why_of_tls(cause: BaseException) -> Optional[_Why]:
    if type(cause).__name__ == "CertificateError":  # of urllib3 1
        return _Why(f"{_CERTIFICATE} (it is for a different host)", repeats=True)
    if not isinstance(cause, ssl.SSLError):
        return None
    reason = _tls_reason(cause)
    if isinstance(cause, ssl.SSLCertVerificationError) or "CERTIFICATE_VERIFY_FAILED" in reason:
        detail = getattr(cause, "verify_message", "") or "verification failed"
        return _Why(f"{_CERTIFICATE} ({detail.rstrip('.')}). {_CA_HINT}", repeats=True)
    return next((why for pattern, why in _TLS if pattern.search(reason)), None)


def _why_of_proxy(causes: List[BaseException]) -> Optional[_Why]:
    """Finds the status with which a proxy refused to connect, such as 407."""
    for cause in causes:
        found = re.search(r"^(?:Tunnel connection failed: )?([345][0-9]{2})\b", str(cause))
        if found and (type(cause).__name__ == "ProxyError" or "Tunnel" in str(cause)):
            status = found.group(1)
            return _Why(f"the proxy refused to connect (HTTP {status})", repeats=status[0] != "5")
    return None


def _tls_reason(error: ssl.SSLError) -> str:
    return re.sub(r"\W+", "_", f"{getattr(error, 'reason', '') or ''} {error}").upper()


def _without_details(exception: Exception, causes: List[BaseException]) -> Exception:
    """Removes the request and the stack frames, whose variables contain the request."""
    if isinstance(getattr(type(exception), "request", None), property) or "request" in vars(exception):
        # Both requests and httpx keep the request here.
        setattr(exception, "request", None)  # noqa: B010 the attribute's type does not include None
    for cause in causes:
        cause.__traceback__ = None
    return exception
