"""
The command-line tool. It reads the API key from the environment only, because command-line arguments are
visible in the process list and in the shell history. For the same reason, it reads a number given as - from
standard input.
"""

import argparse
import json
import os
import re
import sys
from typing import Any, Callable, List, Optional

from ._base import DEFAULT_TIMEOUT_S
from ._checks import (
    ADVANCED_ID_TYPES,
    COMPANY_TYPES,
    ID_TYPES,
    LEVELS,
    METHODS,
    OUTCOMES,
    SERVICES,
    SLIP_TYPES,
    TRANSACTION_TYPES,
)
from ._client import IdentityClient
from ._errors import IdentityError, ReplayExhaustedError
from ._version import __version__

CLOSED_PIPE = 141
"""The exit code of a program that SIGPIPE ends (128 + 13). Shells ignore it in `... | head`."""


def main(arguments: Optional[List[str]] = None) -> int:
    """
    Returns the exit code: 0 success, 1 failed call or file error, 2 invalid input, 130 Ctrl-C, 141 if the
    reader of the output has closed it.
    """
    options = _parser().parse_args(arguments)
    try:
        code = _run(options)
        # Otherwise Python flushes the output after this function, and prints an error if that fails.
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return CLOSED_PIPE
    return code


def _run(options: argparse.Namespace) -> int:
    try:
        with IdentityClient(timeout=options.timeout, base_url=options.base_url) as client:
            options.run(client, options)
    except ValueError as error:
        print(f"ng-identity: {_with_options(str(error))}", file=sys.stderr)
        return 2
    except IdentityError as error:
        print(f"ng-identity: {type(error).__name__}: {_with_options(str(error))}", file=sys.stderr)
        if error.charged is not False and not isinstance(error, ReplayExhaustedError):
            advice = "This call may have been charged. To repeat it without a second charge, add"
            print(f"{advice} --idempotency-key {error.idempotency_key}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        raise
    except OSError as error:
        print(f"ng-identity: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="ng-identity",
        description="Verify Nigerian identity numbers. Set NG_IDENTITY_API_KEY to your API key.",
    )
    parser.add_argument("--version", action="version", version=__version__)
    parser.add_argument("--base-url", help="default: the environment variable NG_IDENTITY_BASE_URL")
    parser.add_argument(
        "--timeout",
        type=float,
        default=DEFAULT_TIMEOUT_S,
        metavar="SECONDS",
        help="for the whole call; default: %(default)g",
    )
    commands = parser.add_subparsers(metavar="COMMAND", required=True)

    verify = _command(commands, "verify", "verify a number", _verify)
    verify.add_argument("id_type", choices=ID_TYPES)
    verify.add_argument("id_number", help="use - to read it from standard input")
    verify.add_argument("--advance", action="store_true", help="return the complete record (NIN, BVN, CAC)")
    verify.add_argument("--company-type", choices=COMPANY_TYPES, help="if a CAC number contains only digits")
    verify.add_argument("--bank-code", help="NUBAN only")

    gateway = _command(commands, "gateway", "verify a number through the unified gateway", _gateway)
    gateway.add_argument("id_type", choices=ADVANCED_ID_TYPES)
    gateway.add_argument("id_number", help="use - to read it from standard input")
    gateway.add_argument("--level", choices=LEVELS, default="basic")
    gateway.add_argument("--method", choices=METHODS, default="identity")
    gateway.add_argument("--company-type", choices=COMPANY_TYPES, help="if a CAC number contains only digits")

    slip = _command(commands, "slip", "download the slip of a verified NIN", _slip)
    slip.add_argument("nin", help="use - to read it from standard input")
    slip.add_argument("slip_type", choices=SLIP_TYPES)
    slip.add_argument(
        "-o", "--output", required=True, metavar="FILE", help="use - to write the PDF to standard output"
    )
    for charged in (verify, gateway, slip):
        charged.add_argument("--idempotency-key")
        charged.add_argument("--reference", help="your own reference, to find the request later")

    _command(commands, "balance", "show the wallet's balance", _balance)
    transactions = _command(commands, "transactions", "list the wallet's charges and credits", _transactions)
    transactions.add_argument("--type", choices=TRANSACTION_TYPES)
    requests = _command(commands, "verifications", "list requests", _verifications)
    requests.add_argument("--reference", help="only requests with this reference")
    requests.add_argument("--service", choices=SERVICES)
    requests.add_argument("--outcome", choices=OUTCOMES)
    for listing in (transactions, requests):
        listing.add_argument("--from", dest="from_", metavar="TIME", help="ISO 8601")
        listing.add_argument("--to", metavar="TIME", help="ISO 8601")
    log = _command(commands, "verification", "show the log entry of a request", _verification)
    log.add_argument("request_id")
    return parser


def _command(commands: Any, name: str, summary: str, run: Any) -> argparse.ArgumentParser:
    command: argparse.ArgumentParser = commands.add_parser(name, help=summary, description=summary)
    command.set_defaults(run=run)
    return command


def _verify(client: IdentityClient, options: argparse.Namespace) -> None:
    number = _from_argument(options.id_number)
    # Each overload of `verify` accepts only the options of one type, but these arguments may be those of any
    # type.
    verify: Callable[..., Any] = client.verify
    _print(
        verify(
            options.id_type,
            number,
            options.advance,
            company_type=options.company_type,
            bank_code=options.bank_code,
            idempotency_key=options.idempotency_key,
            reference=options.reference,
        )
    )


def _gateway(client: IdentityClient, options: argparse.Namespace) -> None:
    number = _from_argument(options.id_number)
    verify_gateway: Callable[..., Any] = client.verify_gateway
    _print(
        verify_gateway(
            options.id_type,
            number,
            level=options.level,
            method=options.method,
            company_type=options.company_type,
            idempotency_key=options.idempotency_key,
            reference=options.reference,
        )
    )


def _slip(client: IdentityClient, options: argparse.Namespace) -> None:
    nin = _from_argument(options.nin)
    to_stdout = options.output == "-"
    target = None if to_stdout else options.output
    slip = client.download_slip(
        nin,
        options.slip_type,
        target,
        idempotency_key=options.idempotency_key,
        reference=options.reference,
    )
    if to_stdout:
        sys.stdout.buffer.write(slip)
    else:
        print(os.path.abspath(options.output))


def _balance(client: IdentityClient, _: argparse.Namespace) -> None:
    _print(client.balance())


def _transactions(client: IdentityClient, options: argparse.Namespace) -> None:
    for entry in client.transactions(from_=options.from_, to=options.to, type=options.type):
        _print(entry, indent=None)


def _verifications(client: IdentityClient, options: argparse.Namespace) -> None:
    entries = client.verifications(
        reference=options.reference,
        from_=options.from_,
        to=options.to,
        service=options.service,
        outcome=options.outcome,
    )
    for entry in entries:
        _print(entry, indent=None)


def _verification(client: IdentityClient, options: argparse.Namespace) -> None:
    _print(client.verification(options.request_id))


def _from_argument(argument: str) -> str:
    return sys.stdin.readline().strip() if argument == "-" else argument


def _with_options(message: str) -> str:
    """Replaces the names of arguments in an error message with the options of the command line."""
    named = (
        message.replace("advance=True", "--advance")
        .replace("pass base_url", "use --base-url")
        .replace("pass api_key, or set", "set")
    )
    return re.sub(r"\b(base|bank|company)_(url|code|type)\b", r"--\1-\2", named)


def _print(content: Any, indent: Optional[int] = 2) -> None:
    """Prints JSON. Escapes characters that the output cannot encode, so that no paid result is lost."""
    try:
        print(json.dumps(content, ensure_ascii=False, indent=indent))
    except UnicodeEncodeError:
        print(json.dumps(content, indent=indent))
