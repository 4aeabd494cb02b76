"""A complete buy in Python, using the environment variables that `ramp-sandbox exec` sets."""

import json
import os
import urllib.parse
import urllib.request

BASE = os.environ["RAMP_SANDBOX_URL"]
KEY = os.environ["RAMP_SANDBOX_API_KEY"]
EMAIL = "alice@example.com"


def call(method, path, body=None, headers=None):
    data = None if method == "GET" else json.dumps(body or {}).encode()
    request = urllib.request.Request(BASE + path, data, method=method)
    for name, value in {"Content-Type": "application/json", **(headers or {})}.items():
        request.add_header(name, value)
    with urllib.request.urlopen(request) as response:
        return json.load(response)


def api(method, path, body=None, token=None):
    """Calls the provider's API, as your own client does."""
    headers = {"x-api-key": KEY}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    return call(method, f"/v2{path}", body, headers)["data"]


def sandbox(method, path, body=None):
    """Calls the control API, to do what the outside world does."""
    return call(method, f"/_sandbox{path}", body)


sandbox("POST", "/reset", {"fixture": "verified-user", "clock": "frozen"})
api("POST", "/auth/login-codes", {"email": EMAIL})
code = sandbox("GET", f"/inbox?email={EMAIL}&kind=login-code")["messages"][0]["code"]
token = api("POST", "/auth/login-codes/verify", {"email": EMAIL, "code": code})["accessToken"]

sides = {"leftSideLabel": "CAD", "leftSideValue": 1000, "rightSideLabel": "USDC-ETH"}
quote = api("GET", f"/quotes?{urllib.parse.urlencode(sides)}")
wallet = "0x52908400098527886E0F7030069857D2E4169EE7"
order = {**sides, "quoteId": quote["quoteId"], "wallet": wallet, "externalSessionId": "session-1"}
placed = api("POST", "/transactions", order, token)
tx_id = placed["id"]

sandbox("POST", f"/simulate/transactions/{tx_id}/funds-received")
sandbox("POST", f"/simulate/transactions/{tx_id}/settled")
bought = api("GET", f"/transactions/{tx_id}", token=token)
assert bought["status"] == "complete", bought
assert bought["rightSideValue"] == placed["rightSideValue"], bought
print(f"bought {bought['rightSideValue']} {bought['rightSideLabel']}: {bought['status']}")
