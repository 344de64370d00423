"""Checks the accounts of all customers from the CSV files of `admin report export` alone.

    python3 check_accounts.py FOLDER

It shares no code with the service. It recomputes, from lots, credits and charges, which lots each closed month used
(the oldest paid lot first, unless a free lot expires earlier), compares the result with every closing to the credit and
to the kobo, and then adds up paid = earned + deferred + refunded + expired for each wallet and for all of them. The
export must begin with the first credit, so it is made without --month and --from. Exits with 1 if anything does not
agree.

Needs Python 3.8 or later, but no packages.
"""

import csv
import datetime
import hashlib
import json
import os
import sys
from collections import defaultdict

FILES = ["wallets", "credits", "charges", "lots", "orders", "documents", "refunds", "closings", "lot_uses", "service_uses"]
LAGOS = datetime.timedelta(hours=1)
NEVER = "9999"


def read(folder, name):
    """Returns the rows of one file. Converts numbers to integers. Empty values stay empty."""
    with open(os.path.join(folder, name + ".csv"), newline="", encoding="utf-8-sig") as file:
        return [{key: number(key, value) for key, value in row.items()} for row in csv.DictReader(file)]


def number(column, text):
    is_number = column.endswith(("_kobo", "_credits")) or column in ("credits", "requests", "lines", "vat_basis_points")
    return int(text) if is_number and text != "" else text


def day_of(time):
    """Returns the calendar day in Lagos of an ISO time in UTC."""
    utc = datetime.datetime.strptime(time[:19], "%Y-%m-%dT%H:%M:%S")
    return (utc + LAGOS).strftime("%Y-%m-%d")


def month_of(time):
    return day_of(time)[:7]


