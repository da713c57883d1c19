"""A device in plain Python: enrols, sends signed events, replaces its key, renews its credential.

It is meant to be read beside docs/device-protocol.md; README.md shows how to run it.
Exit codes: 0 done, 1 try again later, 2 wrong usage or input, 3 the device is revoked.
"""

import json
import os
import secrets
import sys
import time
import urllib.parse
from datetime import datetime, timezone

import tps_protocol as tps
from tps_connection import Connection, Revoked, TryLater, require_success

USAGE = """Usage: python3 device.py COMMAND DIRECTORY

  enrol     registers the device with TPS_URL, TPS_TENANT and TPS_ENROLMENT_SECRET
  send      sends the events on standard input, one JSON object per line
  rotate    replaces the key
  renew     renews the credential if it is due; with --now in any case
  updates   reads the policies and the signed indicators, if they have changed
"""
COMMANDS = ("enrol", "send", "rotate", "renew", "updates")
MAX_BATCH = 500
MAX_WAITING = 1000
REDACTED = ("description", "correction_reason", "indicators", "metadata")
# Statuses with which the service rejects an event for its content.
OF_THE_EVENT = (400, 409, 413, 422)
# Codes of 400 for how the request arrived: slowly, damaged, or at a proxy without TLS.
OF_THE_ARRIVAL = ("invalid_parameter", "plaintext_rejected", "tenant_required")


