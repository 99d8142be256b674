"""A script with Python's standard library alone. Run it with: npx gateway-mock exec -- python3 nightly.py"""

import json
import os
import urllib.error
import urllib.request

BASE_URL = os.environ["GATEWAY_BASE_URL"]
ADMIN_URL = os.environ["GATEWAY_ADMIN_URL"]
HEADERS = {
    "x-gateway-api-key": os.environ["GATEWAY_API_KEY"],
    "x-gateway-virtual-key": os.environ["GATEWAY_VIRTUAL_KEY"],
}


def get(path, attempts=3):
    """The body of a call, tried again where the gateway is busy."""
    for left in reversed(range(attempts)):
        try:
            with urllib.request.urlopen(urllib.request.Request(BASE_URL + path, headers=HEADERS)) as reply:
                return json.load(reply)
        except urllib.error.HTTPError as error:
            if error.code != 503 or left == 0:
                raise


def batches():
    after = ""
    while True:
        page = get(f"/batches?limit=50&after={after}")
        yield from page["data"]
        if not page["has_more"]:
            return
        after = page["last_id"]


def control(path, body):
    request = urllib.request.Request(
        ADMIN_URL + path, json.dumps(body).encode(), {"content-type": "application/json"}
    )
    return json.load(urllib.request.urlopen(request))


control("/faults/add", {"faults": ["listBatches#2: 503"]})
failed = [batch["id"] for batch in batches() if batch["status"] == "failed"]
print(f"{len(failed)} batches failed")
