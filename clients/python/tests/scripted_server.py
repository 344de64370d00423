"""The server of the conformance table (clients/README.md): one step for each request."""

import contextlib
import json
import socket
import struct
import threading
from typing import Any, Dict, List, Mapping, Optional, Tuple

from .fault_proxy import header_of, read_request
from .virtual_time import Clock

Response = Tuple[bytes, bytes]
"""The head and the body."""


class ScriptedServer:
    """
    responses   the responses of the table, by name
    success     the response that the name `success` means
    attempt_s   the longest time that a client waits for a response
    deadline_s  when the call ends, on the clock
    """

    def __init__(
        self,
        steps: List[Dict[str, Any]],
        responses: Mapping[str, Any],
        success: str,
        clock: Clock,
        attempt_s: float,
        deadline_s: float,
    ) -> None:
        self.requests: List[bytes] = []
        self.is_hanging = threading.Event()
        """Set once the clock has moved to the end of an attempt that hangs."""
        self._steps = steps
        self._responses = {**responses, "success": responses[success]}
        self._clock = clock
        self._attempt_s = attempt_s
        self._deadline_s = deadline_s
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.base_url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self._threads = [threading.Thread(target=self._accept, daemon=True)]
        self._threads[0].start()

    def __enter__(self) -> "ScriptedServer":
        return self

    def __exit__(self, *_: object) -> None:
        # close() alone does not end a thread that waits in accept().
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for thread in self._threads:
            thread.join(10)

    def hangs_next(self) -> bool:
        """Whether the response to the next request will not be complete."""
        return bool(self._steps) and "hang" in self._steps[min(len(self.requests), len(self._steps) - 1)]

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            thread = threading.Thread(target=self._serve, args=(client,), daemon=True)
            self._threads.append(thread)
            thread.start()

    def _serve(self, client: socket.socket) -> None:
        with client, contextlib.suppress(OSError):
            request = read_request(client)
            if not request:
                return
            step = self._steps[min(len(self.requests), len(self._steps) - 1)]
            self.requests.append(request)
            self._clock.advance(step.get("after_s", 0))
            self._play(client, step)

    def _play(self, client: socket.socket, step: Dict[str, Any]) -> None:
        if "raw" in step:
            client.sendall(step["raw"].encode())
            return
        head, body = self._response(step, header_of(self.requests[-1], "Idempotency-Key"))
        if step.get("interim"):
            client.sendall(b"HTTP/1.1 103 Early Hints\r\nLink: </style.css>\r\n\r\n")
        hang, cut = step.get("hang"), step.get("cut")
        if hang is not None:
            self._hang(client, head + body[: len(body) // 2] if hang == "body" else b"", b"HTTP"[:1])
        elif cut == "head":
            client.sendall(head[:20])
        elif cut in ("body", "body_reset"):
            client.sendall(head + body[: len(body) // 2])
        elif cut is None:
            client.sendall(head + body)
        if cut in ("reset", "body_reset"):
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

    def _hang(self, client: socket.socket, sent: bytes, last: bytes) -> None:
        """
        Moves the clock to the end of the attempt and sends one more byte, so that the client looks at the
        clock. Then waits until the client has given up.
        """
        client.sendall(sent)
        remaining_s = min(self._attempt_s, self._deadline_s - self._clock.now())
        self._clock.advance(remaining_s + 1e-9)
        self.is_hanging.set()
        client.sendall(last)
        while client.recv(1024):
            pass

    def _response(self, step: Dict[str, Any], key: Optional[str]) -> Response:
        response = self._responses[step.get("send", "success")]
        kind = response.get("type", "application/json")
        if "text" in response:
            body = response["text"].encode()
        else:
            body = json.dumps(response.get("json", _envelope(response))).encode()
        headers = {"Idempotency-Key": key, **response.get("headers", {}), **step.get("headers", {})}
        lines = [f"HTTP/1.1 {response['status']} Status", f"Content-Type: {kind}", "Connection: close"]
        lines.append(f"Content-Length: {len(body)}")
        lines += [f"{name}: {value}" for name, value in headers.items() if value is not None]
        return "\r\n".join([*lines, "", ""]).encode(), body


def _envelope(response: Mapping[str, Any]) -> Dict[str, Any]:
    envelope = {
        "success": False,
        "code": response.get("code"),
        "message": "A message.",
        "data": None,
        "meta": {"request_id": "req_0123456789ab", "timestamp": "2026-01-15T09:30:00.000Z"},
    }
    return {**envelope, "error": response["error"]} if "error" in response else envelope
