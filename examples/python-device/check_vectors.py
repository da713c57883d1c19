"""Checks tps_protocol.py against the test vectors: python3 check_vectors.py docs/signing-vectors.json"""

import base64
import hashlib
import json
import sys

import tps_protocol as tps

with open(sys.argv[1], encoding="utf-8") as file:
    vectors = json.load(file)
private_keys = {name: tps.load_private_key(key["private_key_pem"]) for name, key in vectors["keys"].items()}
failed = []
checked = {}


def check(section, name, is_right):
    checked[section] = checked.get(section, 0) + 1
    if not is_right:
        failed.append(f"{section}: {name}")


for name, key in vectors["keys"].items():
    check("keys", name, tps.public_key_b64(private_keys[name]) == key["public_key_b64"])

for request in vectors["requests"]:
    headers = request["headers"]
    digest = tps.content_digest(request["body"].encode("utf-8"))
    check("digests", request["name"], digest == headers["content-digest"])
    values = {
        "@method": request["method"],
        "@path": request["path"],
        "content-digest": digest,
        "content-type": "application/json",
    }
    inputs, signatures = [], []
    for each in request["signatures"]:
        components, algorithm = each["components"], each["alg"]
        params = tps.signature_params(
            components, each["created"], each["nonce"], each["keyid"], algorithm, each["tag"]
        )
        base = tps.signature_base(values, components, params)
        key = private_keys[each["key"]]
        signature = base64.b64decode(each["signature_b64"])
        check("signature bases", request["name"], base == each["base"])
        own = tps.sign_bytes(key, algorithm, base.encode())
        for section, made in (("signatures", signature), ("own signatures", own)):
            is_right = tps.is_signed(key.public_key(), algorithm, base.encode(), made)
            check(section, request["name"], is_right)
        # Signatures of the two other algorithms contain random numbers.
        if algorithm in ("ed25519", "rsa-v1_5-sha256"):
            check("equal signatures", request["name"], own == signature)
        inputs.append(f"{each['label']}={params}")
        signatures.append(f"{each['label']}=:{each['signature_b64']}:")
    check("headers", request["name"], headers["signature-input"] == ", ".join(inputs))
    check("headers", request["name"], headers["signature"] == ", ".join(signatures))

for case in vectors["canonical_json"]:
    text = tps.canonical_json(json.loads(case["json"]))
    is_right = text == case["canonical"] and tps.sha256_hex(text) == case["sha256"]
    check("canonical JSON", case["name"], is_right)

for case in vectors["device_chain"]:
    text = tps.canonical_json(case["event"])
    check("event hashes", case["name"], tps.sha256_hex(text) == case["event_hash"])
end = (0, None)
for case in vectors["device_chain"][:3]:
    event = dict(case["event"])
    for member in ("sequence", "previous_event_hash"):
        event.pop(member, None)
    chained, end = tps.chain_event(event, end)
    check("linked events", case["name"], chained == case["event"] and end[1] == case["event_hash"])

chain_hash = bytes.fromhex(vectors["feed_chain"]["start"])
for event in vectors["feed_chain"]["events"]:
    event_hash = hashlib.sha256(event["stored"].encode("utf-8")).digest()
    chain_hash = hashlib.sha256(chain_hash + event_hash).digest()
    hashes = (event_hash.hex(), chain_hash.hex())
    check("feed chain", event["event_id"], hashes == (event["event_hash"], event["chain_hash"]))

for section, count in checked.items():
    print(f"{section}: {count} checked")
for line in failed:
    print(f"FAILED {line}")
sys.exit(1 if failed else 0)
