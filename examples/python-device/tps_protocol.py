"""The protocol of a device: signatures, canonical JSON, the chain of events, signed indicators.

docs/device-protocol.md describes it. Nothing here reads a file or sends a request. Beside the standard
library it needs the package cryptography (Debian: python3-cryptography).
"""

import base64
import hashlib
import json
import math
import re
import secrets
from decimal import Decimal

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature, encode_dss_signature

MAX_INTEGER = 2**53 - 1
COMPONENTS = ("@method", "@path", "content-digest")
PSS = padding.PSS(padding.MGF1(hashes.SHA512()), 64)
BUNDLE_TYPE = "application/vnd.tps.indicators+json"


def to_base64(data):
    return base64.b64encode(data).decode("ascii")


# Signatures (RFC 9421, RFC 9530)


def sign_bytes(key, algorithm, data):
    if algorithm == "ed25519":
        return key.sign(data)
    if algorithm == "rsa-v1_5-sha256":
        return key.sign(data, padding.PKCS1v15(), hashes.SHA256())
    if algorithm == "rsa-pss-sha512":
        return key.sign(data, PSS, hashes.SHA512())
    if algorithm == "ecdsa-p256-sha256":
        # The library returns DER. A request contains r and s, 32 bytes each.
        r, s = decode_dss_signature(key.sign(data, ec.ECDSA(hashes.SHA256())))
        return r.to_bytes(32, "big") + s.to_bytes(32, "big")
    raise ValueError(f"the algorithm {algorithm} is not known")


def is_signed(public_key, algorithm, data, signature):
    try:
        if algorithm == "ed25519":
            public_key.verify(signature, data)
        elif algorithm == "rsa-v1_5-sha256":
            public_key.verify(signature, data, padding.PKCS1v15(), hashes.SHA256())
        elif algorithm == "rsa-pss-sha512":
            public_key.verify(signature, data, PSS, hashes.SHA512())
        elif algorithm == "ecdsa-p256-sha256":
            r, s = (int.from_bytes(half, "big") for half in (signature[:32], signature[32:]))
            public_key.verify(encode_dss_signature(r, s), data, ec.ECDSA(hashes.SHA256()))
        else:
            return False
        return True
    except InvalidSignature:
        return False


def content_digest(body):
    return f"sha-256=:{to_base64(hashlib.sha256(body).digest())}:"


def signature_params(components, created, nonce, keyid, algorithm, tag):
    listed = " ".join(f'"{name}"' for name in components)
    return f'({listed});created={created};nonce="{nonce}";keyid="{keyid}";alg="{algorithm}";tag="{tag}"'


def signature_base(values, components, params):
    """`values` has the value of each component. No line feed follows the last line."""
    lines = [f'"{name}": {values[name]}' for name in components]
    return "\n".join([*lines, f'"@signature-params": {params}'])


def sign_request(path, body, created, keyid, tag, signers):
    """Returns the headers that sign a POST. `signers` lists label, private key and algorithm."""
    digest = content_digest(body)
    inputs, signatures = [], []
    for label, key, algorithm in signers:
        # 16 random bytes. The service accepts a nonce once, so each request needs another one.
        params = signature_params(COMPONENTS, created, secrets.token_urlsafe(16), keyid, algorithm, tag)
        values = {"@method": "POST", "@path": path, "content-digest": digest}
        base = signature_base(values, COMPONENTS, params)
        inputs.append(f"{label}={params}")
        signatures.append(f"{label}=:{to_base64(sign_bytes(key, algorithm, base.encode('ascii')))}:")
    return {
        "Content-Type": "application/json",
        "Content-Digest": digest,
        "Signature-Input": ", ".join(inputs),
        "Signature": ", ".join(signatures),
    }


def public_key_b64(private_key):
    spki = serialization.PublicFormat.SubjectPublicKeyInfo
    return to_base64(private_key.public_key().public_bytes(serialization.Encoding.DER, spki))


def new_key_pem():
    """The private key of a new device, in PEM (PKCS #8)."""
    key = ed25519.Ed25519PrivateKey.generate()
    encoding, form = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
    return key.private_bytes(encoding, form, serialization.NoEncryption()).decode("ascii")


