"""Checks the usage of all wallets against their log rows and statements, from exported tables alone.

    python3 check_usage.py FOLDER

The folder contains a file of JSON lines for each table: VerificationLogs.jsonl, Wallets.jsonl and
Console.jsonl. The program shares no code with the service. It looks up each request in the log, in the
statement and in the usage that counts it, adds up each day again, and compares every row of usage, every balance
and every daily row of a registry. Exits with 1 if anything does not agree.

Needs Python 3.8 or later, but no packages.
"""

import datetime
import json
import os
import sys
from collections import Counter, defaultdict

HOUR = datetime.timedelta(hours=1)
FAILURES = ("FAILED", "UNREACHABLE", "TIMEOUT")


def read(folder, table):
    path = os.path.join(folder, table + ".jsonl")
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


def lagos_day(time):
    """Returns the calendar day in Lagos of an ISO time in UTC."""
    utc = datetime.datetime.strptime(time[:19], "%Y-%m-%dT%H:%M:%S")
    return (utc + HOUR).strftime("%Y-%m-%d")


def day_after(day):
    return (datetime.datetime.strptime(day, "%Y-%m-%d") + datetime.timedelta(days=1)).strftime("%Y-%m-%d")


def wallet_of(pk):
    return "#".join(pk.split("#")[:2])


