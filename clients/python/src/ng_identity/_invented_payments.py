"""The invented orders, lots and documents of the fake API."""

import hashlib
from typing import Any, Dict, List, NamedTuple

from ._models import InvoiceSummary

KOBO_PER_CREDIT = 10_000
VAT_BASIS_POINTS = 750
BASE_32 = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def _ulid(text: str) -> str:
    digits = int.from_bytes(hashlib.sha256(text.encode()).digest()[:16], "big")
    return "".join(BASE_32[digits >> 5 * place & 31] for place in reversed(range(26)))


def top_up_reference(key: str) -> str:
    """Returns the reference of the order that is opened under an idempotency key."""
    return f"TOPUP-{_ulid(key)}"


def new_top_up(reference: str, amount: int, now: str) -> Dict[str, Any]:
    net_kobo = amount * KOBO_PER_CREDIT
    vat_kobo = (net_kobo * VAT_BASIS_POINTS + 5_000) // 10_000
    return {
        "environment": "test",
        "reference": reference,
        "state": "OPENED",
        "credits": amount,
        "kobo_per_credit": KOBO_PER_CREDIT,
        "net_kobo": net_kobo,
        "vat_kobo": vat_kobo,
        "total_kobo": net_kobo + vat_kobo,
        "currency": "NGN",
        "checkout_url": f"https://checkout.example/{reference}",
        "opened_at": now,
        "expires_at": now,
        "credited_at": None,
        "invoice": None,
        "receipt": None,
    }


class Payment(NamedTuple):
    """An order that was paid."""

    position: int
    """How many orders had been paid by then, including this one."""
    order: Dict[str, Any]
    paid_at: str

    def number(self, kind: str) -> str:
        return f"TEST-IDV{kind}-2026-{self.position:06d}"

    def changes(self) -> Dict[str, Any]:
        """Returns the fields of the order that the payment changes."""
        return {
            "state": "CREDITED",
            "credited_at": self.paid_at,
            "invoice": self.number(""),
            "receipt": self.number("R"),
        }

    def lot(self) -> Dict[str, Any]:
        copied = ("credits", "kobo_per_credit", "net_kobo", "vat_kobo")
        return {
            "id": _ulid(f"lot {self.position}"),
            "kind": "paid",
            **{name: self.order[name] for name in copied},
            "remaining": self.order["credits"],
            "reference": f"paystack:{self.order['reference']}",
            "invoice": self.number(""),
            "created_at": self.paid_at,
            "expires_at": None,
        }

    def documents(self) -> List[Dict[str, Any]]:
        """Returns the receipt and the invoice."""
        return [self._document("RECEIPT"), self._document("INVOICE")]

    def _document(self, kind: str) -> Dict[str, Any]:
        amounts = {name: self.order[name] for name in ("net_kobo", "vat_kobo", "total_kobo")}
        party = {
            "name": "Invented Company Limited",
            "address": ["1 Example Street", "Lagos"],
            "tax_number": "00000000-0001",
            "email": "accounts@company.example",
        }
        line = {
            "description": "Verification credits",
            "quantity": self.order["credits"],
            "unit_kobo": self.order["kobo_per_credit"],
            "vat_basis_points": VAT_BASIS_POINTS,
            **amounts,
        }
        return {
            "environment": "test",
            "number": self.number("R" if kind == "RECEIPT" else ""),
            "kind": kind,
            "issued_at": self.paid_at,
            "month": self.paid_at[:7],
            "currency": "NGN",
            **amounts,
            "top_up": self.order["reference"],
            "invoice": self.number("") if kind == "RECEIPT" else None,
            "seller": party,
            "buyer": party,
            "lines": [line],
            "total_in_words": "Invented",
            "payment": {
                "method": "PAYSTACK",
                "paid_at": self.paid_at,
                "channel": "card",
                "reference": "1",
            },
            "reason": None,
            "content_sha256": hashlib.sha256(self.number(kind).encode()).hexdigest(),
        }


def summary_of(document: Dict[str, Any]) -> Dict[str, Any]:
    """Returns a document as it appears in the list of documents."""
    return {name: document[name] for name in InvoiceSummary.__annotations__}
