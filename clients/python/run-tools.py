#!/usr/bin/env python3
"""
Tries the client with other people's tools: recorders, caches, mocks, patched sockets, servers and queues.
Exits with 0 only if each works as tools/cases.py says. A run of all writes the table in README.md.

    python3 run-tools.py             every tool, in about five minutes. Needs Python 3.10 or later
    python3 run-tools.py NAME...     only the tools whose names contain one of these words

Each tool runs in a process of its own, against a fake API in this one, which counts the charges.
"""

import argparse
import os
import ssl
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Optional

FOLDER = Path(__file__).resolve().parent
TOOLS = FOLDER / "tools"
README = FOLDER / "README.md"


def main() -> int:
    parser = argparse.ArgumentParser(description="Try the client with other people's tools.")
    parser.add_argument("names", nargs="*", help="words in the names of the tools")
    default = Path(tempfile.gettempdir()) / "ng-identity-tools"
    parser.add_argument("--venv", type=Path, default=default, help="folder for the environment")
    options = parser.parse_args()
    python = options.venv / "bin" / "python"
    if Path(sys.executable) != python:
        if not python.exists():
            subprocess.run([sys.executable, "-m", "venv", str(options.venv)], check=True)
        packages = ["-r", str(TOOLS / "requirements.txt"), "pytest", f"{FOLDER}[async]"]
        command = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *packages]
        subprocess.run(command, check=True)
        again = [str(python), __file__, "--venv", str(options.venv), *options.names]
        return subprocess.run(again, check=False).returncode

    sys.path.insert(0, str(TOOLS))
    from cases import CASES

    chosen = [name for name in CASES if not options.names or any(word in name for word in options.names)]
    failures = 0
    for name in chosen:
        failure = failure_of(python, name, CASES[name])
        failures += failure is not None
        print(f"{name}: {failure or CASES[name].result}", flush=True)
    if not options.names and not failures:
        text = README.read_text(encoding="utf-8")
        README.write_text(with_table(text, CASES), encoding="utf-8")
    return 1 if failures else 0


def with_table(readme: str, cases: Any) -> str:
    """Returns the README with the table of all tools."""
    rows = [f"| {name} | {case.group} | {case.result} |" for name, case in cases.items()]
    begin, end = "<!-- tools: written by run-tools.py -->", "<!-- /tools -->"
    head = ["<!-- cspell:disable -->", "| Tool | Kind | Result |", "| --- | --- | --- |"]
    table = "\n".join([begin, *head, *rows, "<!-- cspell:enable -->", end])
    before, _, rest = readme.partition(begin)
    return before + table + rest.partition(end)[2]


def failure_of(python: Path, name: str, case: Any) -> Optional[str]:
    """Runs a case. Returns what went wrong, or None."""
    from ng_identity.testing import FakeIdentity

    environment = {
        name: value for name, value in os.environ.items() if not name.endswith(("_PROXY", "_BUNDLE"))
    }
    with FakeIdentity() as api, tempfile.TemporaryDirectory() as folder:
        base_url = api.base_url
        if case.needs_tls:
            import trustme

            authority = trustme.CA()
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            authority.issue_cert("localhost").configure_cert(context)
            api._server.socket = context.wrap_socket(api._server.socket, server_side=True)
            file = str(Path(folder) / "authority.pem")
            authority.cert_pem.write_to_path(file)
            environment["SSL_CERT_FILE"] = file
            base_url = f"https://localhost:{api.port}"
        environment.update(NG_IDENTITY_BASE_URL=base_url, NG_IDENTITY_API_KEY=api.api_key)
        command = [str(python), str(TOOLS / "cases.py"), name]
        try:
            ended = subprocess.run(
                command, env=environment, cwd=folder, timeout=180, capture_output=True, text=True, check=False
            )
        except subprocess.TimeoutExpired:
            return "FAILED: no end within 180 s"
        if ended.returncode != 0:
            print(ended.stdout[-2000:], ended.stderr[-4000:], file=sys.stderr)
            return "FAILED"
        if len(api.charges) != case.charges:
            return f"FAILED: {len(api.charges)} charges instead of {case.charges}"
    return None


if __name__ == "__main__":
    sys.exit(main())
