"""A proxy that injects network faults: one for each request, in order."""

import contextlib
import socket
import struct
import threading
from typing import Callable, List, Optional, Tuple, Union

Connection = socket.socket
Fault = Callable[["FaultProxy", Connection, bytes], None]


def forwarded(proxy: "FaultProxy", client: Connection, request: bytes) -> None:
    client.sendall(proxy.forward(request))


def reset_before(_: "FaultProxy", client: Connection, __: bytes) -> None:
    """Resets the connection before the request reaches the API."""
    reset(client)


def reset_after(proxy: "FaultProxy", client: Connection, request: bytes) -> None:
    """Resets the connection after the API has processed and charged the request."""
    proxy.forward(request)
    reset(client)


def half(proxy: "FaultProxy", client: Connection, request: bytes) -> None:
    """Closes the connection cleanly in the middle of the body."""
    response = proxy.forward(request)
    head = response.index(b"\r\n\r\n") + 4
    client.sendall(response[: head + (len(response) - head) // 2])


def slow_body(proxy: "FaultProxy", client: Connection, request: bytes) -> None:
    """Sends the body a byte at a time, so that no single read waits for long."""
    response = proxy.forward(request)
    head = response.index(b"\r\n\r\n") + 4
    client.sendall(response[:head])
    proxy.drip(client, response[head:])


def slow_head(proxy: "FaultProxy", client: Connection, request: bytes) -> None:
    proxy.drip(client, proxy.forward(request))


def late_half(proxy: "FaultProxy", client: Connection, request: bytes) -> None:
    """
    Sends most of the response after 0.5 s, then nothing. If the limit applied to single reads only, the call
    would exceed its timeout.
    """
    response = proxy.forward(request)
    proxy.stopped.wait(0.5)
    client.sendall(response[: len(response) - 10])
    proxy.stopped.wait(30)


def no_response(proxy: "FaultProxy", _: Connection, request: bytes) -> None:
    """Never sends the response, although the API has processed the request."""
    proxy.forward(request)
    proxy.stopped.wait(30)


def not_http(_: "FaultProxy", client: Connection, __: bytes) -> None:
    client.sendall(b"SSH-2.0-OpenSSH_9.2\r\n")


def responds(
    status: str, body: Union[str, bytes], *headers: str, kind: str = "text/html", has_key: bool = False
) -> Fault:
    """
    Returns a fault that sends this response, without sending a request to the API.

    has_key  whether the response has the Idempotency-Key of its request
    """
    content = body.encode() if isinstance(body, str) else body
    lines = [f"HTTP/1.1 {status}", f"Content-Type: {kind}", f"Content-Length: {len(content)}", *headers]

    def fault(_: "FaultProxy", client: Connection, request: bytes) -> None:
        key = [f"Idempotency-Key: {header_of(request, 'Idempotency-Key')}"] if has_key else []
        client.sendall("\r\n".join([*lines, *key, "Connection: close", "", ""]).encode() + content)

    return fault


PAGE = "<html><head><title>Bad gateway</title></head><body>nginx</body></html>"


def reset(client: Connection) -> None:
    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    client.close()


class FaultProxy:
    def __init__(self, upstream: Tuple[str, int], *faults: Fault) -> None:
        self.faults: List[Fault] = list(faults)
        self.requests: List[bytes] = []
        self.stopped = threading.Event()
        self._upstream = upstream
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.base_url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self._threads: List[threading.Thread] = []
        self._start(self._accept)

    def __enter__(self) -> "FaultProxy":
        return self

    def __exit__(self, *_: object) -> None:
        self.stopped.set()
        # close() alone does not end a thread that waits in accept().
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for thread in self._threads:
            thread.join(10)

    def header(self, name: str) -> List[Optional[str]]:
        """Returns the header's value in each received request."""
        return [header_of(request, name) for request in self.requests]

    def forward(self, request: bytes) -> bytes:
        """Forwards the request and returns the API's complete response."""
        head, _, body = request.partition(b"\r\n\r\n")
        lines = [line for line in head.split(b"\r\n") if not line.lower().startswith(b"connection:")]
        with socket.create_connection(self._upstream) as upstream:
            upstream.sendall(b"\r\n".join([*lines, b"Connection: close", b"", body]))
            return b"".join(iter(lambda: upstream.recv(65536), b""))

    def drip(self, client: Connection, content: bytes) -> None:
        for position in range(len(content)):
            if self.stopped.wait(0.05):
                return
            client.sendall(content[position : position + 1])

    def _start(self, work: Callable[..., None], *arguments: object) -> None:
        thread = threading.Thread(target=work, args=arguments, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while not self.stopped.is_set():
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            self._start(self._serve, client)

    def _serve(self, client: Connection) -> None:
        # Many tests make the client disconnect early.
        with client, contextlib.suppress(OSError):
            request = read_request(client)
            if request:
                self.requests.append(request)
                fault = self.faults.pop(0) if self.faults else forwarded
                fault(self, client, request)


def header_of(request: bytes, name: str) -> Optional[str]:
    """Returns the value of a header, or None if the request does not have it."""
    lines = request.split(b"\r\n\r\n")[0].decode().split("\r\n")[1:]
    fields = dict(line.split(": ", 1) for line in lines if line)
    return {key.lower(): value for key, value in fields.items()}.get(name.lower())


def read_request(client: Connection) -> bytes:
    content = b""
    while b"\r\n\r\n" not in content:
        part = client.recv(65536)
        if not part:
            return b""
        content += part
    head, _, body = content.partition(b"\r\n\r\n")
    lengths = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
    missing = int(lengths[0].split(b":")[1]) - len(body) if lengths else 0
    while missing > 0:
        part = client.recv(65536)
        if not part:
            return b""
        content += part
        missing -= len(part)
    return content
