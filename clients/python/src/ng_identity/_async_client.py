"""The asynchronous client, from which generate_client.py generates the blocking one."""

from asyncio import sleep
from typing import TYPE_CHECKING, Any, AsyncIterator, List, Literal, Mapping, Optional, TypeVar, overload

from . import _calls
from ._base import (
    DEFAULT_MAX_RETRIES,
    DEFAULT_TIMEOUT_S,
    BaseClient,
    ClaimedDetails,
    key_from,
    next_delay_s,
    read_response,
)
from ._calls import Call, Charged, Claim, Page
from ._checks import Level, Method, Moment
from ._models import (
    Bank,
    BvnBasicRecord,
    BvnNumber,
    BvnPremiumRecord,
    CacBasicRecord,
    CacPremiumRecord,
    CompanyType,
    DocumentKind,
    IdType,
    InvoiceSummary,
    KeyUse,
    Lot,
    Me,
    NinBasicRecord,
    NinNumber,
    NinPremiumRecord,
    NubanRecord,
    Outcome,
    RejectedRequests,
    Service,
    SlipType,
    TinRecord,
    Transaction,
    TransactionType,
    VerificationSummary,
)
from ._results import Balance, Invoice, LogEntry, Slip, TopUp, Verification
from ._retry import AttemptError
from ._slip_file import Path, SlipFile
from ._transport import async_transport

if TYPE_CHECKING:
    import httpx
    from typing_extensions import Unpack

    from ._base import (
        CacGatewayOptions,
        CacOptions,
        GatewayOptions,
        NubanGatewayOptions,
        NubanOptions,
        Options,
        PersonOptions,
        TinGatewayOptions,
    )

T = TypeVar("T")


class AsyncTransactions(AsyncIterator[Transaction]):
    """
    Iterates over the wallet's charges and credits.

    opening_balance  the balance at the start of the range, or None before the first page has arrived
    closing_balance  the balance at the end of the last page that has arrived, or None
    """

    def __init__(self, pages: AsyncIterator[Page]) -> None:
        self.opening_balance: Optional[int] = None
        self.closing_balance: Optional[int] = None
        self._entries = self._read(pages)

    def __aiter__(self) -> "AsyncTransactions":
        return self

    async def __anext__(self) -> Transaction:
        return await self._entries.__anext__()

    async def _read(self, pages: AsyncIterator[Page]) -> AsyncIterator[Transaction]:
        async for page in pages:
            if self.opening_balance is None:
                self.opening_balance = page.data.get("opening_balance")
            self.closing_balance = page.data.get("closing_balance")
            for entry in page.entries:
                yield entry


