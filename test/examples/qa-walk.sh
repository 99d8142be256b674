#!/bin/sh
# A walk through a bug with curl alone. Run it with: npx gateway-mock exec --scenario in-flight --seed 7 -- sh qa-walk.sh
set -eu
session="${GATEWAY_BASE_URL%/v1}/sessions/bug-17"

api() { curl -sS -H "x-gateway-api-key: $GATEWAY_API_KEY" -H "x-gateway-virtual-key: $GATEWAY_VIRTUAL_KEY" "$session/v1$1"; }
admin() { # admin PATH [JSON]
  curl -sS -X POST -H 'content-type: application/json' -d "${2:-{\}}" "$session/__admin$1"
}

echo "1. Runs are queued:"
api '/threads/thread_queue/runs?limit=1'

echo; echo "2. A day later they have ended:"
admin /clock/advance '{ "by": "1d" }'
api '/threads/thread_queue/runs?limit=1'

echo; echo "3. The next list of batches is refused:"
admin /faults/add '{ "faults": ["listBatches#1: 503"] }'
api /batches?limit=1

echo; echo "4. What was asked, and the state to attach to the ticket:"
admin /requests/count '{ "status": "5xx" }'
echo
admin /state/export > "${1:-bug-17.json}"
