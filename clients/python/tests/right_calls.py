"""Calls whose results must have exactly these types. Nothing runs them. mypy and pyright check this file."""

from typing import Optional

from typing_extensions import assert_type

from ng_identity import (
    AsyncIdentityClient,
    BvnBasicRecord,
    BvnNumber,
    CacPremiumRecord,
    IdentityClient,
    IdType,
    Match,
    NinBasicRecord,
    NinNumber,
    NinPremiumRecord,
    NubanRecord,
    Slip,
    TinRecord,
    TopUp,
    Verification,
)


def blocking(client: IdentityClient, advance: bool, kind: IdType) -> None:
    assert_type(client.verify(kind, "12345678901", advance=advance).verified, bool)
    assert_type(client.verify(kind, "12345678901", idempotency_key="one-key").replayed, bool)
    assert_type(client.transactions().opening_balance, Optional[int])
    assert_type(client.verify("NIN", "12345678901"), Verification[NinBasicRecord])
    assert_type(client.verify("NIN", "12345678901", False), Verification[NinBasicRecord])
    assert_type(client.verify("NIN", "12345678901", advance=True), Verification[NinPremiumRecord])
    assert_type(client.verify("BVN", "22345678901", advance).data["firstname"], str)
    assert_type(client.verify("CAC", "7000", True, company_type="BN"), Verification[CacPremiumRecord])
    assert_type(client.verify("TIN", "1234567890"), Verification[TinRecord])
    assert_type(client.verify("NUBAN", "0123456789", bank_code="058"), Verification[NubanRecord])
    assert_type(client.verify_gateway("BVN", "22345678901"), Verification[BvnBasicRecord])
    assert_type(client.verify_gateway("TIN", "1234567890"), Verification[TinRecord])
    account = client.verify_gateway("NUBAN", "0123456789", bank_code="058", level="basic")
    assert_type(account, Verification[NubanRecord])
    biometric = client.verify_gateway("NIN", "12345678901", level="advanced", method="biometric")
    assert_type(biometric, Verification[NinPremiumRecord])
    matched = client.verify("NIN", "12345678901", match={"lastname": "ANUNOBI", "gender": "m"})
    assert_type(matched, Verification[NinBasicRecord])
    assert_type(matched.match, Optional[Match])
    only = client.verify("NIN", "12345678901", match={"lastname": "ANUNOBI"}, match_only=True)
    assert_type(only, Verification[NinNumber])
    claimed = client.verify_gateway("BVN", "22345678901", match={"lastname": "ANUNOBI"}, match_only=True)
    assert_type(claimed, Verification[BvnNumber])
    assert_type(client.download_slip("12345678901", "premium"), Slip)
    assert_type(client.with_options(timeout=90), IdentityClient)
    assert_type(client.start_top_up(1000), TopUp)
    assert_type(client.download_invoice("IDV-2026-000041"), bytes)
    assert_type(next(client.lots())["remaining"], int)


async def asynchronous(client: AsyncIdentityClient, advance: bool, kind: IdType) -> None:
    assert_type((await client.verify(kind, "12345678901", advance=advance)).verified, bool)
    assert_type(await client.verify("NIN", "12345678901", True), Verification[NinPremiumRecord])
    assert_type(await client.verify_gateway("BVN", "22345678901"), Verification[BvnBasicRecord])
    only = await client.verify("BVN", "22345678901", match={"phone": "08012345678"}, match_only=True)
    assert_type(only, Verification[BvnNumber])
    assert_type((await client.banks())[0]["name"], str)
    assert_type((await client.top_up("TOPUP-")).checkout_url, Optional[str])
    assert_type((await client.invoice("IDV-2026-000041")).data["lines"][0]["unit_kobo"], int)
    assert_type(client.with_options(timeout=90), AsyncIdentityClient)
