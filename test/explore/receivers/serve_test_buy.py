"""Serves the receiver of test/examples/clients/test_buy.py; GET returns the events that it keeps."""

import json
import os
import sys
from http.server import ThreadingHTTPServer
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parents[2] / "examples" / "clients"))
from test_buy import Receiver  # noqa: E402


class Shown(Receiver):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps(list(self.server.events.values())).encode())


server = ThreadingHTTPServer(("127.0.0.1", 0), Shown)
server.events = {}
server.secret = os.environ["RAMP_SANDBOX_SIGNING_SECRET"]
print(f"listening on http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