class AsyncIdentityClient(BaseClient):
    """
    A client of the identity verification API for asyncio. Its methods raise IdentityError if a call fails,
    and ValueError for an invalid argument, before any request.

    api_key      default: the environment variable NG_IDENTITY_API_KEY
    timeout      seconds for a whole call, including all retries and delays, but not the system's DNS
                 look-up. A call that is known not to be charged is retried only while 28 seconds of it
                 remain, because the service may need that long
    base_url     default: the environment variable NG_IDENTITY_BASE_URL. Must be https, or http to this
                 machine
    http_client  your own httpx.AsyncClient (for proxies, certificates or tests), which you also close
    max_retries  the maximum number of retries. The README lists the failures after which the client retries.
                 Retries while another call with the same key is in progress do not count, but 0 disables
                 them too. Every retry carries the idempotency key of the first attempt, so it never charges
                 twice
    headers      additional headers for every request, for example for a proxy

    The calls of one client can run concurrently. Each event loop has its own connections, unless you pass a
    client. Close it with `await client.close()`, or use it in an `async with` block. Raises ImportError
    without httpx (`pip install "ng-identity[async]"`), AuthenticationError without a usable key, and
    ValueError for any other invalid setting.
    """

    def __init__(
        self,
        api_key: Optional[str] = None,
        timeout: float = DEFAULT_TIMEOUT_S,
        *,
        base_url: Optional[str] = None,
        http_client: "Optional[httpx.AsyncClient]" = None,
        max_retries: int = DEFAULT_MAX_RETRIES,
        headers: Optional[Mapping[str, str]] = None,
    ) -> None:
        key = key_from(api_key)
        del api_key  # so that no later traceback shows it
        super().__init__(key, timeout, base_url, max_retries, headers)
        self._transport = async_transport(self._base_url, http_client)

    @overload
    async def verify(
        self,
        id_type: Literal["NIN"],
        id_number: str,
        advance: bool = ...,
        *,
        match: ClaimedDetails,
        match_only: Literal[True],
        **options: "Unpack[Options]",
    ) -> Verification[NinNumber]: ...
    @overload
    async def verify(
        self,
        id_type: Literal["BVN"],
        id_number: str,
        advance: bool = ...,
        *,
        match: ClaimedDetails,
        match_only: Literal[True],
        **options: "Unpack[Options]",
    ) -> Verification[BvnNumber]: ...
    @overload
    async def verify(
        self,
        id_type: Literal["NIN"],
        id_number: str,
        advance: Literal[True],
        **options: "Unpack[PersonOptions]",
    ) -> Verification[NinPremiumRecord]: ...
    @overload
    async def verify(
        self, id_type: Literal["NIN"], id_number: str, advance: bool = ..., **options: "Unpack[PersonOptions]"
    ) -> Verification[NinBasicRecord]: ...
    @overload
    async def verify(
        self,
        id_type: Literal["BVN"],
        id_number: str,
        advance: Literal[True],
        **options: "Unpack[PersonOptions]",
    ) -> Verification[BvnPremiumRecord]: ...
    @overload
    async def verify(
        self, id_type: Literal["BVN"], id_number: str, advance: bool = ..., **options: "Unpack[PersonOptions]"
    ) -> Verification[BvnBasicRecord]: ...
    @overload
    async def verify(
        self, id_type: Literal["CAC"], id_number: str, advance: Literal[True], **options: "Unpack[CacOptions]"
    ) -> Verification[CacPremiumRecord]: ...
    @overload
    async def verify(
        self, id_type: Literal["CAC"], id_number: str, advance: bool = ..., **options: "Unpack[CacOptions]"
    ) -> Verification[CacBasicRecord]: ...
    @overload
    async def verify(
        self, id_type: Literal["TIN"], id_number: str, **options: "Unpack[Options]"
    ) -> Verification[TinRecord]: ...
    @overload
    async def verify(
        self, id_type: Literal["NUBAN"], id_number: str, **options: "Unpack[NubanOptions]"
    ) -> Verification[NubanRecord]: ...
    @overload
    async def verify(
        self, id_type: IdType, id_number: str, *, advance: bool = ..., **options: "Unpack[Options]"
    ) -> Verification[Any]: ...
    async def verify(
        self,
        id_type: IdType,
        id_number: str,
        advance: bool = False,
        *,
        company_type: Optional[CompanyType] = None,
        bank_code: Optional[str] = None,
        match: Optional[ClaimedDetails] = None,
        match_only: bool = False,
        idempotency_key: Optional[str] = None,
        reference: Optional[str] = None,
        consent: Optional[str] = None,
        reason: Optional[str] = None,
    ) -> Verification[Any]:
        """
        Verifies a number of type "NIN", "BVN", "CAC", "TIN" or "NUBAN". Costs one credit if a record is
        found, and nothing otherwise. Raises ValueError, before any request, for a malformed number, which is
        also a ValidationError, and for options that the type does not support.

        advance          True returns the complete record (Premium). NIN, BVN and CAC only
        company_type     CAC only: "RC", "BN", "IT", "LP" or "LLP", if the number consists of digits only
        bank_code        NUBAN only: a code that banks() returns. Live keys normally require it
        match            NIN and BVN only: the details that the person has given you, as a dict. The API
                         compares them with the record. The result has `match`
        match_only       True returns the match and no record: `data` contains only the number
        idempotency_key  8 to 255 printable ASCII characters, without the number. Default: a new key for each
                         call. Pass the key of an earlier error to get that call's data without a second
                         charge
        reference        your own reference, up to 100 printable characters without the number. To find the
                         request later, use verifications(reference=...)
        consent, reason  up to 200 characters each, stored with the log entry. The API rejects invisible
                         characters and numbers of 10 or more digits
        """
        charged = Charged(idempotency_key, reference, consent, reason)
        claim = Claim(match, match_only)
        call = _calls.verify(id_type, id_number, advance, company_type, bank_code, claim, charged)
        return await self._run(call)

    @overload
    async def verify_gateway(
        self,
        id_type: Literal["NIN"],
        id_number: str,
        *,
        match: ClaimedDetails,
        match_only: Literal[True],
        level: Level = ...,
        method: Literal["identity"] = ...,
        country: Literal["NG"] = ...,
        **options: "Unpack[Options]",
    ) -> Verification[NinNumber]: ...
    @overload
    async def verify_gateway(
        self,
        id_type: Literal["BVN"],
        id_number: str,
        *,
        match: ClaimedDetails,
        match_only: Literal[True],
        level: Level = ...,
        method: Literal["identity"] = ...,
        country: Literal["NG"] = ...,
        **options: "Unpack[Options]",
    ) -> Verification[BvnNumber]: ...
    @overload
    async def verify_gateway(
        self,
        id_type: Literal["NIN"],
        id_number: str,
        *,
        level: Literal["advanced"],
        method: Method = ...,
        **options: "Unpack[GatewayOptions]",
    ) -> Verification[NinPremiumRecord]: ...
    @overload
    async def verify_gateway(
        self,
        id_type: Literal["NIN"],
        id_number: str,
        *,
        level: Level = ...,
        method: Literal["identity"] = ...,
        **options: "Unpack[GatewayOptions]",
    ) -> Verification[NinBasicRecord]: ...
    @overload
    async def verify_gateway(
        self,
        id_type: Literal["BVN"],
        id_number: str,
        *,
        level: Literal["advanced"],
        method: Method = ...,
        **options: "Unpack[GatewayOptions]",
    ) -> Verification[BvnPremiumRecord]: ...
    @overload
    async def verify_gateway(
        self,
        id_type: Literal["BVN"],
        id_number: str,
        *,
        level: Level = ...,
        method: Literal["identity"] = ...,
        **options: "Unpack[GatewayOptions]",
    ) -> Verification[BvnBasicRecord]: ...
    @overload
    async def verify_gateway(
        self,
        id_type: Literal["CAC"],
        id_number: str,
        *,
        level: Literal["advanced"],
        method: Literal["identity"] = ...,
        **options: "Unpack[CacGatewayOptions]",
    ) -> Verification[CacPremiumRecord]: ...
    @overload
    async def verify_gateway(
        self,
        id_type: Literal["CAC"],
        id_number: str,
        *,
        level: Level = ...,
        method: Literal["identity"] = ...,
        **options: "Unpack[CacGatewayOptions]",
    ) -> Verification[CacBasicRecord]: ...
    @overload
    async def verify_gateway(
        self,
        id_type: Literal["TIN"],
        id_number: str,
        *,
        level: Literal["basic"] = ...,
        method: Literal["identity"] = ...,
        **options: "Unpack[TinGatewayOptions]",
    ) -> Verification[TinRecord]: ...
    @overload
    async def verify_gateway(
        self,
        id_type: Literal["NUBAN"],
        id_number: str,
        *,
        level: Literal["basic"] = ...,
        method: Literal["identity"] = ...,
        **options: "Unpack[NubanGatewayOptions]",
    ) -> Verification[NubanRecord]: ...
    async def verify_gateway(
        self,
        id_type: IdType,
        id_number: str,
        *,
        level: Level = "basic",
        method: Method = "identity",
        country: Literal["NG"] = "NG",
        company_type: Optional[CompanyType] = None,
        bank_code: Optional[str] = None,
        match: Optional[ClaimedDetails] = None,
        match_only: bool = False,
        idempotency_key: Optional[str] = None,
        reference: Optional[str] = None,
        consent: Optional[str] = None,
        reason: Optional[str] = None,
    ) -> Verification[Any]:
        """
        Verifies a number through the unified gateway. `level` "advanced" is for NIN, BVN and CAC. With
        `method` "biometric" (NIN and BVN, advanced only), the call fails unless the record has a usable
        photo. The other arguments are those of `verify`.
        """
        charged = Charged(idempotency_key, reference, consent, reason)
        claim = Claim(match, match_only)
        options = _calls.GatewayOptions(level, method, country, company_type, bank_code)
        call = _calls.verify_gateway(id_type, id_number, options, claim, charged)
        return await self._run(call)

    async def download_slip(
        self,
        nin: str,
        slip_type: SlipType,
        to: Optional[Path] = None,
        *,
        match: Optional[ClaimedDetails] = None,
        idempotency_key: Optional[str] = None,
        reference: Optional[str] = None,
        consent: Optional[str] = None,
        reason: Optional[str] = None,
    ) -> Slip:
        """
        Downloads the PDF slip of a NIN that your organisation has verified before, as bytes. Costs one
        credit. `slip_type` is "regular", "improved" or "premium". If you pass `to`, the slip is also
        written to that file, which only its owner can read, and which is never left incomplete. The file is
        opened before the request, so an invalid path costs nothing. `match` is a dict of the details that the
        person has given you: if they match the record, the slip says "Details confirmed".
        """
        charged = Charged(idempotency_key, reference, consent, reason)
        call = _calls.download_slip(nin, slip_type, match, charged)
        if to is None:
            return await self._run(call)
        with SlipFile(to) as file:
            slip = await self._run(call)
            file.write(slip)
        return slip

    async def banks(self) -> List[Bank]:
        """Returns the banks whose accounts can be verified, with the codes that `bank_code` accepts."""
        return await self._run(_calls.banks())

    async def me(self) -> Me:
        """Returns what the API key may do, with its organisation and its limits."""
        return await self._run(_calls.me())

    async def balance(self) -> Balance:
        """Returns the wallet balance of the key's organisation and environment."""
        return await self._run(_calls.balance())

    def transactions(
        self,
        *,
        from_: Optional[Moment] = None,
        to: Optional[Moment] = None,
        type: Optional[TransactionType] = None,  # noqa: A002 the API's name
        page_size: Optional[int] = None,
    ) -> AsyncTransactions:
        """
        Iterates over the wallet's charges and credits, oldest first, and fetches pages as needed. The range
        starts at `from_` (default: the first day of the month of `to`) and ends before `to` (default: now).
        `type` is "debit" or "credit".
        """
        return AsyncTransactions(self._pages(_calls.transactions(from_, to, type, page_size)))

    def lots(self, *, page_size: Optional[int] = None) -> AsyncIterator[Lot]:
        """
        Iterates over the wallet's lots, oldest first: groups of credits that were added together, each with
        its price and an estimate of how many of its credits are left.
        """
        return self._entries(_calls.lots(page_size))

    def invoices(
        self, *, kind: Optional[DocumentKind] = None, page_size: Optional[int] = None
    ) -> AsyncIterator[InvoiceSummary]:
        """
        Iterates over invoices, receipts, credit notes and monthly statements, newest first. `kind` selects
        one of these four, such as "INVOICE".
        """
        return self._entries(_calls.invoices(kind, page_size))

    async def invoice(self, number: str) -> Invoice:
        """Returns an invoice, receipt, credit note or statement."""
        return await self._run(_calls.invoice(number))

    async def download_invoice(self, number: str, to: Optional[Path] = None) -> bytes:
        """
        Returns the PDF of a document. If you pass `to`, it is also written to that file, which only its owner
        can read.
        """
        call = _calls.download_invoice(number)
        if to is None:
            return await self._run(call)
        with SlipFile(to) as file:
            pdf = await self._run(call)
            file.write(pdf)
        return pdf

    async def revoke_slip(self, request_id: str) -> None:
        """Withdraws a slip, on which `request_id` is printed. Repeating the call is harmless. Free."""
        await self._run(_calls.revoke_slip(request_id))

    async def start_top_up(
        self,
        credits: int,  # noqa: A002 the API's name
        *,
        return_url: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> TopUp:
        """
        Opens an order for credits. `checkout_url` of the result is the page where it is paid. The call costs
        no credits. The API key needs the scope wallet:pay.

        return_url       your https page, to which the buyer returns after the payment
        idempotency_key  8 to 255 printable ASCII characters. Repeating the call with the same key returns the
                         same order. Default: a new key for each call
        """
        return await self._run(_calls.start_top_up(credits, return_url, idempotency_key))

    async def top_up(self, reference: str) -> TopUp:
        """Returns an order. The credits are in the wallet once its `state` is "CREDITED"."""
        return await self._run(_calls.top_up(reference))

    async def verification(self, request_id: str) -> LogEntry:
        """Returns the log entry of an earlier request, without identity data."""
        return await self._run(_calls.verification(request_id))

    def verifications(
        self,
        *,
        reference: Optional[str] = None,
        from_: Optional[Moment] = None,
        to: Optional[Moment] = None,
        service: Optional[Service] = None,
        outcome: Optional[Outcome] = None,
        idempotency_key: Optional[str] = None,
        page_size: Optional[int] = None,
    ) -> AsyncIterator[VerificationSummary]:
        """
        Iterates over the requests of your organisation in this environment, newest first, and fetches pages
        as needed. The range starts at `from_` (default: the oldest request) and ends before `to` (default:
        now). A request appears a moment after its response.

        reference        only requests with exactly this reference
        service          only requests to this service, such as "nin-basic"
        outcome          only requests with this outcome, such as "FOUND"
        idempotency_key  only requests with this key, of the last 30 days. Not together with other arguments.
                         `key_uses` returns whether one was charged
        """
        filters = {"reference": reference, "service": service, "outcome": outcome}
        return self._entries(
            _calls.verifications(from_, to, page_size, idempotency_key=idempotency_key, **filters)
        )

    async def key_uses(self, idempotency_key: str) -> List[KeyUse]:
        """Returns whether a call with this key was charged, for each route that received it."""
        return await self._run(_calls.key_uses(idempotency_key))

    def rejected_requests(
        self,
        *,
        from_: Optional[Moment] = None,
        to: Optional[Moment] = None,
        page_size: Optional[int] = None,
    ) -> AsyncIterator[RejectedRequests]:
        """
        Iterates over the requests that were rejected before the look-up, for example because the wallet was
        empty, newest first. Each entry counts the requests with one key and code in one minute. They are kept
        for 7 days.
        """
        return self._entries(_calls.rejected_requests(from_, to, page_size))

    async def close(self) -> None:
        """Closes the connections. Later calls raise RuntimeError. A client that you supplied stays open."""
        await self._transport.close()

    async def __aenter__(self) -> "AsyncIdentityClient":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def _entries(self, first: Call[Page]) -> AsyncIterator[Any]:
        async for page in self._pages(first):
            for entry in page.entries:
                yield entry

    async def _pages(self, first: Call[Page]) -> AsyncIterator[Page]:
        following: Optional[Call[Page]] = first
        while following is not None:
            page = await self._run(following)
            yield page
            following = page.following

    async def _run(self, call: Call[T]) -> T:
        attempts = self._attempts(call)
        while True:
            try:
                response = await self._transport.send(call.request, self._headers, self._key, attempts)
                return read_response(call, response)
            except AttemptError as attempt:
                failed = attempt
            await sleep(next_delay_s(call, attempts, failed))
