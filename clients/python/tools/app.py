"""An application with one client, which is created before the server forks."""

from typing import Any, Callable, Iterable, List

from ng_identity import AsyncIdentityClient, IdentityClient

NIN = "12345678901"
CLIENT = IdentityClient()
CLIENT.balance()  # so that a connection exists before the fork


def wsgi(_: Any, start_response: Callable[..., Any]) -> Iterable[bytes]:
    name = CLIENT.verify("NIN", NIN).data["firstname"]
    start_response("200 OK", [("Content-Type", "text/plain")])
    return [name.encode()]


def _asgi() -> Any:
    from starlette.applications import Starlette
    from starlette.responses import PlainTextResponse
    from starlette.routing import Route

    client = AsyncIdentityClient()

    async def look_up(_: Any) -> Any:
        return PlainTextResponse((await client.verify("NIN", NIN)).data["firstname"])

    routes: List[Any] = [Route("/", look_up)]
    return Starlette(routes=routes)


def __getattr__(name: str) -> Any:
    if name == "asgi":
        return _asgi()
    raise AttributeError(name)
