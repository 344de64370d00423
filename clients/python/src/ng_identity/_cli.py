"""
The command line. The key comes from the environment only: an argument stands in the process list and in the
shell's history. A number given as - is read from standard input for the same reason.
"""

import argparse
import json
import os
import sys
from typing import Any, Iterable, List, Optional

from ._client import IdentityClient
from ._errors import IdentityError, ReplayExhaustedError
from ._formats import ADVANCED_ID_TYPES, ID_TYPES, SLIP_TYPES
from ._version import __version__


def main(arguments: Optional[List[str]] = None) -> int:
    """Exit code 0: done. 1: the API or the way to it failed. 2: wrong input. 130: Ctrl-C."""
    options = _parser().parse_args(arguments)
    try:
        with IdentityClient(timeout=options.timeout, base_url=options.base_url) as client:
            options.run(client, options)
    except ValueError as error:
        print(f"ng-identity: {error}", file=sys.stderr)
        return 2
    except IdentityError as error:
        print(f"ng-identity: {type(error).__name__}: {error}", file=sys.stderr)
        if error.charged is not False and not isinstance(error, ReplayExhaustedError):
            words = "It may have been charged. Repeat it without a second charge with: --idempotency-key"
            print(f"{words} {error.idempotency_key}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"ng-identity: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="ng-identity",
        description="Verifies Nigerian identity numbers. The API key: variable NG_IDENTITY_API_KEY.",
    )
    parser.add_argument("--version", action="version", version=__version__)
    parser.add_argument("--base-url", help="default: variable NG_IDENTITY_BASE_URL")
    parser.add_argument("--timeout", type=float, default=30, metavar="SECONDS", help="default: 30")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)

    verify = _command(commands, "verify", "verify a number", _verify)
    verify.add_argument("id_type", choices=ID_TYPES)
    verify.add_argument("id_number", help="or - to read it from standard input")
    verify.add_argument("--advance", action="store_true", help="the complete record (NIN, BVN, CAC)")
    verify.add_argument("--bank-code", help="NUBAN only")
    verify.add_argument("--idempotency-key")

    gateway = _command(commands, "gateway", "verify a number through the unified gateway", _gateway)
    gateway.add_argument("id_type", choices=ADVANCED_ID_TYPES)
    gateway.add_argument("id_number", help="or - to read it from standard input")
    gateway.add_argument("--level", choices=("basic", "advanced"), default="basic")
    gateway.add_argument("--method", choices=("identity", "biometric"), default="identity")
    gateway.add_argument("--idempotency-key")

    slip = _command(commands, "slip", "download the slip of a verified NIN", _slip)
    slip.add_argument("nin", help="or - to read it from standard input")
    slip.add_argument("slip_type", choices=SLIP_TYPES)
    slip.add_argument("-o", "--output", required=True, metavar="FILE")
    slip.add_argument("--idempotency-key")

    _command(commands, "balance", "show the wallet", _balance)
    transactions = _command(commands, "transactions", "list the wallet's charges and credits", _transactions)
    transactions.add_argument("--from", dest="from_", metavar="TIME", help="ISO 8601")
    transactions.add_argument("--to", metavar="TIME", help="ISO 8601")
    transactions.add_argument("--type", choices=("debit", "credit"))
    log = _command(commands, "verification", "show the log entry of a request", _verification)
    log.add_argument("request_id")
    return parser


def _command(commands: Any, name: str, words: str, run: Any) -> argparse.ArgumentParser:
    command: argparse.ArgumentParser = commands.add_parser(name, help=words, description=words)
    command.set_defaults(run=run)
    return command


def _verify(client: IdentityClient, options: argparse.Namespace) -> None:
    number = _given(options.id_number)
    _print(
        client.verify(
            options.id_type,
            number,
            options.advance,
            bank_code=options.bank_code,
            idempotency_key=options.idempotency_key,
        )
    )


def _gateway(client: IdentityClient, options: argparse.Namespace) -> None:
    number = _given(options.id_number)
    _print(
        client.verify_gateway(
            options.id_type,
            number,
            level=options.level,
            method=options.method,
            idempotency_key=options.idempotency_key,
        )
    )


def _slip(client: IdentityClient, options: argparse.Namespace) -> None:
    nin = _given(options.nin)
    client.download_slip(nin, options.slip_type, options.output, idempotency_key=options.idempotency_key)
    print(os.path.abspath(options.output))


def _balance(client: IdentityClient, _: argparse.Namespace) -> None:
    _print(client.balance())


def _transactions(client: IdentityClient, options: argparse.Namespace) -> None:
    _print_lines(client.transactions(from_=options.from_, to=options.to, type=options.type))


def _verification(client: IdentityClient, options: argparse.Namespace) -> None:
    _print(client.verification(options.request_id))


def _given(argument: str) -> str:
    return sys.stdin.readline().strip() if argument == "-" else argument


def _print(answer: Any) -> None:
    _print_json(answer, indent=2)


def _print_lines(entries: Iterable[Any]) -> None:
    for entry in entries:
        _print_json(entry)


def _print_json(content: Any, indent: Optional[int] = None) -> None:
    """With its letters as they are, or escaped where the output cannot carry them: it has been paid for."""
    try:
        print(json.dumps(content, ensure_ascii=False, indent=indent))
    except UnicodeEncodeError:
        print(json.dumps(content, indent=indent))
