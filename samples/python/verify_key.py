"""Checks a key on its device without the server. An app does this each time it
starts. It needs the package `cryptography` for Ed25519 (Debian:
python3-cryptography).
"""

import base64
import hashlib
import json
import math

try:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import (
        Ed25519PublicKey,
    )
except ImportError:
    Ed25519PublicKey = None

# How many seconds a device's clock may be behind the server's.
CLOCK_SKEW = 300


def verify_key(key, hwid, jwks, now, app="main", high_water=0):
    """
    jwks: the answer of /.well-known/jwks.json; ship it, update it online.
    now: the device's clock, in seconds since 1970.
    high_water: the latest time of the server that the app has seen, in
        seconds.
    Returns a dict with a "code". Only "VALID" opens the app; store the
    "high_water" that comes with it. Never raises, whatever the key contains.
    """
    parts = key.split(".")
    head = read_json(parts[0])
    if len(parts) != 3 or not is_our_header(head):
        return {"code": "SIGNATURE"}

    jwk = next((k for k in jwks["keys"] if k.get("kid") == head["kid"]), None)
    if jwk is None:
        return {"code": "UNKNOWN_KID"}
    if Ed25519PublicKey is None:
        return {"code": "UNSUPPORTED"}
    if not is_signed_by(jwk, f"{parts[0]}.{parts[1]}", parts[2]):
        return {"code": "SIGNATURE"}

    claims = read_json(parts[1])
    if not are_claims(claims):
        return {"code": "SIGNATURE"}

    # The signature is right, so the content of the key is true.
    told = {"app": claims["aud"], "expires_at": claims["exp"]}
    if claims["aud"] != app:
        return {"code": "APP_MISMATCH", **told}
    if claims["sub"] != subject_of(hwid):
        return {"code": "DEVICE_MISMATCH", **told}

    # A valid key also tells a time of the server.
    if now + CLOCK_SKEW < high_water:
        return {"code": "CLOCK_BACK", **told}
    if now + CLOCK_SKEW < claims["nbf"]:
        return {"code": "NOT_YET", **told}
    if now >= claims["exp"]:
        return {"code": "EXPIRED", **told}

    latest = max(high_water, claims["iat"])
    return {"code": "VALID", "high_water": latest, **told}


def subject_of(hwid):
    """The hash that a key contains instead of the device id."""
    return encode(hashlib.sha256(f"ks1|{hwid}".encode()).digest())


def is_signed_by(jwk, signed, signature):
    public_key = Ed25519PublicKey.from_public_bytes(decode(jwk["x"]))
    try:
        public_key.verify(decode(signature), signed.encode())
        return True
    except (InvalidSignature, ValueError):
        return False


def is_our_header(head):
    """Accepts only one algorithm, whatever the key asks for, and no unknown
    members."""
    return (
        isinstance(head, dict)
        and set(head) == {"alg", "kid", "typ"}
        and head["alg"] == "EdDSA"
        and head["typ"] == "key+jws"
        and isinstance(head["kid"], str)
    )


def are_claims(claims):
    return (
        isinstance(claims, dict)
        and claims.get("v") == 1
        and all(isinstance(claims.get(name), str) for name in ("aud", "sub"))
        and all(is_time(claims.get(name)) for name in ("iat", "nbf", "exp"))
    )


def is_time(value):
    return type(value) in (int, float) and math.isfinite(value)


def read_json(part):
    try:
        return json.loads(decode(part))
    except ValueError:
        return None


def decode(text):
    """Decodes base64url. Refuses other spellings of the same bytes."""
    data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    if encode(data) != text:
        raise ValueError("not base64url")
    return data


def encode(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
