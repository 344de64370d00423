"""An API server with connections that stay open, which can send responses that nobody asked for."""

import contextlib
import json
import re
import socket
import ssl
import threading
import time
from typing import Callable, Dict, List, Optional

from .fault_proxy import header_of

INTERIM = (
    b"HTTP/1.1 100 Continue\r\n\r\n"
    b"HTTP/1.1 102 Processing\r\n\r\n"
    b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
)


class PersonServer:
    """
    interim    sent before each response
    extra      when each response is sent a second time: `at once`, `late` (20 ms later), or never
    slow       the number whose response comes `delay_s` late
    echoes     whether responses carry the Idempotency-Key of their request
    people     the numbers of the records that were sent, by idempotency key. A key is charged once

    before_response  called when a request has arrived
    """

    def __init__(
        self,
        *,
        interim: bytes = b"",
        extra: str = "",
        echoes: bool = True,
        slow: str = "",
        delay_s: float = 0,
        tls: Optional[ssl.SSLContext] = None,
        before_response: Callable[[], object] = lambda: None,
    ) -> None:
        self.people: Dict[str, str] = {}
        self.connections = 0
        self._before_response = before_response
        self._slow, self._delay_s = slow, delay_s
        self._interim, self._extra, self._echoes, self._tls = interim, extra, echoes, tls
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=256)
        scheme, host = ("http", "127.0.0.1") if tls is None else ("https", "localhost")
        self.base_url = f"{scheme}://{host}:{self._listener.getsockname()[1]}"
        self._sockets: List[socket.socket] = []
        self._accepting = threading.Thread(target=self._accept, daemon=True)
        self._accepting.start()

    def __enter__(self) -> "PersonServer":
        return self

    def __exit__(self, *_: object) -> None:
        for each in (self._listener, *self._sockets):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._accepting.join(10)

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            self.connections += 1
            self._sockets.append(client)
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        with contextlib.suppress(OSError, ValueError):
            connection = client if self._tls is None else self._tls.wrap_socket(client, server_side=True)
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            with connection, connection.makefile("rb") as received:
                # Requests of several processes may arrive on one connection at the same time.
                while received.peek(1):
                    lines = b"".join(iter(received.readline, b"\r\n"))
                    body = received.read(int(header_of(lines, "Content-Length") or 0))
                    response = self._response(lines + b"\r\n" + body)
                    connection.sendall(self._interim + response * (2 if self._extra == "at once" else 1))
                    if self._extra == "late":
                        threading.Thread(target=_send_late, args=(connection, response), daemon=True).start()

    def _response(self, request: bytes) -> bytes:
        key = header_of(request, "Idempotency-Key") or ""
        sent = json.loads(request.partition(b"\r\n\r\n")[2] or b"{}")
        number = re.sub("[^0-9]", "", sent.get("id_number", sent.get("nin", "")))
        is_premium = b"premium" in request.partition(b"\r\n")[0]
        is_replay = key in self.people
        self.people[key] = number
        self._before_response()
        time.sleep(self._delay_s if number == self._slow else 0.002)
        if "nin" in sent:
            kind, content = "application/pdf", b"%PDF-1.7\n" + number.encode() + b"\n%%EOF\n"
        else:
            kind = "application/json"
            content = json.dumps(
                {
                    "success": True,
                    "code": "NIN_VERIFIED",
                    "message": "NIN verified.",
                    "verification_type": "NIN",
                    "summary": {"verified": True},
                    "data": {
                        "nin": number,
                        "photo": "A" * 20_000,
                        **({"tracking_id": ""} if is_premium else {}),
                    },
                    "meta": {"request_id": "req_0123456789ab", "timestamp": "2026-01-15T09:30:00.000Z"},
                }
            ).encode()
        lines = [
            "HTTP/1.1 200 OK",
            f"Content-Type: {kind}",
            f"Content-Length: {len(content)}",
            f"X-Credits-Charged: {0 if is_replay else 1}",
            *([f"Idempotency-Key: {key}"] if self._echoes else []),
            *(
                [f'Content-Disposition: attachment; filename="premium_{number}_slip.pdf"']
                if "nin" in sent
                else []
            ),
        ]
        return "\r\n".join([*lines, "", ""]).encode() + content


def _send_late(connection: socket.socket, response: bytes) -> None:
    time.sleep(0.02)
    with contextlib.suppress(OSError, ValueError):
        connection.sendall(response)