def bucket_ends():
    """Returns the exclusive upper end of each bucket: 1 ms wide up to 32 ms, then 16 buckets for each doubling."""
    ends = list(range(1, 33))
    start = 32
    while start < 2**17:
        ends.extend(start + start * step // 16 for step in range(1, 17))
        start *= 2
    return ends


BUCKETS = bucket_ends()


def bucket_of(milliseconds):
    for index, end in enumerate(BUCKETS):
        if milliseconds < end:
            return str(index)
    return str(len(BUCKETS) - 1)


class Usage:
    """The totals of a set of requests."""

    def __init__(self):
        self.requests = self.credits = self.replays = 0
        self.outcomes = defaultdict(lambda: [0, 0])
        self.latency = Counter()

    def add(self, log):
        self.requests += 1
        self.credits += log["creditsCharged"]
        self.replays += "replayOf" in log
        self.outcomes[log["outcome"]][0] += 1
        self.outcomes[log["outcome"]][1] += log["creditsCharged"]
        if asked(log):
            self.latency[bucket_of(log["latencyMs"])] += 1

    def as_row(self):
        outcomes = {name: {"requests": r, "credits": c} for name, (r, c) in self.outcomes.items()}
        return {
            "requests": self.requests,
            "credits": self.credits,
            "replays": self.replays,
            "outcomes": outcomes,
            "latency": dict(self.latency),
        }


def asked(log):
    """Whether a provider was asked for this request."""
    return log["provider"] != "" and "replayOf" not in log


class Check:
    def __init__(self, folder):
        self.differences = []
        self.logs = [row for row in read(folder, "VerificationLogs") if "operationId" in row]
        wallets = read(folder, "Wallets")
        self.charges = [row for row in wallets if row["sk"] == "CHARGE" and row["state"] == "CHARGED"]
        self.credits = [row for row in wallets if row["sk"] == "CREDIT"]
        self.shards = [row for row in wallets if row["sk"] == "WALLET"]
        self.console = read(folder, "Console")
        self.usage = {}
        self.balances = {}
        for row in self.console:
            head = row["sk"].split("#")[0]
            if row["pk"].startswith(("live#", "test#")) and len(head) == 10 and head[4] == "-":
                self.usage[(wallet_of(row["pk"]), row["day"], row["service"], row["keyLabel"])] = row
            elif head == "BALANCE":
                self.balances[(wallet_of(row["pk"]), row["day"])] = row

    def differ(self, where, what, expected, found):
        if expected != found:
            self.differences.append("%s: %s is %s, but must be %s" % (where, what, found, expected))

    def requests(self):
        """Checks that each charged request is in one line of the statement, one log row and one row of usage."""
        lines = {(wallet_of(row["pk"]), row["operationId"]): row for row in self.charges}
        found = Counter()
        for log in self.logs:
            wallet = wallet_of(log["pk"])
            where = "%s request %s" % (wallet, log["requestId"])
            line = lines.get((wallet, log["operationId"]))
            self.differ(where, "the amount of its statement line", log["creditsCharged"], line["cost"] if line else 0)
            found[(wallet, log["operationId"])] += 1
            row = self.usage.get((wallet, lagos_day(log["requestedAt"]), log["service"], log["keyLabel"]))
            if row is None or log["outcome"] not in row["outcomes"]:
                self.differ(where, "the usage that counts it", "a row with its outcome", "missing")
        for key, line in lines.items():
            self.differ("%s line %s" % (key[0], line["requestId"]), "the number of its log rows", 1, found[key])

    def days(self):
        """Checks that each row of usage is the sum of the log rows of its day, service and key."""
        expected = defaultdict(Usage)
        for log in self.logs:
            wallet = wallet_of(log["pk"])
            expected[(wallet, lagos_day(log["requestedAt"]), log["service"], log["keyLabel"])].add(log)
        for key in sorted(set(expected) | set(self.usage)):
            wanted = expected[key].as_row()
            row = self.usage.get(key, Usage().as_row())
            for name, value in wanted.items():
                self.differ("%s %s %s %s" % key, name, value, row[name])

    def months(self):
        """Checks that the usage and the statement count the same credits for the requests of each month."""
        usage, statement = Counter(), Counter()
        for (wallet, day, _, _), row in self.usage.items():
            usage[(wallet, day[:7])] += row["credits"]
        for line in self.charges:
            statement[(wallet_of(line["pk"]), lagos_day(line["requestedAt"])[:7])] += line["cost"]
        for key in sorted(set(usage) | set(statement)):
            self.differ("%s %s" % key, "credits", statement[key], usage[key])

    def all_balances(self):
        """Checks that the balance of each day follows from the lines up to the end of the day."""
        added, used = Counter(), Counter()
        for row in self.credits:
            added[(wallet_of(row["pk"]), lagos_day(row["createdAt"]))] += row["amount"]
        for row in self.charges:
            used[(wallet_of(row["pk"]), lagos_day(row["decidedAt"]))] += row["cost"]
        last = max(day for _, day in self.balances)
        for wallet in sorted({wallet for wallet, _ in set(added) | set(used)}):
            day = min(one for other, one in set(added) | set(used) if other == wallet)
            balance = 0
            while day <= last:
                balance += added[(wallet, day)] - used[(wallet, day)]
                row = self.balances.pop((wallet, day), {"balance": "missing", "used": "missing"})
                where = "%s %s" % (wallet, day)
                self.differ(where, "balance", balance, row["balance"])
                self.differ(where, "used", used[(wallet, day)], row["used"])
                day = day_after(day)
            shards = [row for row in self.shards if wallet_of(row["pk"]) == wallet]
            self.differ(wallet, "last balance", sum(row["available"] for row in shards), balance)
        for wallet, day in self.balances:
            self.differ("%s %s" % (wallet, day), "balance", "nothing", "a row")

    def registries(self):
        """Checks that the daily rows of registries are the sums of all live look-ups, by UTC day and ID type."""
        expected = defaultdict(lambda: [0, 0, Counter()])
        for log in self.logs:
            if log["pk"].startswith("live#") and asked(log):
                one = expected[(log["service"].split("-")[0].upper(), log["requestedAt"][:10])]
                one[0] += 1
                one[1] += log["outcome"] in FAILURES
                one[2][bucket_of(log["latencyMs"])] += 1
        found = {
            (row["pk"].split("#")[1], row["sk"]): [row["requests"], row["failures"], Counter(row["latency"])]
            for row in self.console
            if row["pk"].startswith("REGISTRY#")
        }
        for key in sorted(set(expected) | set(found)):
            self.differ("%s %s" % key, "look-ups", expected[key], found.get(key, [0, 0, Counter()]))


def main(folder):
    check = Check(folder)
    check.requests()
    check.days()
    check.months()
    check.all_balances()
    check.registries()
    replays = sum("replayOf" in row for row in check.logs)
    text = "Read %d log rows (%d replays), %d charges, %d credits and %d rows of usage."
    print(text % (len(check.logs), replays, len(check.charges), len(check.credits), len(check.usage)))
    for difference in check.differences[:50]:
        print(difference, file=sys.stderr)
    print("%d differences." % len(check.differences))
    return 1 if check.differences else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
