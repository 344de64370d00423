"""Servers with which no connection is established, for the list `connections` of the conformance table."""

# cspell:ignore serialization SECP SECLEVEL

import contextlib
import datetime
import socket
import ssl
import struct
import threading
import warnings
from pathlib import Path
from typing import Any, Dict, List

from .fault_proxy import read_request

KEY_USAGES = (
    *("digital_signature", "content_commitment", "key_encipherment", "data_encipherment", "key_agreement"),
    *("key_cert_sign", "crl_sign", "encipher_only", "decipher_only"),
)


class Certificates:
    """The certificates of an authority, and of servers for `localhost`, in a folder."""

    def __init__(self, folder: Path) -> None:
        with warnings.catch_warnings():
            # The library warns that it will drop Python 3.8.
            warnings.simplefilter("ignore")
            from cryptography import x509
            from cryptography.hazmat.primitives import hashes, serialization
            from cryptography.hazmat.primitives.asymmetric import ec

        def signed(name: str, issuer: Any, usage: Any) -> Any:
            key = ec.generate_private_key(ec.SECP256R1())
            subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
            now = datetime.datetime.now(datetime.timezone.utc)
            builder = (
                x509.CertificateBuilder()
                .subject_name(subject)
                .issuer_name(issuer[1].subject if issuer else subject)
                .public_key(key.public_key())
                .serial_number(x509.random_serial_number())
                .not_valid_before(now - datetime.timedelta(hours=1))
                .not_valid_after(now + datetime.timedelta(days=1))
                .add_extension(x509.BasicConstraints(ca=usage is None, path_length=None), critical=True)
                .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
                # Python 3.13 requires these.
                .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
                .add_extension(
                    x509.AuthorityKeyIdentifier.from_issuer_public_key((issuer or (key,))[0].public_key()),
                    critical=False,
                )
            )
            if usage is None:
                signs = dict.fromkeys(KEY_USAGES, False)
                signs.update(key_cert_sign=True, crl_sign=True)
                builder = builder.add_extension(x509.KeyUsage(**signs), critical=True)
            else:
                builder = builder.add_extension(x509.ExtendedKeyUsage([usage]), critical=False)
            certificate = builder.sign(issuer[0] if issuer else key, hashes.SHA256())
            pem = serialization.Encoding.PEM
            form = serialization.PrivateFormat.TraditionalOpenSSL
            secret = key.private_bytes(pem, form, serialization.NoEncryption())
            (folder / f"{name}.pem").write_bytes(certificate.public_bytes(pem) + secret)
            return key, certificate

        usages = x509.oid.ExtendedKeyUsageOID
        authority = signed("authority", None, None)
        signed("server", authority, usages.SERVER_AUTH)
        signed("no_server_auth", authority, usages.CLIENT_AUTH)
        signed("untrusted", None, usages.SERVER_AUTH)
        self.folder = folder
        self.authority = str(folder / "authority.pem")

    def context(self, fault: str) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        name = fault if fault in ("no_server_auth", "untrusted") else "server"
        context.load_cert_chain(str(self.folder / f"{name}.pem"))
        if fault.startswith("client_certificate"):
            context.verify_mode = ssl.CERT_REQUIRED
            context.load_verify_locations(self.authority)
        if fault == "client_certificate_1_2":
            context.maximum_version = ssl.TLSVersion.TLSv1_2
        if fault == "tls_1_1":
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                context.minimum_version = context.maximum_version = ssl.TLSVersion.TLSv1_1
            context.set_ciphers("DEFAULT@SECLEVEL=0")
        return context


class ConnectionServer:
    """
    connections  how many connections it received, as the server or the proxy
    requests     how many complete requests, which would be charged
    """

    def __init__(self, fault: str, certificates: Certificates) -> None:
        self.connections = 0
        self.requests = 0
        self.environment: Dict[str, str] = {"SSL_CERT_FILE": certificates.authority}
        self._fault = fault
        self._context = certificates.context(fault)
        self._listener = socket.create_server(("127.0.0.1", 0))
        port = self._listener.getsockname()[1]
        self.base_url = f"https://localhost:{port}"
        if fault.startswith("proxy"):
            self.base_url = "https://api.example.com"
            self.environment["HTTPS_PROXY"] = f"http://127.0.0.1:{port}"
        self._threads: List[threading.Thread] = [threading.Thread(target=self._accept, daemon=True)]
        self._threads[0].start()

    def __enter__(self) -> "ConnectionServer":
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for thread in self._threads:
            thread.join(10)

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            self.connections += 1
            thread = threading.Thread(target=self._serve, args=(client,), daemon=True)
            self._threads.append(thread)
            thread.start()

    def _serve(self, client: socket.socket) -> None:
        with client, contextlib.suppress(OSError):
            if self._fault.startswith("proxy"):
                read_request(client)
                client.sendall(f"HTTP/1.1 {self._fault[-3:]} No\r\nContent-Length: 0\r\n\r\n".encode())
            elif self._fault == "tls_to_plain":
                client.recv(65536)
                client.sendall(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n")
            elif self._fault.endswith("in_handshake"):
                client.recv(65536)
                if self._fault.startswith("reset"):
                    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            else:
                self._shake_hands(client)

    def _shake_hands(self, client: socket.socket) -> None:
        # After a failure, the rest is read, because a reset could overtake the alert.
        with client.dup() as rest:
            try:
                with self._context.wrap_socket(client, server_side=True) as tls:
                    if read_request(tls):
                        self.requests += 1
            except ssl.SSLError:
                rest.shutdown(socket.SHUT_WR)
                while rest.recv(65536):
                    pass
