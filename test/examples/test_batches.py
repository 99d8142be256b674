"""Tests with the fixture of conftest.py. Run them with: npx gateway-mock exec -- pytest"""

import json
import urllib.error
import urllib.request

import pytest


def get(gateway, path):
    """The code under test."""
    request = urllib.request.Request(gateway.base_url + path, headers=gateway.headers)
    with urllib.request.urlopen(request) as reply:
        return json.load(reply)


def test_a_failed_batch_is_listed(gateway):
    batch = gateway.create("batches", status="failed")
    assert batch["id"] in [each["id"] for each in get(gateway, "/batches")["data"]]


def test_a_busy_gateway_answers_503(gateway):
    gateway.add_faults("listBatches#1: 503")
    with pytest.raises(urllib.error.HTTPError, match="503"):
        get(gateway, "/batches")
    assert [call["status"] for call in gateway.requests(operation="listBatches")] == [503]


def test_a_run_is_completed_when_the_clock_moves(gateway):
    run = gateway.create("runs", thread_id="thread_empty")
    gateway.advance_clock("1d")
    page = get(gateway, "/threads/thread_empty/runs")
    assert [(each["id"], each["status"]) for each in page["data"]] == [(run["id"], "completed")]