class Device:
    """The state of a device is one file, which is replaced in one step after each change."""

    def __init__(self, directory, state):
        self.file = os.path.join(directory, "state.json")
        self.state = state
        self.id = state["device_id"]
        self.connection = Connection(state["base_url"], self.id, state["clock_ahead_s"])

    @classmethod
    def open(cls, directory):
        with open(os.path.join(directory, "state.json"), encoding="utf-8") as file:
            return cls(directory, json.load(file))

    def save(self):
        # The file contains the private key. A real device keeps it in hardware or in its key store.
        self.state["clock_ahead_s"] = self.connection.clock_ahead_s
        descriptor = os.open(f"{self.file}.new", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump(self.state, file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(f"{self.file}.new", self.file)

    def key(self, name="key"):
        return tps.load_private_key(self.state[name])

    def get(self, path, etag=None):
        return self.connection.get(path, self.state["credential"]["token"], etag)

    def post(self, path, content, tag, signers=None, credential=None):
        signers = signers or [("tps", self.key(), "ed25519")]
        token = credential or self.state["credential"]["token"]
        return self.connection.post(path, content, token, tag, signers)

    # Enrolment

    def enrol(self, secret):
        """Registers the key. Repeated under the same id and key, it returns another credential."""
        content = {
            "tenant_id": self.state["tenant_id"],
            "device_id": self.id,
            "platform": "linux",
            "public_key_b64": tps.public_key_b64(self.key()),
        }
        answer = require_success(self.post("/devices", content, "tps-register", credential=secret))
        self.state["credential"] = answer.body["credential"]
        self.save()

    # Events

    def add(self, event):
        """Keeps an event until the service has it. Without room, the oldest that is not sealed is dropped.

        Raises ValueError for an event that cannot be sent.
        """
        completed = self.complete(event)
        waiting = self.state["waiting"]
        if len(waiting) >= MAX_WAITING:
            waiting.pop(0)
            # Its number is skipped, and the next event names no hash: this declares the gap.
            self.state["chain"] = [self.state["chain"][0] + 1, None]
        waiting.append(completed)
        self.save()

    def complete(self, event):
        if not isinstance(event, dict):
            raise ValueError("an event is a JSON object")
        completed = {
            **{name: tps.redact_value(value) if name in REDACTED else value for name, value in event.items()},
            "event_id": f"evt_{secrets.token_hex(16)}",
            "type": "risk.event.created",
            "timestamp": utc_text(time.time()),
            "tenant_id": self.state["tenant_id"],
            "device_id": self.id,
        }
        # An event without canonical JSON has no hash: stored, it would block all events after it.
        tps.canonical_json(completed).encode("utf-8")
        return completed

    def send(self):
        """Sends what waits. A sealed batch keeps its content and its ids until each event has a response."""
        while self.state["sealed"] or self.state["waiting"]:
            if not self.state["sealed"]:
                self.seal()
            self.settle(self.send_sealed())

    def seal(self):
        end = tuple(self.state["chain"])
        sealed = []
        for event in self.state["waiting"][:MAX_BATCH]:
            chained, end = tps.chain_event(event, end)
            sealed.append(chained)
        del self.state["waiting"][: len(sealed)]
        self.state.update(sealed=sealed, chain=list(end))
        self.save()

    def send_sealed(self):
        """Returns the results by event id: a status, and the code of an error."""
        events = self.state["sealed"]
        if len(events) > 1:
            answer = self.post("/events/batch", {"events": events}, "tps-event")
            if answer.is_success:
                return {
                    each["event_id"]: (each["status"], each.get("error", {}).get("code"))
                    for each in answer.body["results"]
                }
            # The request as a whole was rejected. One by one, only the wrong event is.
            if not rejects_event(answer):
                require_success(answer)
        answer = self.post("/events", events[0], "tps-event")
        if not rejects_event(answer):
            require_success(answer)
        return {events[0]["event_id"]: (answer.status, answer.code)}

    def settle(self, results):
        kept, problem = [], None
        for event in self.state["sealed"]:
            status, code = results.get(event["event_id"], (None, None))
            if status in OF_THE_EVENT:
                print(f"refused {event['event_id']}: {status} {code}")
                if event is self.state["sealed"][-1]:
                    # The service does not have its hash: the next event declares the gap.
                    self.state["chain"][1] = None
            elif status in (200, 201):
                print(f"stored {event['event_id']}")
            else:
                kept.append(event)
                problem = problem or (f"{status} {code}" if status is not None else None)
        self.state["sealed"] = kept
        self.save()
        if problem is not None:
            raise TryLater(problem)

    # Key and credential

    def rotate(self):
        """Stores the next key, replaces the current one, and then uses it."""
        if "next_key" not in self.state:
            self.state["next_key"] = tps.new_key_pem()
            self.save()
        next_key = self.key("next_key")
        content = {"tenant_id": self.state["tenant_id"], "public_key_b64": tps.public_key_b64(next_key)}
        signers = [("old", self.key(), "ed25519"), ("new", next_key, "ed25519")]
        require_success(self.post(f"/devices/{self.id}/keys", content, "tps-rotate", signers))
        self.use_next_key()

    def complete_rotation(self):
        """A rotation that got no answer may have taken effect: the service knows which key it has."""
        if "next_key" in self.state:
            known = self.get(f"/devices/{self.id}").body["public_key_b64"]
            if known == tps.public_key_b64(self.key("next_key")):
                self.use_next_key()

    def use_next_key(self):
        self.state["key"] = self.state.pop("next_key")
        self.save()

    def renew(self, now):
        """The old credential stays valid for days, so that a lost answer does not lock the device out."""
        if now or utc_text(self.connection.now()) >= self.state["credential"]["renew_at"]:
            content = {"tenant_id": self.state["tenant_id"]}
            answer = require_success(self.post(f"/devices/{self.id}/credential", content, "tps-renew"))
            self.state["credential"] = answer.body
            self.save()

    # Policies and indicators

    def update(self):
        """Asks what has changed, and reads that. What it cannot trust changes nothing."""
        known = self.state["updates"]
        answer = self.get(f"/devices/{self.id}/updates", known.get("etag"))
        if answer.status == 304:
            print("nothing has changed")
            return
        tags = answer.body
        if tags["policies"] is None or tags["policies"] != known.get("policies_tag"):
            policies = self.get("/policies?limit=100")
            known.update(policies=policies.body["data"], policies_tag=policies.headers["ETag"])
        if tags["indicators"] is None or tags["indicators"] != known.get("indicators_tag"):
            bundle = self.get("/indicators/bundle")
            known.update(indicators=self.open_bundle(bundle.body), indicators_tag=bundle.headers["ETag"])
        known["etag"] = answer.headers["ETag"]
        self.save()
        print(f"policies: {len(known['policies'])}")
        print(f"groups of indicators: {len(known['indicators']['indicators'])}")

    def open_bundle(self, envelope):
        known = self.state["updates"]
        # Trusted at first use, and no others later.
        if "bundle_keys" not in known:
            keys = self.get("/indicators/keys").body["keys"]
            known["bundle_keys"] = [each["public_key_b64"] for each in keys]
        keys = [tps.load_public_key(text) for text in known["bundle_keys"]]
        newest = known.get("indicators", {}).get("version", 0)
        now = utc_text(self.connection.now())
        try:
            return tps.open_bundle(envelope, keys, self.state["tenant_id"], newest, now)
        except ValueError as problem:
            raise TryLater(f"the indicators were not accepted: {problem}") from problem


def rejects_event(answer):
    return answer.status in OF_THE_EVENT and answer.code not in OF_THE_ARRIVAL


def utc_text(at):
    return datetime.fromtimestamp(at, timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def prepare(directory):
    """Creates and stores id and key of a new device, so that a repeated enrolment is of the same device."""
    base_url = os.environ["TPS_URL"].rstrip("/")
    address = urllib.parse.urlsplit(base_url)
    if address.scheme != "https" and address.hostname not in ("127.0.0.1", "::1", "localhost"):
        sys.exit("TPS_URL must begin with https://: it carries a credential.")
    os.makedirs(directory, mode=0o700, exist_ok=True)
    if os.path.exists(os.path.join(directory, "state.json")):
        return
    state = {
        "base_url": base_url,
        "tenant_id": os.environ["TPS_TENANT"],
        "device_id": f"dev_{secrets.token_hex(8)}",
        "key": tps.new_key_pem(),
        "clock_ahead_s": 0,
        "chain": [0, None],
        "waiting": [],
        "sealed": [],
        "updates": {},
    }
    Device(directory, state).save()


def add_lines(device, lines):
    """Returns whether each line is kept. One that cannot be sent is reported, and does not stop the others."""
    is_complete = True
    for number, line in enumerate(lines, 1):
        try:
            device.add(json.loads(line))
        except ValueError as problem:
            print(f"Line {number}: not sent: {problem}", file=sys.stderr)
            is_complete = False
    return is_complete


def run(command, directory, options):
    """Returns the exit code."""
    if command == "enrol":
        prepare(directory)
        device = Device.open(directory)
        device.enrol(os.environ["TPS_ENROLMENT_SECRET"])
        print(f"enrolled {device.id}")
        return 0
    device = Device.open(directory)
    is_complete = add_lines(device, sys.stdin) if command == "send" else True
    device.complete_rotation()
    if command == "send":
        device.send()
    elif command == "rotate":
        device.rotate()
    elif command == "renew":
        device.renew(now="--now" in options)
    else:
        device.update()
    return 0 if is_complete else 2


def main(arguments):
    if len(arguments) < 2 or arguments[0] not in COMMANDS:
        print(USAGE, file=sys.stderr, end="")
        return 2
    try:
        return run(arguments[0], arguments[1], arguments[2:])
    except TryLater as problem:
        print(f"Not done, try again later: {problem}", file=sys.stderr)
        return 1
    except Revoked as problem:
        print(f"The device must stop: {problem}", file=sys.stderr)
        return 3


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
