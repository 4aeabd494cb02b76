import json
import os
import urllib.request

# This file has its own world, created by the first call.
WORLD = os.environ["RAMP_SANDBOX_URL"] + "/w/expiry-python"


def control(method, path, body=None):
    data = None if method == "GET" else json.dumps(body or {}).encode()
    headers = {"Content-Type": "application/json"}
    request = urllib.request.Request(f"{WORLD}/_sandbox{path}", data, headers, method=method)
    with urllib.request.urlopen(request) as response:
        return json.load(response)


def test_a_buy_that_nobody_pays_expires():
    control("POST", "/reset", {"fixture": "verified-user", "clock": "frozen"})
    bought = control("POST", "/simulate/users/alice@example.com/buy", {"cad": 250})
    transaction = bought["transaction"]["id"]

    control("POST", "/clock/advance", {"by": "1h"})

    assert control("GET", f"/transactions/{transaction}")["status"] == "expired"
