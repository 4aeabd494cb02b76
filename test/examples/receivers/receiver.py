"""Responds to webhooks with 204, or with 401 if the service did not sign them. Nothing to install."""

import hashlib
import hmac
import json
import os
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ.get("RAMP_SANDBOX_SIGNING_SECRET", "").encode()
TOLERANCE_SECONDS = 300
seen = set()
taking = threading.Lock()


def is_genuine(headers, body):
    """The signature covers the bytes as they came, so check it before anything parses them."""
    timestamp = headers.get("X-Service-Timestamp", "")
    # Anyone can sign with an empty secret.
    if not SECRET or not timestamp.isdigit():
        return False
    if abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    digest = hmac.new(SECRET, timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(f"v1={digest}", headers.get("X-Service-Signature", ""))


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.read_body()
        if not is_genuine(self.headers, body):
            return self.respond(401)
        event = json.loads(body)
        event_id = event.get("id") or event["eventId"]
        # Two requests may be under way at once.
        with taking:
            if event_id not in seen:
                print(event["type"], event["payload"].get("status"), flush=True)
            seen.add(event_id)
        self.respond(204)

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

    def respond(self, status):
        self.send_response(status)
        self.end_headers()

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "0"))), Receiver)
print(f"listening on http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
