"""Writes the blocking client, `_client.py`. Run it after each change of `_async_client.py`."""

from pathlib import Path

PACKAGE = Path(__file__).resolve().parent / "src" / "ng_identity"
CLIENT = PACKAGE / "_client.py"

REPLACEMENTS = (
    (
        "The asynchronous client, from which generate_client.py generates the blocking one.",
        "The blocking client. generate_client.py generates it from the asynchronous one: do not edit it.",
    ),
    ("from asyncio import sleep\n", "from time import sleep\n"),
    ("TypeVar, overload\n", "TypeVar, overload\n\nimport requests\n"),
    ("    import httpx\n", ""),
    (" for asyncio. ", ". "),
    ("http_client  your own httpx.AsyncClient", "session      your own requests.Session"),
    (
        "but not the system's DNS\n                 look-up. A call that is known not to be charged is "
        "retried only while 28 seconds of it\n                 remain, because the service may need that "
        "long\n",
        "but not the system's DNS\n                 look-up. Each read of the head of a response may take as "
        "long, and with your own\n                 session also each read of its body. A call that is known "
        "not to be charged is\n                 retried only while 28 seconds of it remain, because the "
        "service may need that long\n",
    ),
    (
        """
    The calls of one client can run concurrently. Each event loop has its own connections, unless you pass a
    client. Close it with `await client.close()`, or use it in an `async with` block. Raises ImportError
    without httpx (`pip install "ng-identity[async]"`), AuthenticationError without a usable key, and
    ValueError for any other invalid setting.
""",
        """
    A client is thread-safe and reuses its connections. A forked process opens its own, unless you pass a
    session. Raises AuthenticationError without a usable key, and ValueError for any other invalid setting.
""",
    ),
    ("A client that you supplied", "A session that you supplied"),
    ('"Optional[httpx.AsyncClient]"', "Optional[requests.Session]"),
    ("http_client", "session"),
    ("async_transport", "Transport"),
    ("AsyncIdentityClient", "IdentityClient"),
    ("AsyncTransactions", "Transactions"),
    ("AsyncIterator", "Iterator"),
    ("__aenter__", "__enter__"),
    ("__aexit__", "__exit__"),
    ("__aiter__", "__iter__"),
    ("__anext__", "__next__"),
    ("async def", "def"),
    ("async for", "for"),
    ("await ", ""),
    ("for entry in page.entries:\n                yield entry\n", "yield from page.entries\n"),
)


def blocking_client() -> str:
    text = (PACKAGE / "_async_client.py").read_text(encoding="utf-8")
    for asynchronous, blocking in REPLACEMENTS:
        if asynchronous not in text:
            raise ValueError(f"_async_client.py does not contain {asynchronous!r}")
        text = text.replace(asynchronous, blocking)
    return text


if __name__ == "__main__":
    CLIENT.write_text(blocking_client(), encoding="utf-8")
