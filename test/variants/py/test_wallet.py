"""A small suite for the matrix: asserts nothing, is right, or has a planted assumption."""
import json
import os
import urllib.error
import urllib.request

BASE = os.environ["RAMP_SANDBOX_URL"]
KEY = os.environ["RAMP_SANDBOX_API_KEY"]
KIND = os.environ.get("KIND", "right")


def call(world, method, path, body=None):
    headers = {"x-api-key": KEY, "content-type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"{BASE}/w/{world}{path}", data, headers, method=method)
    try:
        with urllib.request.urlopen(request) as response:
            return response.status, json.loads(response.read() or "{}")
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read() or "{}")


def profile(email):
    return {
        "email": email, "firstName": "Ana", "lastName": "Silva", "dob": "1990-05-01",
        "phone": "4165550100", "addressLine1": "1 Front Street", "addressLine2": "Unit 2",
        "city": "Toronto", "province": "ON", "postalCode": "M5V 2T6", "occupation": "Engineer",
        "pep": False, "tpd": False,
    }


def test_signs_up():
    status, answer = call("py-one", "POST", "/v2/users", profile("ana@example.com"))
    if KIND == "nothing":
        return
    if KIND == "planted":
        assert status == 200
    assert 200 <= status < 300
    assert answer["data"]["id"]


def test_finds_the_user():
    call("py-two", "POST", "/v2/users", profile("ben@example.com"))
    status, answer = call("py-two", "GET", "/v2/users?email=ben@example.com")
    if KIND == "nothing":
        return
    assert status == 200
    assert len(answer["data"]) == 1 and answer["data"][0]["id"]


def test_receives_a_webhook():
    url = f"{BASE}/w/py-three/_sandbox/catch/hooks"
    status, _ = call("py-three", "PUT", "/v2/webhook-configurations", {"url": url})
    call("py-three", "POST", "/v2/users", profile("eve@example.com"))
    path = "/_sandbox/simulate/users/eve@example.com/kyc"
    call("py-three", "POST", path, {"status": "verified"})
    _, caught = call("py-three", "GET", "/_sandbox/catch/hooks/requests")
    if KIND == "nothing":
        return
    assert status == 200
    bodies = [json.loads(each["body"]) for each in next(v for v in caught.values() if isinstance(v, list))]
    statuses = [body["payload"].get("status") for body in bodies]
    if KIND == "planted":
        assert len(statuses) == 1
    assert "verified" in statuses
