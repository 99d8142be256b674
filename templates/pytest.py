"""A first test. Run it with: npx gateway-mock exec --scenario scenarios/first.yaml -- pytest"""

import json
import urllib.request


def test_the_failed_batch_of_the_scenario_is_listed(gateway):
    request = urllib.request.Request(f"{gateway.base_url}/batches", headers=gateway.headers)
    with urllib.request.urlopen(request) as reply:  # your client, here
        page = json.load(reply)
    assert [(batch["id"], batch["status"]) for batch in page["data"]] == [("batch_first", "failed")]
