#!/usr/bin/env bash
#
# Registers a device and sends one event, with nothing but curl, openssl and the usual small tools.
# It is meant to be read: everything a device must do is in signed_post below.
# docs/signing-requests.md explains each line of it and what goes wrong when one is not right.

set -euo pipefail

usage() {
  cat <<'TEXT'
Registers a device, sends one signed event, and reads the feed and the alerts back.

Usage: BASE_URL=http://127.0.0.1:8080 CREDENTIAL=svc_live_… docs/examples/send-event.sh

  BASE_URL    where the service is; a path in it counts as a prefix of every route
  CREDENTIAL  a credential with the scopes devices:write, events:write, events:read, alerts:read and status:read,
              for instance the tenant admin credential of the first start

  DEVICE_ID   optional: the id of the device, dev_ and up to 64 letters, digits, - or _
  KEY_FILE    optional: where the device's private key is, or will be put. Without it the key is thrown away
              at the end, and the next run is another device.
TEXT
}

if [[ "${1:-}" == "--help" || "${1:-}" == "-h" ]]; then
  usage
  exit 0
fi
if [[ -z "${BASE_URL:-}" || -z "${CREDENTIAL:-}" ]]; then
  usage >&2
  exit 2
fi

umask 077 # What follows writes a private key and a credential: for nobody else to read.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

base_url=${BASE_URL%/}
device_id=${DEVICE_ID:-dev_$(openssl rand -hex 8)}
key_file=${KEY_FILE:-$work/device.key}

# In a file and not on curl's command line, which everyone on the machine can see.
printf 'Authorization: Bearer %s\n' "$CREDENTIAL" >"$work/credential"

# Prints the answer and its status. Ends the script when the status is not a 2xx one.
call() {
  curl --silent --show-error --fail-with-body --header "@$work/credential" --write-out '\nHTTP %{http_code}\n' "$@"
}

# Base64 on one line, with + and /.
base64_of() {
  openssl base64 -A
}

# The path as the service sees it, with the prefix of BASE_URL: this is what gets signed.
path_of() {
  local after_scheme=${base_url#*://}
  local prefix=""
  if [[ "$after_scheme" == */* ]]; then prefix="/${after_scheme#*/}"; fi
  printf '%s' "$prefix$1"
}

# Signs a request (RFC 9421) and sends it.
#   $1  the route: /devices or /events
#   $2  what the signature is for: tps-register or tps-event
#   $3  the body, byte for byte as it will be sent
signed_post() {
  local route=$1 tag=$2 body=$3

  # 1. The digest of the body (RFC 9530). The signature covers this header and, through it, the body.
  local digest
  digest="sha-256=:$(printf '%s' "$body" | openssl dgst -sha256 -binary | base64_of):"

  # 2. When, once, who and how. A nonce is 16 random bytes in base64url without padding, and never used twice.
  local created nonce
  created=$(date +%s)
  nonce=$(openssl rand 16 | base64_of)
  nonce=${nonce//+/-}
  nonce=${nonce//\//_}
  nonce=${nonce%%=*}
  local params='("@method" "@path" "content-digest")'
  params+=";created=$created;nonce=\"$nonce\";keyid=\"$device_id\";alg=\"rsa-v1_5-sha256\";tag=\"$tag\""

  # 3. The signature base: one line for each covered component, in the order of the list, and last the list itself.
  #    Lines end with a single line feed; the last one has none.
  local base
  base="\"@method\": POST
\"@path\": $(path_of "$route")
\"content-digest\": $digest
\"@signature-params\": $params"

  # 4. The signature over exactly these bytes.
  local signature
  signature=$(printf '%s' "$base" | openssl dgst -sha256 -sign "$key_file" | base64_of)

  # 5. The request: the same body, the digest, and both signature headers under one label, here "tps".
  printf '\n# POST %s, of which this is signed:\n%s\n\n' "$route" "$base"
  call --request POST "$base_url$route" \
    --header 'Content-Type: application/json' \
    --header "Content-Digest: $digest" \
    --header "Signature-Input: tps=$params" \
    --header "Signature: tps=:$signature:" \
    --data-binary "$body"
}

# The device's key pair. The private half stays where it is made.
if [[ ! -e "$key_file" ]]; then
  openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out "$key_file" 2>/dev/null
fi
public_key=$(openssl pkey -in "$key_file" -pubout -outform DER | base64_of)

# A registration and an event name their tenant. The credential belongs to one, and /status says which.
status=$(call "$base_url/status") || {
  printf '%s\n' "$status" >&2
  exit 1
}
tenant_id=${status#*\"tenant_id\":\"}
tenant_id=${tenant_id%%\"*}

# Registration is signed with the very key that it announces: the device proves that it has the private half.
signed_post /devices tps-register \
  "{\"tenant_id\":\"$tenant_id\",\"device_id\":\"$device_id\",\"platform\":\"linux\",\"public_key_b64\":\"$public_key\",\"name\":\"Example from the docs\"}"

# What the device has seen. The service replaces e-mail addresses and URLs before it stores anything.
event_id="evt_$(openssl rand -hex 8)"
signed_post /events tps-event "{
  \"event_id\": \"$event_id\",
  \"type\": \"risk.event.created\",
  \"timestamp\": \"$(date -u +%Y-%m-%dT%H:%M:%SZ)\",
  \"tenant_id\": \"$tenant_id\",
  \"device_id\": \"$device_id\",
  \"threat_category\": \"phishing\",
  \"confidence\": 0.97,
  \"action_taken\": \"block\",
  \"policy_id\": \"pol_example\",
  \"severity\": \"high\",
  \"description\": \"A page that copies a bank, sent to anna@mail.example\",
  \"indicators\": [\"https://bank-login.example/verify?user=anna\"]
}"

printf '\n# GET /events: what the feed has of this device\n'
call "$base_url/events?device_id=$device_id&limit=100"

printf '\n# GET /alerts: what was derived from it\n'
call "$base_url/alerts?device_id=$device_id&limit=100"
