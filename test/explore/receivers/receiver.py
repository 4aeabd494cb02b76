"""python3 receiver.py PORT STORE [MISTAKE]: credits a wallet once a buy completes."""

import hashlib
import hmac
import json
import os
import sys
import threading
import time
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PORT, STORE = int(sys.argv[1]), sys.argv[2]
MISTAKE = sys.argv[3] if len(sys.argv) > 3 else ""
PLACE = {
    "url": os.environ.get("RAMP_SANDBOX_URL"),
    "apiKey": os.environ.get("RAMP_SANDBOX_API_KEY"),
    "signingSecret": os.environ.get("RAMP_SANDBOX_SIGNING_SECRET"),
}
RANKS = {"pending": 1, "processing": 2, "complete": 3, "expired": 3, "cancelled": 3}
LOCK = threading.RLock()


def rank_of(status):
    return RANKS.get((status or "").split(" ")[0], 0)


def empty():
    return {"events": [], "orders": {}, "wallet": 0}


def read():
    if not os.path.exists(STORE):
        return empty()
    with open(STORE, encoding="utf-8") as file:
        return json.load(file)


def write(state):
    with open(f"{STORE}.new", "w", encoding="utf-8") as file:
        json.dump(state, file)
    os.replace(f"{STORE}.new", STORE)


def apply(state, order, status, coins):
    """A status only moves on, whatever the order in which events come."""
    known = state["orders"].get(order)
    if MISTAKE == "order-trusted" and known is None and not status.startswith("pending"):
        return
    if rank_of(status) <= rank_of(known):
        return
    state["orders"][order] = status
    if status == "complete":
        state["wallet"] += coins


def is_genuine(headers, body):
    timestamp = headers.get("X-Service-Timestamp", "")
    if not timestamp.isdigit():
        return False
    if MISTAKE != "any-age" and abs(time.time() - int(timestamp)) > 300:
        return False
    secret = PLACE["signingSecret"].encode()
    digest = hmac.new(secret, timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(f"v1={digest}", headers.get("X-Service-Signature", ""))


def take(event):
    event_id = event.get("id") or event.get("eventId")
    with LOCK:
        state = read()
        if event["type"] != "transaction.update" or event_id in state["events"]:
            return
        state["events"].append(event_id)
        payload = event["payload"]
        apply(state, payload["transactionId"], payload["status"], payload["rightSideValue"])
        write(state)


def call(path, body=None, token=None):
    headers = {"x-api-key": PLACE["apiKey"], "content-type": "application/json"}
    if token:
        headers["authorization"] = f"Bearer {token}"
    data = json.dumps(body).encode() if body else None
    with urllib.request.urlopen(urllib.request.Request(PLACE["url"] + path, data, headers)) as response:
        return json.load(response)


def reconcile():
    email = "alice@example.com"
    call("/v2/auth/login-codes", {"email": email})
    code = call(f"/_sandbox/inbox?email={email}&kind=login-code")["messages"][-1]["code"]
    token = call("/v2/auth/login-codes/verify", {"email": email, "code": code})["data"]["accessToken"]
    with LOCK:
        state = read()
        for item in call("/v2/transactions?limit=100", token=token)["data"]["items"]:
            known = state["orders"].get(item["id"])
            is_done = rank_of(known) >= (2 if MISTAKE == "reconcile-forgets" else 3)
            if MISTAKE == "reconcile-credits" and known == "complete":
                state["wallet"] += item["rightSideValue"]
            if not is_done:
                apply(state, item["id"], item["status"], item["rightSideValue"])
        write(state)


class Receiver(BaseHTTPRequestHandler):
    def do_GET(self):
        with LOCK:
            state = read()
        self.respond(200, {"orders": state["orders"], "wallet": state["wallet"]})

    def do_POST(self):
        body = self.read_body()
        if self.path == "/reset":
            PLACE.update(json.loads(body))
            with LOCK:
                write(empty())
        if self.path == "/reconcile":
            reconcile()
        if self.path != "/hooks":
            return self.respond(204)
        if MISTAKE == "verifies-late":
            take(json.loads(body))
        if not is_genuine(self.headers, body):
            return self.respond(401)
        take(json.loads(body))
        self.respond(204)

    def read_body(self):
        if self.headers.get("Transfer-Encoding", "").lower() != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length", 0)))
        body = b""
        while size := int(self.rfile.readline().split(b";")[0], 16):
            body += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return body

    def respond(self, status, body=None):
        self.send_response(status)
        self.end_headers()
        if body is not None:
            self.wfile.write(json.dumps(body).encode())

    def log_message(self, *_):
        pass


ThreadingHTTPServer(("127.0.0.1", PORT), Receiver).serve_forever()
