"""Prints the signatures that wrong receivers in Python compute, one `name<TAB>signature` a line."""
import base64, hashlib, hmac, json, sys, time

timestamp, secret, raw = sys.argv[1], sys.argv[2], sys.stdin.buffer.read()
event = json.loads(raw)


def sign(message, key=secret, digest=hashlib.sha256):
    if isinstance(message, str):
        message = message.encode()
    if isinstance(key, str):
        key = key.encode()
    return "v1=" + hmac.new(key, message, digest).hexdigest()


def show(name, signature):
    print(f"{name}\t{signature}")


show("written", json.dumps(event))
show("json.dumps", sign(f"{timestamp}.{json.dumps(event)}"))
show("json.dumps compact", sign(f"{timestamp}." + json.dumps(event, separators=(",", ":"))))
show("json.dumps sorted", sign(f"{timestamp}." + json.dumps(event, sort_keys=True)))
show(
    "json.dumps sorted compact",
    sign(f"{timestamp}." + json.dumps(event, sort_keys=True, separators=(",", ":"))),
)
show("json.dumps in UTF-8", sign(f"{timestamp}." + json.dumps(event, ensure_ascii=False)))
show("json.dumps indented", sign(f"{timestamp}." + json.dumps(event, indent=4)))
show("json.dumps alone", sign(json.dumps(event)))
show("json.dumps of the payload", sign(f"{timestamp}." + json.dumps(event["payload"])))
show("json.dumps of text", sign(f"{timestamp}." + json.dumps(raw.decode())))
show("dict", sign(f"{timestamp}.{event}"))
show("bytes in an f-string", sign(f"{timestamp}.{raw}"))
show("Latin-1 with ?", sign(f"{timestamp}.".encode() + raw.decode().encode("latin-1", "replace")))
show("read as Latin-1", sign(f"{timestamp}." + raw.decode("latin-1")))
show("BOM", sign(f"{timestamp}.".encode() + raw.decode().encode("utf-8-sig")))
show("own clock", sign(f"{int(time.time())}.".encode() + raw))
show("own clock in json.dumps", sign(f"{int(time.time())}.{json.dumps(event)}"))
show("float timestamp", sign(f"{float(timestamp)}.".encode() + raw))
show("plain SHA-256", "v1=" + hashlib.sha256(f"{timestamp}.".encode() + raw).hexdigest())
show("SHA-256 after the secret", "v1=" + hashlib.sha256(secret.encode() + f"{timestamp}.".encode() + raw).hexdigest())
show("base64", base64.b64encode(hmac.digest(secret.encode(), f"{timestamp}.".encode() + raw, "sha256")).decode())
show(
    "standard webhooks",
    "v1," + base64.b64encode(
        hmac.digest(
            base64.b64decode(secret.removeprefix("whsec_")),
            f"{event['id']}.{timestamp}.".encode() + raw,
            "sha256",
        )
    ).decode(),
)
show("secret with a line break", sign(f"{timestamp}.".encode() + raw, f"{secret}\n"))
show("None as secret", sign(f"{timestamp}.".encode() + raw, str(None)))
