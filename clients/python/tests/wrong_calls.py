"""
Calls that type checkers must report. Nothing runs them. mypy and pyright check this file, and report each
`type: ignore` that suppresses no error.
"""

from ng_identity import AsyncIdentityClient, IdentityClient


def blocking(client: IdentityClient) -> None:
    client.verify("NINN", "1")  # type: ignore[call-overload]
    client.verify("TIN", "1234567890", True)  # type: ignore[call-overload]
    client.verify("NIN", "12345678901", bank_code="058")  # type: ignore[call-overload]
    client.verify("CAC", "7000", company_type="PLC")  # type: ignore[call-overload]
    client.verify_gateway("TIN", "1234567890", level="advanced")  # type: ignore[call-overload]
    client.verify_gateway("NIN", "12345678901", level="premium")  # type: ignore[call-overload]
    client.verify_gateway("NIN", "12345678901", method="biometric")  # type: ignore[call-overload]
    client.verify("CAC", "RC7000", match={"lastname": "ANUNOBI"})  # type: ignore[call-overload]
    client.verify("NIN", "12345678901", match_only=True)  # type: ignore[call-overload]
    client.download_slip("12345678901", "wrong")  # type: ignore[arg-type]
    client.transactions(type="refund")  # type: ignore[arg-type]
    client.invoices(kind="invoice")  # type: ignore[arg-type]
    client.start_top_up("1000")  # type: ignore[arg-type]
    print(client.top_up("TOPUP-").data["price"])  # type: ignore[typeddict-item]
    print(client.verify("NIN", "12345678901").data["title"])  # type: ignore[typeddict-item]
    print(client.verify("NIN", "12345678901", advance=True).data["surname"])  # type: ignore[typeddict-item]


async def asynchronous(client: AsyncIdentityClient) -> None:
    await client.verify("NINN", "1")  # type: ignore[call-overload]
    await client.verify("TIN", "1234567890", True)  # type: ignore[call-overload]
    await client.download_slip("12345678901", "wrong")  # type: ignore[arg-type]
    print(client.verify("NIN", "12345678901").data)  # type: ignore[attr-defined]
