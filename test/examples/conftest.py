"""A fixture for pytest, with the standard library alone. Run it with: npx gateway-mock exec -- pytest"""

import json
import os
import time
import urllib.error
import urllib.request
import uuid
import warnings

import pytest

ROOT = os.environ.get("GATEWAY_BASE_URL", "").removesuffix("/v1")
TOKEN = os.environ.get("GATEWAY_ADMIN_TOKEN")
QUESTIONS = ("/requests/", "/faults/list", "/quotas/list", "/quotas/isEnforced", "/state/", "/scenario/", "/reset")


def message_of(body):
    """The sentence that says what is wrong; the whole body if it has none."""
    try:
        return json.loads(body)["error"]["message"]
    except (ValueError, KeyError, TypeError):
        return body


def call_admin(url, body=None):
    __tracebackhide__ = True  # pytest then shows the line of the test
    headers = {"content-type": "application/json"}
    if TOKEN:
        headers["authorization"] = f"Bearer {TOKEN}"
    data = json.dumps(body or {}).encode()
    request = urllib.request.Request(url, data, headers, method="POST")
    try:
        with urllib.request.urlopen(request) as reply:
            return json.load(reply)
    except urllib.error.HTTPError as error:
        raise AssertionError(message_of(error.read().decode())) from None


class Gateway:
    """The gateway of one test: a session of the server, controlled by its admin API."""

    no_calls = "error"  # or "allow": the test may take the gateway without calling it

    def __init__(self, name):
        self._base_url = f"{ROOT}/sessions/{name}/v1"
        self._admin_url = f"{ROOT}/sessions/{name}/__admin"
        self._is_taken = self._has_asked = self._has_passed = False

    @property
    def base_url(self):
        """For the code under test."""
        self._note_use()
        return self._base_url

    @property
    def headers(self):
        """For the code under test."""
        self._note_use()
        names = {"x-gateway-api-key": "GATEWAY_API_KEY", "x-gateway-virtual-key": "GATEWAY_VIRTUAL_KEY"}
        return {header: os.environ[name] for header, name in names.items()}

    def admin(self, path, body=None):
        """Calls a command of the admin API: see docs/admin-api.md."""
        __tracebackhide__ = True
        if path.startswith(QUESTIONS):
            self._has_asked = True
        elif not path.endswith(("/list", "/get", "/count", "/now")):
            self._note_use()
        return call_admin(self._admin_url + path, body)

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

    def _note_use(self):
        """Notes that the test itself took the gateway, not a fixture that prepares it."""
        self._is_taken = self._is_taken or os.environ["PYTEST_CURRENT_TEST"].endswith("(call)")

    def pytest_runtest_logreport(self, report):
        self._has_passed = report.passed and not hasattr(report, "wasxfail")

    def _is_silent(self):
        """Whether the test took the gateway, but no request arrives within a second, nor a preflight."""
        if not self._has_passed or not self._is_taken or self._has_asked or self.no_calls == "allow":
            return False
        for _ in range(20):
            if self.admin("/state/export")["requests"] > 0:
                return False
            time.sleep(0.05)
        return True

    def find_problems(self, missed):
        is_silent = self._is_silent()  # first, since it waits
        strays = self.requests(unmatched=True)
        problems = [f"{call['method']} {call['path']} matched no operation: {call['nearest']}" for call in strays]
        problems += [f"{call['method']} {call['path']} went to the default session, not to gateway.base_url" for call in missed]
        if not self._has_passed:
            return problems
        idle = self.admin("/faults/list", {"unused": True})
        problems += [f"the fault {fault['fault']} did nothing: {fault['unused']}" for fault in idle]
        if is_silent and not problems:
            problems.append(
                "If this test shows that nothing is sent, end it with: assert gateway.requests() == []. "
                "If it needs no calls: gateway.no_calls = \"allow\".\n"
                f"The test took its gateway ({self._base_url}), but no request arrived there. "
                "Does the code under test use this base URL?"
            )
        calls = self.requests(bodies=False, kept=True)
        policies = self.admin("/quotas/list") if calls and self.admin("/quotas/isEnforced") else []
        if policies and not any(policy["matched"] for policy in policies):
            names = ", ".join(policy["name"] or policy["policy"] for policy in policies)
            warnings.warn(f"Quotas were enforced in this test, but limited no call: {names}", stacklevel=2)
        return problems


def list_default_calls(after=0):
    """The calls of the default session: no test has it, so they miss the session of their test."""
    calls = call_admin(f"{ROOT}/__admin/requests/list", {"bodies": False, "kept": True})
    return [call for call in calls if call["ordinal"] > after]


@pytest.fixture
def gateway(request, monkeypatch):
    if not ROOT:
        pytest.fail("There is no gateway. Run the tests with: npx gateway-mock exec -- pytest")
    name = f"pytest-{uuid.uuid4().hex}"
    mine = Gateway(name)
    mine.admin("/sessions/create", {"name": name})
    monkeypatch.setenv("GATEWAY_BASE_URL", mine._base_url)  # for code that reads it
    last = max((call["ordinal"] for call in list_default_calls()), default=0)
    request.config.pluginmanager.register(mine)  # it gets the result of the test
    yield mine
    request.config.pluginmanager.unregister(mine)
    try:
        is_alone = "PYTEST_XDIST_WORKER" not in os.environ  # otherwise, they may be of another process
        problems = mine.find_problems(list_default_calls(last) if is_alone else [])
        if problems:
            pytest.fail("\n".join(problems), pytrace=False)
    finally:
        mine.admin("/sessions/delete", {"name": name})
