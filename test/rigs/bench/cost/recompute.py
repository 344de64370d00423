"""Computes the bills of docs/operate/cost.md again, from usage.json and prices of its own, and prints the differences.

python3 recompute.py usage.json cost.md
"""

import json
import math
import re
import sys

DAY = 24 * 60 * 60
MONTH = 30 * DAY

IRELAND = {
    "million API calls": 3.50,
    "million invocations": 0.20,
    "GB-second": 0.0000133334,
    "million write units": 0.705,
    "million read units": 0.1415,
    "GB of table": 0.283,
    "GB of recovery": 0.22,
    "GB to the internet": 0.09,
    "GB of log": 0.57,
    "GB of stored log": 0.03,
    "million requests to WAF": 0.60,
    "million requests to KMS": 3.00,
    "million calls to Secrets Manager": 5.00,
}
WORLDWIDE = {
    "secrets": 0.40,
    "KMS keys": 1.00,
    "firewalls": 5.00,
    "firewall rules": 1.00,
    "metrics that alarms read": 0.10,
    "composite alarms": 0.50,
    "metrics that rollback alarms read": 0.10,
    "custom metrics with a value every day": 0.30,
    "dashboards": 3.00,
    "hosted zones": 0.50,
}
SAME_EVERYWHERE = ("million requests to WAF", "million requests to KMS", "million calls to Secrets Manager")
CAPE_TOWN = {name: price if name in SAME_EVERYWHERE else price * 1.33 for name, price in IRELAND.items()}
CAPE_TOWN["GB to the internet"] = 0.154


def processor_ms(milliseconds):
    """Lambda gives 512 MB the share 512/1769 of a processor."""
    return milliseconds * 1769 / 512


def lambda_dollars(milliseconds, price):
    return milliseconds / 1000 * 0.5 * price["GB-second"]


def bill(usage, count, variant, price):
    found = usage["found"]
    busy_ms = 400 + 7.6 * found["calls"] + processor_ms(found["cpuMs"])
    start_ms = 150 + 2 * 7.6 + processor_ms(found["initCpuMs"])
    per_second = count / MONTH
    starting = max(0.01, math.exp(-300 * per_second))
    instances = math.ceil(3 * per_second * busy_ms / 1000)
    log_gb = count * (found["logBytes"] + 776) / 1e9
    stored_gb = 12 * count / 1e6 * sum(row["gigabytes"] for row in usage["rows"])
    recovered_gb = 12 * count / 1e6 * sum(row["gigabytes"] for row in usage["rows"] if not row["isIndex"])
    secret_reads = min(2 * count, instances * 2 * MONTH / 900)
    kms = min(count, instances * MONTH / 300) + secret_reads / 2
    fixed = usage["fixed"][variant]
    run = price["million invocations"] / 1e6 + lambda_dollars(200, price) + 1000 / 1e9 * price["GB of log"]
    lines = [
        count / 1e6 * price["million API calls"],
        count / 1e6 * price["million invocations"],
        count * lambda_dollars(busy_ms + starting * start_ms, price),
        count / 1e6 * found["writeUnits"] * price["million write units"],
        count / 1e6 * found["readUnits"] * price["million read units"],
        count * found["answerBytes"] / 1e9 * price["GB to the internet"],
        log_gb * price["GB of log"],
        12 * log_gb * price["GB of stored log"],
        count / 1e6 * price["million requests to WAF"],
        stored_gb * price["GB of table"] + recovered_gb * price["GB of recovery"],
        kms / 1e6 * price["million requests to KMS"],
        secret_reads / 1e6 * price["million calls to Secrets Manager"],
        20 * 8 * (MONTH / 60) / 1e6 * price["million read units"],
        sum(each * fixed[name] for name, each in WORLDWIDE.items()),
        fixed["runs of scheduled functions"] * run,
    ]
    unknown = set(fixed) - set(WORLDWIDE) - {"runs of scheduled functions"}
    if unknown:
        raise SystemExit(f"No price for {', '.join(sorted(unknown))}.")
    return sum(lines)


def number(text):
    return float(text.replace(",", ""))


def main(usage_file, page_file):
    with open(usage_file, encoding="utf-8") as file:
        usage = json.load(file)
    with open(page_file, encoding="utf-8") as file:
        table = file.read().split("<!-- bill: begin -->")[1].split("\n\n")[0].strip().splitlines()
    columns = [cell.strip().split(", ") for cell in table[0].strip("|").split("|")][1:]
    compared = differences = 0
    for line in table[2:]:
        count, *cells = [cell.strip() for cell in line.strip("|").split("|")]
        for (region, variant), cell in zip(columns, cells):
            published, _ = (number(part) for part in re.fullmatch(r"([\d,.]+) \(([\d,.]+)\)", cell).groups())
            price = IRELAND if region == "eu-west-1" else CAPE_TOWN
            own = bill(usage, number(count), variant, price)
            compared += 1
            if abs(own - published) > max(0.006, published * 0.0001, 0.51 if published >= 100 else 0):
                differences += 1
                print(f"{count} in {region}, {variant}: {published} in the page, {own:.2f} computed")
    print(f"{compared} bills, {differences} differences")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