def load_private_key(pem):
    return serialization.load_pem_private_key(pem.encode("ascii"), None)


def load_public_key(text):
    return serialization.load_der_public_key(base64.b64decode(text))


# Canonical JSON (RFC 8785)


def canonical_json(value):
    if value is None or isinstance(value, (bool, str)):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, (int, float)):
        return number_text(value)
    if isinstance(value, list):
        return f"[{','.join(map(canonical_json, value))}]"
    # By UTF-16 code units: Python compares code points, which sorts other characters last.
    names = sorted(value, key=lambda name: name.encode("utf-16-be"))
    return f"{{{','.join(f'{canonical_json(name)}:{canonical_json(value[name])}' for name in names)}}}"


def number_text(value):
    """Writes a number as JavaScript does (ECMAScript, Number::toString)."""
    # In this order: an integer of many digits is no float.
    if abs(value) > MAX_INTEGER or not math.isfinite(value):
        raise ValueError(f"{value} is beyond ±(2^53 − 1): send it as a string")
    if value == 0:
        return "0"
    # repr has the fewest digits that are the same double. Only its layout differs.
    sign, digits, exponent = Decimal(repr(float(value))).as_tuple()
    text = "".join(map(str, digits))
    point = len(text) + exponent
    text = text.rstrip("0")
    return ("-" if sign else "") + place_point(text, point)


def place_point(digits, point):
    """The number is 0.digits times ten to the power of `point`, which is at most 16 here."""
    if point >= len(digits):
        return digits + "0" * (point - len(digits))
    if point > 0:
        return f"{digits[:point]}.{digits[point:]}"
    if point > -6:
        return f"0.{'0' * -point}{digits}"
    rest = f".{digits[1:]}" if len(digits) > 1 else ""
    return f"{digits[0]}{rest}e{point - 1}"


def sha256_hex(text):
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


# The chain of events


def chain_event(event, end):
    """Adds number and hash to an event that is sent next. Returns it with the new end of the chain.

    `end` has the number of the last event and its hash. A hash of None declares that events before
    this one were dropped; their numbers are part of `end`.
    """
    sequence, last_hash = end
    chained = {**event, "sequence": sequence + 1}
    if last_hash is not None:
        chained["previous_event_hash"] = last_hash
    return chained, (sequence + 1, sha256_hex(canonical_json(chained)))


# Redaction: three kinds of many. The service redacts what this leaves (docs/redaction.md).

URL = re.compile(r"\b(?:https?|ftp)://[^\s<>\"']+", re.IGNORECASE)
EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
IPV4 = re.compile(r"(?<![\d.])(\d{1,3}\.\d{1,3}\.\d{1,3})\.\d{1,3}(?![\d.])")


def redact(text):
    text = URL.sub(lambda match: f"url:sha256:{sha256_hex(match.group())}", text)
    return IPV4.sub(r"\1.0/24", EMAIL.sub("[email]", text))


def redact_value(value):
    """Redacts the strings and names in a value of JSON."""
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, list):
        return [redact_value(each) for each in value]
    if isinstance(value, dict):
        return {redact(name): redact_value(each) for name, each in value.items()}
    return value


# Signed indicators (DSSE)


def open_bundle(envelope, public_keys, tenant_id, newest_version, now):
    """Returns the bundle, or raises ValueError. `now` is RFC 3339 in UTC, as the times of the bundle are."""
    payload = base64.b64decode(envelope["payload"])
    kind = envelope["payloadType"]
    signed = b"DSSEv1 %d %s %d %s" % (len(kind), kind.encode(), len(payload), payload)
    signatures = [base64.b64decode(each["sig"]) for each in envelope["signatures"]]
    if kind != BUNDLE_TYPE or not any(
        is_signed(key, "ed25519", signed, signature) for key in public_keys for signature in signatures
    ):
        raise ValueError("no trusted key has signed the bundle")
    bundle = json.loads(payload)
    if bundle["tenant_id"] != tenant_id:
        raise ValueError("the bundle belongs to another tenant")
    if bundle["version"] < newest_version:
        raise ValueError("the bundle is older than one that was accepted")
    if bundle["expires_at"] <= now:
        raise ValueError("the bundle has expired")
    return bundle
