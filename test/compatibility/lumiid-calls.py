"""
Makes calls with the published client lumiid, unmodified except for its base address.

Reads {"base_url", "api_key", "calls": [[id_type, id_number, advance], ...]} from standard input. Writes one
result for each call: the client's return value, or the class and the attributes of its exception.
"""

import json
import sys

from lumiid import LumiID, LumiIDError


def result_of(client, call):
    try:
        return {"returned": client.verify(*call)}
    except (LumiIDError, ValueError) as error:
        status = getattr(error, "status_code", None)
        return {"raised": type(error).__name__, "status": status, "response": getattr(error, "response", None)}


order = json.load(sys.stdin)
LumiID.BASE_URL = order["base_url"]
client = LumiID(order["api_key"])
json.dump([result_of(client, call) for call in order["calls"]], sys.stdout)