def end_of(month):
    """Returns the last millisecond of a month in Lagos, as an ISO time in UTC."""
    year, number_of_month = int(month[:4]), int(month[5:])
    after = datetime.datetime(year + number_of_month // 12, number_of_month % 12 + 1, 1)
    last = after - LAGOS - datetime.timedelta(milliseconds=1)
    return last.strftime("%Y-%m-%dT%H:%M:%S.") + "%03dZ" % (last.microsecond // 1000)


def half_up(dividend, divisor):
    return (2 * dividend + divisor) // (2 * divisor)


def worth(lot, first):
    """Returns what the first credits of a lot are worth, in kobo without VAT."""
    return lot["net_kobo"] * first // lot["credits"] if lot["kind"] == "paid" else 0


def by_wallet(rows):
    grouped = defaultdict(list)
    for row in rows:
        grouped[(row["environment"], row["organisation"])].append(row)
    return grouped


class Wallet:
    """The accounts of one wallet, recomputed month by month."""

    def __init__(self, name, tables, report):
        self.name = name
        self.tables = tables
        self.report = report
        self.lots = sorted(tables["lots"], key=lambda lot: (lot["created_at"], lot["lot"]))
        self.gone = {lot["lot"]: {"consumed": 0, "refunded": 0, "expired": 0} for lot in self.lots}
        self.by_id = {lot["lot"]: lot for lot in self.lots}
        self.value_before = {lot["lot"]: self.gone_value(lot) for lot in self.lots}
        self.balance = 0
        self.value = dict.fromkeys(["paid", "earned", "refunded", "expired", "deferred"], 0)
        self.lines = defaultdict(list)
        self.used = {}
        for row in tables["credits"]:
            self.add_line(row["created_at"], row["reference"], row["credits"], row["kind"], row)
        for row in tables["charges"]:
            self.add_line(row["decided_at"], row["operation"], -row["credits"], row["service"], row)

    def add_line(self, time, key, amount, subject, row):
        month = month_of(time)
        self.expect(row["month"], month, "month of " + key)
        self.lines[month].append((time + "#" + key, time, amount, subject, row))

    def expect(self, found, expected, what):
        if found != expected:
            self.report("%s %s: %s is %s, expected %s" % (*self.name, what, found, expected))

    def check(self):
        closings = {row["month"]: row for row in self.tables["closings"] if row["state"] == "CLOSED"}
        self.check_lots()
        self.check_reversals()
        self.check_refunds()
        self.check_orders()
        self.check_statements()
        last = max(closings, default="")
        for month in sorted(set(self.lines) | set(closings)):
            if month <= last:
                if month not in closings:
                    self.report("%s %s %s: has lines, and is not closed" % (*self.name, month))
                self.check_month(month, closings.get(month))
        for row in self.tables["charges"]:
            expected = self.used[row["operation"]] if row["month"] in closings else ("", "")
            self.expect((row["lots"], row["earned_kobo"]), expected, "lots of the charge " + row["operation"])
        self.check_end(last)
        return {**self.value, "months": len(closings)}

    def check_lots(self):
        """Checks that credits and lots match one to one, and checks the invoice and order of each paid lot."""
        added = {row["lot"]: row["credits"] for row in self.tables["credits"] if row["credits"] > 0}
        self.expect(added, {lot["lot"]: lot["credits"] for lot in self.lots}, "credits and their lots")
        invoices = {row["number"]: row for row in self.tables["documents"] if row["kind"] == "INVOICE"}
        orders = {row["reference"]: row for row in self.tables["orders"]}
        for lot in self.lots:
            net = lot["net_kobo"]
            if lot["kind"] != "paid":
                self.expect((lot["price_kobo"], net), (0, 0), "price of the lot " + lot["lot"])
                continue
            self.check_vat(lot)
            invoice = invoices.pop(lot["invoice"], None)
            order = orders.get(lot["order_reference"])
            self.expect(invoice and (invoice["net_kobo"], invoice["vat_kobo"]), (net, lot["vat_kobo"]),
                        "invoice of the lot " + lot["lot"])
            self.expect(order and (order["net_kobo"], order["paid_kobo"], order["lot"]),
                        (net, net + lot["vat_kobo"], lot["lot"]), "order of the lot " + lot["lot"])
        self.expect(sorted(invoices), [], "invoices without a lot")

    def check_vat(self, lot):
        """VAT is added to the price, or taken out of the total if the rate changed before the payment."""
        rate, total = lot["vat_basis_points"], lot["net_kobo"] + lot["vat_kobo"]
        if lot["net_kobo"] == lot["credits"] * lot["price_kobo"]:
            vat = half_up(lot["net_kobo"] * rate, 10000)
        else:
            vat = half_up(total * rate, 10000 + rate)
            self.expect(lot["price_kobo"], half_up(lot["net_kobo"], lot["credits"]), "price of the lot " + lot["lot"])
        self.expect(lot["vat_kobo"], vat, "VAT of the lot " + lot["lot"])

    def check_reversals(self):
        """Checks that each kobo of a reversed payment is in a credit note, booked, or open with a problem."""
        notes = defaultdict(int)
        for row in self.tables["documents"]:
            if row["kind"] == "CREDIT_NOTE":
                notes[row["order_reference"]] += abs(row["total_kobo"])
        for order in self.tables["orders"]:
            if order["reversed_at"]:
                left = order["total_kobo"] - notes[order["reference"]] - (order["booked_kobo"] or 0)
                what = "open amount of the reversed payment of " + order["reference"]
                self.expect((order["open_kobo"] or 0, order["problem"] != ""), (left, left > 0), what)

    def check_refunds(self):
        """Checks that each credit note has one refund, which is done if and only if its money was returned."""
        notes = {row["number"]: (row["order_reference"], row["invoice"], abs(row["credits"]), abs(row["total_kobo"]))
                 for row in self.tables["documents"] if row["kind"] == "CREDIT_NOTE"}
        stated = {row["credit_note"]: (row["order_reference"], row["invoice"], row["credits"],
                                       row["net_kobo"] + row["vat_kobo"]) for row in self.tables["refunds"]}
        self.expect(stated, notes, "refunds and their credit notes")
        reversed_orders = {row["reference"] for row in self.tables["orders"] if row["reversed_at"]}
        for row in self.tables["refunds"]:
            what = "refund of " + row["credit_note"]
            self.expect(row["total_kobo"], row["net_kobo"] + row["vat_kobo"], what)
            self.expect(row["state"] == "DONE", row["done_at"] != "", what + " done")
            if row["state"] == "DONE" and row["order_reference"] not in reversed_orders:
                self.expect(row["refund_reference"] != "", True, what + " has a reference")

    def check_orders(self):
        """Checks that the state of each order follows from its times, its payment and its credit notes."""
        refunded = defaultdict(int)
        for row in self.tables["refunds"]:
            refunded[row["order_reference"]] += row["credits"]
        for row in self.tables["orders"]:
            what = "order " + row["reference"]
            self.expect(row["total_kobo"], row["net_kobo"] + row["vat_kobo"], what + " total")
            is_booked = row["state"] in ("CREDITED", "REFUNDED")
            self.expect(row["credited_at"] != "", is_booked, what + " credited")
            self.expect(row["state"] == "REFUNDED", refunded[row["reference"]] == row["credits"], what + " refunded")
            self.expect(row["paid_at"] != "", row["state"] in ("PAID", "CREDITED", "REFUNDED", "MISMATCH"), what + " paid")
            if row["state"] == "MISMATCH":
                differs = row["paid_kobo"] != row["total_kobo"] or row["paid_currency"] != "NGN"
                is_late = day_of(row["paid_at"]) > day_of(row["expires_at"])
                self.expect((differs or is_late, row["problem"] == ""), (True, row["resolution"] != ""), what + " mismatch")
            resolved = [row[name] != "" for name in ("resolution", "resolved_at", "resolved_by")]
            self.expect(len(set(resolved)), 1, what + " resolution")

    def check_statements(self):
        """Checks that each statement replaces the earlier one of its month, and that the closing names the last."""
        chains = {row["replaces"]: row["number"] for row in self.tables["documents"] if row["replaces"]}
        replaced = [row["replaces"] for row in self.tables["documents"] if row["replaces"]]
        self.expect(len(chains), len(replaced), "statements that replace others")
        current = sorted(row["number"] for row in self.tables["documents"]
                         if row["kind"] == "STATEMENT" and row["number"] not in chains)
        named = sorted(row["statement"] for row in self.tables["closings"] if row["statement"])
        self.expect(named, current, "statements of closed months")

    def gone_value(self, lot):
        """Charges take the first credits of a lot, refunds the last, and expiries those before them."""
        gone, kept = self.gone[lot["lot"]], lot["credits"] - self.gone[lot["lot"]]["refunded"]
        return {"earned": worth(lot, gone["consumed"]), "refunded": worth(lot, lot["credits"]) - worth(lot, kept),
                "expired": worth(lot, kept) - worth(lot, kept - gone["expired"])}

    def check_month(self, month, closing):
        opening, value = self.balance, dict.fromkeys(self.value, 0)
        uses, services, lines = self.consume(month)
        for lot in self.lots:
            for name, kobo in self.gone_value(lot).items():
                value[name] += kobo - self.value_before[lot["lot"]][name]
            self.value_before[lot["lot"]] = self.gone_value(lot)
            if lot["month"] <= month:
                value["deferred"] += lot["net_kobo"]
            value["deferred"] -= sum(self.value_before[lot["lot"]].values())
        value["paid"] = sum(lot["net_kobo"] for lot in self.lots if lot["month"] == month and lot["kind"] == "paid")
        for name in ("paid", "earned", "refunded", "expired"):
            self.value[name] += value[name]
        self.value["deferred"] = value["deferred"]
        self.expect(sum(self.value[name] for name in ("earned", "refunded", "expired", "deferred")),
                    self.value["paid"], month + " earned + refunded + expired + deferred")
        self.expect(self.balance, sum(use["closing"] for use in uses.values()), month + " balance in credits")
        if closing:
            self.compare(month, closing, opening, value, uses, services, lines)

    def compare(self, month, closing, opening, value, uses, services, lines):
        """Compares what this program computed with what the closing says."""
        for name, kobo in value.items():
            self.expect(closing[name + "_kobo"], kobo, "%s %s" % (month, name))
        totals = {"opening": opening, "topped_up": 0, "corrected": 0, "charged": 0, "closing": self.balance}
        digest = hashlib.sha256()
        for sort, _, amount, subject, row in lines:
            digest.update((json.dumps([sort, amount, subject], separators=(",", ":")) + "\n").encode())
            is_charge = "operation" in row
            kind = "charged" if is_charge else "topped_up" if subject == "TOP_UP" else "corrected"
            totals[kind] += -amount if is_charge else amount
        for name, credits in totals.items():
            self.expect(closing[name + "_credits"], credits, "%s %s credits" % (month, name))
        self.expect(closing["lines"], len(lines), month + " number of lines")
        self.expect(closing["lines_sha256"], digest.hexdigest(), month + " hash of the lines")
        stated = {row["lot"]: {name: row[name + "_credits"] for name in
                               ("opening", "consumed", "refunded", "expired", "closing")}
                  for row in self.tables["lot_uses"] if row["month"] == month}
        computed = {key: {name: use[name] for name in use if name != "lot"} for key, use in uses.items()}
        moved = {key: use for key, use in computed.items() if any(use.values())}
        self.expect({key: use for key, use in stated.items() if any(use.values())}, moved, month + " use of lots")
        stated = {row["service"]: (row["requests"], row["credits"], row["earned_kobo"])
                  for row in self.tables["service_uses"] if row["month"] == month}
        self.expect(stated, services, month + " use by service")
        notes = [row for row in self.tables["documents"] if row["kind"] == "CREDIT_NOTE" and row["month"] == month]
        self.expect(sum(abs(row["net_kobo"]) for row in notes), value["refunded"], month + " credit notes")

    def consume(self, month):
        """Decides which lots the month used. Returns the use by lot, the use by service, and the lines in order."""
        lines = sorted(self.lines[month], key=lambda line: line[0])
        uses = {}
        for lot in self.lots:
            opening = lot["credits"] - sum(self.gone[lot["lot"]].values()) if lot["month"] <= month else 0
            uses[lot["lot"]] = {"lot": lot["lot"], "opening": opening, "consumed": 0, "refunded": 0, "expired": 0}
        left = {lot["lot"]: uses[lot["lot"]]["opening"] if lot["month"] <= month else lot["credits"]
                for lot in self.lots}
        for _, _, amount, _, row in lines:
            if row.get("cause"):
                kind = "refunded" if row["cause"] == "refund" else "expired"
                uses[row["lot"]][kind] -= amount
                left[row["lot"]] += amount
        services = {}
        for _, time, amount, subject, row in lines:
            self.balance += amount
            if "operation" in row:
                requests, credits, kobo = services.get(subject, (0, 0, 0))
                earned, lots = -kobo, []
                for key, taken in self.take(left, -amount, month, time, self.next_lot):
                    lot, before = self.by_id[key], self.gone[key]["consumed"] + uses[key]["consumed"]
                    uses[key]["consumed"] += taken
                    kobo += worth(lot, before + taken) - worth(lot, before)
                    lots.append("%s:%d" % (key, taken))
                self.used[row["operation"]] = (" ".join(lots), earned + kobo)
                services[subject] = (requests + 1, credits - amount, kobo)
            elif amount < 0 and not row["cause"]:
                for key, taken in self.take(left, -amount, month, time, self.next_lot_to_correct):
                    uses[key]["expired"] += taken
        for key, use in uses.items():
            use["closing"] = use["opening"] - use["consumed"] - use["refunded"] - use["expired"]
            for name in self.gone[key]:
                self.gone[key][name] += use[name]
        return uses, services, lines

    def take(self, left, credits, month, time, choose):
        """Takes credits from lots that exist at this time, then from those added later in the month, then from any."""
        taken = []
        for limit in (time, end_of(month), NEVER):
            while credits > 0:
                lot = choose([lot for lot in self.lots if left[lot["lot"]] > 0 and lot["created_at"] <= limit])
                if not lot:
                    break
                some = min(credits, left[lot["lot"]])
                left[lot["lot"]] -= some
                credits -= some
                taken.append((lot["lot"], some))
        if credits:
            self.report("%s %s %s: no lot covers %d credits" % (*self.name, time, credits))
        return taken

    def next_lot(self, lots):
        """Returns the oldest paid lot, unless a lot without a price expires earlier."""
        paid = next((lot for lot in lots if lot["kind"] == "paid"), None)
        limit = (paid["expires_at"] or NEVER) if paid else None
        free = (lot for lot in lots if lot["kind"] != "paid")
        earlier = (lot for lot in free if limit is None or (lot["expires_at"] or NEVER) < limit)
        return next(earlier, paid)

    def next_lot_to_correct(self, lots):
        """Returns the lot that an operator's correction takes from: the newest one without a price, if any."""
        free = [lot for lot in lots if lot["kind"] != "paid"]
        return free[-1] if free else self.next_lot(lots)

    def check_end(self, last):
        """Checks that the rows add up to the current balance of the wallet."""
        credits = sum(row["credits"] for row in self.tables["credits"])
        charged = sum(row["credits"] for row in self.tables["charges"])
        for wallet in self.tables["wallets"]:
            available, held = wallet["available_credits"], wallet["held_credits"]
            self.expect(wallet["credited_credits"], credits, "sum of credits")
            # A decided charge may still have its hold.
            if not available <= credits - charged <= available + held:
                self.expect(credits - charged, available, "credits minus charges")


def check_numbers(documents, report):
    """Checks that the numbers of each series of documents have no gaps, and are in the order of time."""
    series, issued = defaultdict(list), defaultdict(list)
    for row in documents:
        name, count = row["number"].rsplit("-", 1)
        series[name].append(int(count))
        issued[name].append((int(count), row["issued_at"]))
    for name, counts in sorted(series.items()):
        missing = sorted(set(range(1, max(counts) + 1)) - set(counts))
        if missing or len(set(counts)) != len(counts):
            report("%s: the numbers %s are missing or repeated" % (name, missing or sorted(counts)))
        times = [time for _, time in sorted(issued[name])]
        if times != sorted(times):
            report("%s: the documents are not in the order of their numbers" % name)
    return {name: len(counts) for name, counts in sorted(series.items())}


def check_rates(lots, orders, report):
    """Checks that all payments of a day in Lagos have the same rate of VAT."""
    paid_at = {(row["environment"], row["reference"]): row["paid_at"] for row in orders}
    rates = defaultdict(set)
    for lot in lots:
        if lot["kind"] == "paid":
            paid = paid_at.get((lot["environment"], lot["order_reference"]), lot["created_at"])
            rates[day_of(paid)].add(lot["vat_basis_points"])
    for day, found in sorted(rates.items()):
        if len(found) > 1:
            report("%s: the payments have several rates of VAT: %s" % (day, sorted(found)))


def naira(kobo):
    return "{}{:,}.{:02d}".format("-" if kobo < 0 else "", abs(kobo) // 100, abs(kobo) % 100)


def main(folder):
    problems = []
    tables = {name: read(folder, name) for name in FILES}
    grouped = {name: by_wallet(rows) for name, rows in tables.items()}
    names = sorted({name for rows in grouped.values() for name in rows})
    totals = defaultdict(int)
    for name in names:
        wallet = Wallet(name, {table: rows[name] for table, rows in grouped.items()}, problems.append)
        for key, amount in wallet.check().items():
            totals[key] += amount
    check_rates(tables["lots"], tables["orders"], problems.append)
    series = check_numbers(tables["documents"], problems.append)
    sides = [totals[key] for key in ("earned", "deferred", "refunded", "expired")]
    if totals["paid"] != sum(sides):
        problems.append("all wallets: paid is not earned + deferred + refunded + expired")
    for problem in problems:
        print(problem, file=sys.stderr)
    print("Read %d wallets, %d closed months, %d credits, %d charges, %d lots and %d documents."
          % (len(names), totals["months"], len(tables["credits"]), len(tables["charges"]),
             len(tables["lots"]), len(tables["documents"])))
    print("Documents: " + ", ".join("%s %d" % item for item in series.items()))
    print("paid %s = earned %s + deferred %s + refunded %s + expired %s (NGN, without VAT)"
          % tuple(naira(kobo) for kobo in [totals["paid"], *sides]))
    print("%d differences." % len(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
