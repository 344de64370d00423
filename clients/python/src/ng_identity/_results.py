"""What calls return: the JSON of a response or the bytes of a slip, with properties for the usual fields."""

from datetime import datetime, timezone
from typing import Any, Dict, Generic, Literal, Mapping, Optional, TypeVar, cast

from ._http import Headers, RateLimit, rate_limit_of
from ._models import BalanceData, InvoiceData, LogRecord, Match, TopUpData

DataT = TypeVar("DataT", covariant=True)


class Envelope(Dict[str, Any], Generic[DataT]):
    """
    A response from the API: its JSON as a dict, with properties for the common fields. Its repr omits the
    data, so that logs contain no identity data.
    """

    headers: Headers = Headers()
    """The response's headers. The case of their names does not matter."""

    @property
    def data(self) -> DataT:
        return cast(DataT, self["data"])

    @property
    def rate_limit(self) -> Optional[RateLimit]:
        """The rate limit of the API key, or None if the response does not report it."""
        return rate_limit_of(self.headers)

    @property
    def code(self) -> str:
        return str(self["code"])

    @property
    def message(self) -> str:
        return str(self.get("message", ""))

    @property
    def request_id(self) -> Optional[str]:
        """Quote it in support requests."""
        return request_id_of(self)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.get('code')} {self.request_id}>"

    @property
    def timestamp(self) -> Optional[datetime]:
        """When the service responded, in UTC."""
        return _moment(_mapping(self.get("meta")).get("timestamp"))


class Verification(Envelope[DataT]):
    """
    The result of a successful look-up. `data` is the registry's record: `result["data"]["nin"]` and
    `result.data["nin"]` are the same.
    """

    credits_charged: Optional[int] = None
    """The credits that this response cost: 0 for a free replay, None if the API did not say."""
    idempotency_key: str = ""
    """The key of the call. It permits three free replays within 24 hours."""

    @property
    def replayed(self) -> bool:
        """Whether this response repeats that of an earlier request under the same key, free of charge."""
        return is_replay(self.headers)

    @property
    def verified(self) -> bool:
        return _mapping(self.get("summary")).get("verified") is True

    @property
    def verification_type(self) -> str:
        return str(self.get("verification_type", ""))

    @property
    def provider(self) -> str:
        """The name of the provider that returned the record. "Sandbox" for test keys."""
        return str(_mapping(self.get("summary")).get("provider", ""))

    @property
    def confidence_score(self) -> float:
        return float(_mapping(self.get("summary")).get("confidence_score", 0.0))

    @property
    def match(self) -> Optional[Match]:
        """How the details in `match` compare with the record. None without `match`."""
        return cast(Optional[Match], self.get("match"))


class Balance(Envelope[BalanceData]):
    """The wallet's balance, in credits (integers)."""

    @property
    def available(self) -> int:
        """The credits that can be spent."""
        return self.data["available"]

    @property
    def held(self) -> int:
        """The credits reserved for calls in progress."""
        return self.data["held"]

    @property
    def environment(self) -> Literal["live", "test"]:
        """`live` or `test`."""
        return self.data["environment"]


class Slip(bytes):
    """The PDF of a slip. Its repr omits the content, because a slip contains identity data."""

    credits_charged: Optional[int] = None
    """The credits that this response cost: 0 for a free replay, None if the API did not say."""
    idempotency_key: str = ""
    """The key of the call. It permits three free replays within 24 hours."""
    headers: Headers = Headers()
    """The response's headers. The case of their names does not matter."""

    @property
    def replayed(self) -> bool:
        """Whether this response repeats that of an earlier request under the same key, free of charge."""
        return is_replay(self.headers)

    @property
    def request_id(self) -> Optional[str]:
        """Quote it in support requests."""
        return self.headers.get("X-Request-Id")

    @property
    def rate_limit(self) -> Optional[RateLimit]:
        """The rate limit of the API key, or None if the response does not report it."""
        return rate_limit_of(self.headers)

    def __repr__(self) -> str:
        return f"<Slip {len(self)} bytes {self.request_id}>"

    __str__ = __repr__


class Invoice(Envelope[InvoiceData]):
    """An invoice, receipt, credit note or monthly statement."""


class TopUp(Envelope[TopUpData]):
    """An order for credits."""

    idempotency_key: str = ""
    """The key under which the order was opened. Empty in the result of `top_up`."""

    @property
    def replayed(self) -> bool:
        """Whether this response repeats that of an earlier request under the same key, free of charge."""
        return is_replay(self.headers)

    @property
    def reference(self) -> str:
        return self.data["reference"]

    @property
    def state(self) -> str:
        """`CREDITED` once the credits are in the wallet."""
        return self.data["state"]

    @property
    def checkout_url(self) -> Optional[str]:
        """The page where the order is paid."""
        return self.data["checkout_url"]


class LogEntry(Envelope[LogRecord]):
    """The log entry of one request, without identity data."""


def is_replay(headers: Mapping[str, str]) -> bool:
    return headers.get("Idempotent-Replayed") == "true"


def request_id_of(body: Optional[Mapping[str, Any]]) -> Optional[str]:
    """Returns `meta.request_id` from a body, whose shape is not checked yet."""
    value = _mapping((body or {}).get("meta")).get("request_id")
    return value if isinstance(value, str) and value else None


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _moment(value: object) -> Optional[datetime]:
    # `fromisoformat` accepts the Z only in Python 3.11 and later.
    if not isinstance(value, str) or not value.endswith("Z"):
        return None
    for form in ("%Y-%m-%dT%H:%M:%S.%fZ", "%Y-%m-%dT%H:%M:%SZ"):
        try:
            return datetime.strptime(value, form).replace(tzinfo=timezone.utc)
        except ValueError:
            continue
    return None
