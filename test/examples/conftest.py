"""A fixture for pytest, with the standard library alone. Run it with: npx gateway-mock exec -- pytest"""

import json
import os
import urllib.error
import urllib.request
import uuid

import pytest

ROOT = os.environ.get("GATEWAY_BASE_URL", "").removesuffix("/v1")
TOKEN = os.environ.get("GATEWAY_ADMIN_TOKEN")


def message_of(body):
    """The sentence that says what is wrong; the whole body if it has none."""
    try:
        return json.loads(body)["error"]["message"]
    except (ValueError, KeyError, TypeError):
        return body


class Gateway:
    """The gateway of one test: a session of the server, controlled by its admin API."""

    def __init__(self, name):
        self.base_url = f"{ROOT}/sessions/{name}/v1"  # for the code under test
        self.headers = {
            "x-gateway-api-key": os.environ["GATEWAY_API_KEY"],
            "x-gateway-virtual-key": os.environ["GATEWAY_VIRTUAL_KEY"],
        }
        self._admin_url = f"{ROOT}/sessions/{name}/__admin"

    def admin(self, path, body=None):
        """Calls a command of the admin API: see docs/admin-api.md."""
        __tracebackhide__ = True  # pytest then shows the line of the test
        headers = {"content-type": "application/json"}
        if TOKEN:
            headers["authorization"] = f"Bearer {TOKEN}"
        data = json.dumps(body or {}).encode()
        request = urllib.request.Request(self._admin_url + path, data, headers, method="POST")
        try:
            with urllib.request.urlopen(request) as reply:
                return json.load(reply)
        except urllib.error.HTTPError as error:
            raise AssertionError(message_of(error.read().decode())) from None

    def add_faults(self, *lines):
        __tracebackhide__ = True
        return self.admin("/faults/add", {"faults": list(lines)})

    def advance_clock(self, duration):
        __tracebackhide__ = True
        return self.admin("/clock/advance", {"by": duration})

    def create(self, kind, **fields):
        __tracebackhide__ = True
        return self.admin(f"/records/{kind}/create", {"fields": fields})

    def requests(self, **query):
        __tracebackhide__ = True
        return self.admin("/requests/list", query)


@pytest.fixture
def gateway():
    if not ROOT:
        pytest.fail("There is no gateway. Run the tests with: npx gateway-mock exec -- pytest")
    name = f"pytest-{uuid.uuid4().hex}"
    mine = Gateway(name)
    mine.admin("/sessions/create", {"name": name})
    yield mine
    try:
        strays = mine.requests(unmatched=True)
        idle = mine.admin("/faults/list", {"unused": True})
        problems = [f"{call['method']} {call['path']} matched no operation: {call['nearest']}" for call in strays]
        problems += [f"the fault {fault['fault']} did nothing: {fault['unused']}" for fault in idle]
        if problems:
            pytest.fail("\n".join(problems), pytrace=False)
    finally:
        mine.admin("/sessions/delete", {"name": name})
