"""Sends the requests of a device, with the pauses of docs/device-protocol.md."""

import json
import os
import random
import time
import urllib.error
import urllib.parse
import urllib.request
from email.utils import parsedate_to_datetime

import tps_protocol as tps

# A service of the operating system would try for ever; this program ends, and its next run continues.
ATTEMPTS = max(1, int(os.environ.get("TPS_ATTEMPTS", "5")))
TIMEOUT_S = 30
MAX_PAUSE_S = 300
MAX_RETRY_AFTER_S = 3600
# A signature may be 60 s ahead of the service. The rest is for the way.
TOLERATED_S = 45


class TryLater(Exception):
    """Not done now. What has to be sent is kept."""


class Revoked(Exception):
    """The device is revoked, which is final."""


class Answer:
    def __init__(self, status, headers, content):
        self.status = status
        self.headers = headers
        try:
            self.body = json.loads(content) if content else None
        except ValueError:
            self.body = None
        error = self.body.get("error") if isinstance(self.body, dict) else None
        # Without a code, the answer is not from the API: a proxy, a captive portal.
        self.code = error.get("code") if isinstance(error, dict) else None
        self.message = error.get("message") if isinstance(error, dict) else "The answer is not from the API."

    @property
    def is_success(self):
        return 200 <= self.status < 300 and self.body is not None

    @property
    def may_pass_soon(self):
        """Whether the same request may be accepted after a pause of seconds."""
        if self.status == 413:
            return False
        return self.code in (None, "replayed_request") or self.status == 429 or self.status >= 500


class NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect would send the credential to another address."""

    def redirect_request(self, *_):
        return None


OPENER = urllib.request.build_opener(NoRedirects)


class Connection:
    """The service, as one device sees it."""

    def __init__(self, base_url, device_id, clock_ahead_s):
        self.base_url = base_url
        self.device_id = device_id
        # How far the clock of the device is ahead of that of the service.
        self.clock_ahead_s = clock_ahead_s

    def now(self):
        """The time of the service, which dates signatures."""
        return time.time() - self.clock_ahead_s

    def request(self, path, credential, body=None, headers=None):
        """Sends one request. Returns None without an answer."""
        bearer = {"Authorization": f"Bearer {credential}"}
        request = urllib.request.Request(self.base_url + path, body, {**bearer, **(headers or {})})
        try:
            with OPENER.open(request, timeout=TIMEOUT_S) as response:
                return Answer(response.status, response.headers, response.read())
        except urllib.error.HTTPError as error:
            return Answer(error.code, error.headers, error.read())
        except OSError:
            return None

    def get(self, path, credential, etag=None):
        answer = self.request(path, credential, headers={} if etag is None else {"If-None-Match": etag})
        self.note_time(answer)
        if answer is None:
            raise TryLater("no answer")
        return answer if answer.status == 304 else require_success(answer)

    def post(self, path, content, credential, tag, signers):
        """Signs and sends until there is a final answer. Each attempt has a new time and a new nonce."""
        body = json.dumps(content, ensure_ascii=False).encode("utf-8")
        # The path of the base URL is part of what is signed.
        signed_path = urllib.parse.urlsplit(self.base_url).path + path
        has_corrected_time = False
        failures = 0
        while failures < ATTEMPTS:
            created = int(self.now())
            headers = tps.sign_request(signed_path, body, created, self.device_id, tag, signers)
            answer = self.request(path, credential, body, headers)
            was_misdated = self.note_time(answer)
            if answer is None:
                reason = "no answer"
            elif answer.is_success:
                return answer
            elif answer.code == "device_revoked":
                raise Revoked(answer.message)
            elif answer.code == "invalid_signature" and was_misdated and not has_corrected_time:
                # Signed again at once, which is no further attempt.
                has_corrected_time = True
                continue
            elif not answer.may_pass_soon:
                return answer
            else:
                reason = f"{answer.status} {answer.code}: {answer.message}"
            failures += 1
            if failures < ATTEMPTS:
                time.sleep(pause_s(failures, answer))
        raise TryLater(reason)

    def note_time(self, answer):
        """Learns the service's time. True if the request was dated so wrongly that this alone refuses it."""
        is_of_api = answer is not None and (answer.status < 400 or answer.code is not None)
        date = answer.headers["Date"] if is_of_api else None
        if date is None:
            return False
        ahead_s = time.time() - parsedate_to_datetime(date).timestamp()
        was_misdated = abs(ahead_s - self.clock_ahead_s) > TOLERATED_S
        self.clock_ahead_s = ahead_s
        return was_misdated


def require_success(answer):
    if not answer.is_success:
        raise TryLater(f"{answer.status} {answer.code}: {answer.message}")
    return answer


def pause_s(failures, answer):
    """Full jitter, so that devices that lost the service at one moment do not return at one moment."""
    exponential = 2 ** (failures - 1)
    text = "" if answer is None else answer.headers["Retry-After"] or ""
    if not text.isdigit():
        return random.uniform(0, min(MAX_PAUSE_S, exponential))
    asked = min(int(text), MAX_RETRY_AFTER_S)
    return asked + random.uniform(0, min(MAX_PAUSE_S, max(exponential, asked)))
