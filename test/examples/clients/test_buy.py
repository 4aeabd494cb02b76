"""What your own tests would cover: a buy with signed webhooks, an expiry, a rejected identity check."""

import hashlib
import hmac
import json
import os
import threading
import time
import unittest
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

BASE = os.environ["RAMP_SANDBOX_URL"]
KEY = os.environ["RAMP_SANDBOX_API_KEY"]
SIDES = {"leftSideLabel": "CAD", "leftSideValue": 250, "rightSideLabel": "USDC-ETH"}
WALLET = "0x52908400098527886E0F7030069857D2E4169EE7"


def call(method, path, body=None, token=None):
    data = None if method == "GET" else json.dumps(body or {}).encode()
    headers = {"Content-Type": "application/json", "x-api-key": KEY}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    request = urllib.request.Request(BASE + path, data, headers, method=method)
    try:
        with urllib.request.urlopen(request) as response:
            return response.status, json.load(response)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


class Receiver(BaseHTTPRequestHandler):
    """Stands in for your own endpoint: verifies the raw bytes, then keeps the event."""

    def do_POST(self):
        body = self.read_body()
        timestamp = self.headers.get("X-Service-Timestamp", "0")
        signed = timestamp.encode() + b"." + body
        digest = hmac.new(self.server.secret.encode(), signed, hashlib.sha256).hexdigest()
        genuine = hmac.compare_digest(f"v1={digest}", self.headers.get("X-Service-Signature", ""))
        fresh = timestamp.isdigit() and abs(time.time() - int(timestamp)) <= 300
        if genuine and fresh:
            event = json.loads(body)
            # The same event may come twice.
            self.server.events.setdefault(event.get("id") or event["eventId"], event)
        self.send_response(204 if genuine and fresh else 401)
        self.end_headers()

    def read_body(self):
        """A chunked body has no Content-Length, and http.server does not decode it."""
        if self.headers.get("Transfer-Encoding", "").lower() != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length", 0)))
        body = b""
        while size := int(self.rfile.readline().split(b";")[0], 16):
            body += self.rfile.read(size)
            self.rfile.readline()
        while self.rfile.readline().strip():
            pass
        return body

    def log_message(self, *_):
        pass


class BuyTest(unittest.TestCase):
    def setUp(self):
        # A reset removes the previous test's tokens, quotes and webhook URLs. A seed of its own
        # gives each test new ids, so that no event looks like a repeat.
        start = {"fixture": "verified-user", "clock": "frozen", "seed": self.id()}
        call("POST", "/_sandbox/reset", start)
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
        self.server.events = {}
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{self.server.server_port}/hooks"
        _, body = call("PUT", "/v2/webhook-configurations", {"url": url})
        self.server.secret = body["data"]["signingSecret"]

    def tearDown(self):
        self.server.shutdown()
        self.server.server_close()

    def log_in(self, email):
        call("POST", "/v2/auth/login-codes", {"email": email})
        _, inbox = call("GET", f"/_sandbox/inbox?email={email}&kind=login-code")
        code = inbox["messages"][-1]["code"]
        _, body = call("POST", "/v2/auth/login-codes/verify", {"email": email, "code": code})
        return body["data"]["accessToken"]

    def buy(self, token):
        query = "&".join(f"{name}={value}" for name, value in SIDES.items())
        _, quote = call("GET", f"/v2/quotes?{query}")
        order = {**SIDES, "wallet": WALLET, "quoteId": quote["data"]["quoteId"], "externalSessionId": "session-1"}
        _, body = call("POST", "/v2/transactions", order, token)
        return body["data"]["id"]

    def statuses(self):
        return [event["payload"]["status"] for event in self.server.events.values()]

    def test_a_buy_completes_and_each_signed_webhook_says_so(self):
        transaction = self.buy(self.log_in("alice@example.com"))
        call("POST", f"/_sandbox/simulate/transactions/{transaction}/funds-received")
        call("POST", f"/_sandbox/simulate/transactions/{transaction}/settled")
        pending, processing = (f"{step} request money transfer" for step in ("pending", "processing"))
        self.assertEqual(self.statuses(), [pending, processing, "complete"])

    def test_a_buy_that_nobody_pays_expires(self):
        token = self.log_in("alice@example.com")
        transaction = self.buy(token)
        call("POST", "/_sandbox/clock/advance", {"by": "65m"})  # expiry runs in the background, so it may be late
        self.assertEqual(self.statuses()[-1], "expired")
        # The access token is over an hour old, too; the contract does not name the status.
        status, _ = call("GET", f"/v2/transactions/{transaction}", token=token)
        self.assertIn(status, (401, 403))
        token = self.log_in("alice@example.com")
        _, body = call("GET", f"/v2/transactions/{transaction}", token=token)
        self.assertEqual(body["data"]["status"], "expired")

    def test_a_rejected_user_cannot_log_in(self):
        call("POST", "/v2/users", {"email": "bob@example.com"})
        call("POST", "/_sandbox/simulate/users/bob@example.com/kyc", {"status": "rejected"})
        self.assertEqual(self.statuses()[-1], "rejected")
        call("POST", "/v2/auth/login-codes", {"email": "bob@example.com"})
        _, inbox = call("GET", "/_sandbox/inbox?email=bob@example.com&kind=login-code")
        self.assertEqual(inbox["messages"], [])


if __name__ == "__main__":
    unittest.main()
