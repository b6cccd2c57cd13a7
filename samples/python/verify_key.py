"""Checks a key on its device without the server, and the server's signed
verdict about a key. Python 3.8 or newer, standard library only: Ed25519 (RFC
8032) is in this file. No function raises, whatever the key, the device and the
keys are.
"""

import base64
import hashlib
import json
import math

# How many seconds a device's clock may be behind the server's.
CLOCK_SKEW = 300


def verify_key(key, hwid, jwks, now, app="main", high_water=0):
    """
    jwks: the public keys, {"keys": [...]}, as part of the app.
    now: the device's clock, in seconds since 1970.
    high_water: the latest time of the server that the app has stored, in
        seconds.
    Returns a dict with a "code". Only "VALID" opens the app; store the
    "high_water" that comes with it.
    """
    claims, code = content_of(key, "key+jws", jwks)
    if code:
        return {"code": code}
    if not are_claims(claims):
        return {"code": "SIGNATURE"}

    # The signature is right, so the content of the key is true.
    told = {
        "app": claims["aud"],
        "issued_at": claims["iat"],
        "expires_at": claims["exp"],
    }
    if claims["aud"] != app:
        return {"code": "APP_MISMATCH", **told}
    # The server leaves out what is around a device id, such as the line break of a file.
    if not is_for(claims, isinstance(hwid, str) and hwid.strip()):
        return {"code": "DEVICE_MISMATCH", **told}

    # A valid key also tells a time of the server.
    high_water = high_water if is_time(high_water) else 0
    if not is_time(now) or now + CLOCK_SKEW < high_water:
        return {"code": "CLOCK_BACK", **told}
    if now + CLOCK_SKEW < claims["nbf"]:
        return {"code": "NOT_YET", **told}
    if now >= claims["exp"]:
        return {"code": "EXPIRED", **told}

    latest = max(high_water, claims["iat"])
    return {"code": "VALID", "high_water": latest, **told}


def verify_verdict(verdict, nonce, key, hwid, jwks, app="main"):
    """Checks what the server signed about a key. The "code" is the server's
    if the verdict answers this very question, else "UNTRUSTED". Store the
    "high_water" when it is later than the one that you have.
    """
    claims, _ = content_of(verdict, "verdict+jws", jwks)
    is_answer = (
        claims is not None
        and is_time(claims.get("v"))
        and claims["v"] == 1
        and isinstance(nonce, str)
        and claims.get("nonce") == nonce
        and claims.get("aud") == app
        and is_for(claims, hwid)
        and isinstance(key, str)
        and claims.get("key") == hash_of(key)
        and isinstance(claims.get("code"), str)
    )
    if not is_answer:
        return {"code": "UNTRUSTED"}
    iat, exp = claims.get("iat"), claims.get("exp")
    told = {"code": claims["code"], "issued_at": iat, "expires_at": exp}
    # No later than the key's end: a server with a wrong clock must not lock
    # the app out.
    if is_time(iat) and is_time(exp):
        told["high_water"] = min(iat, exp)
    return told


def content_of(jws, kind, jwks):
    """The content of a compact JWS with a right signature, and no code. Or
    None, and the code that says why not.
    """
    parts = jws.split(".") if isinstance(jws, str) else []
    head = read_json(parts[0]) if len(parts) == 3 else None
    if not is_our_header(head, kind):
        return None, "SIGNATURE"

    jwk = jwk_of(jwks, head["kid"])
    if jwk is None:
        return None, "UNKNOWN_KID"
    if not is_signed_by(jwk, f"{parts[0]}.{parts[1]}", parts[2]):
        return None, "SIGNATURE"

    content = read_json(parts[1])
    return content if isinstance(content, dict) else {}, None


def is_our_header(head, kind):
    """Accepts only one algorithm, whatever the key asks for, and no unknown
    members.
    """
    return (
        isinstance(head, dict)
        and set(head) == {"alg", "kid", "typ"}
        and head["alg"] == "EdDSA"
        and head["typ"] == kind
        and isinstance(head["kid"], str)
    )


def jwk_of(jwks, kid):
    keys = jwks.get("keys") if isinstance(jwks, dict) else None
    for jwk in keys if isinstance(keys, list) else []:
        if isinstance(jwk, dict) and jwk.get("kid") == kid:
            return jwk
    return None


def is_signed_by(jwk, signed, signature):
    is_ed25519 = jwk.get("kty") == "OKP" and jwk.get("crv") == "Ed25519"
    public_key = decode(jwk.get("x"))
    signature = decode(signature)
    if not is_ed25519 or public_key is None or signature is None:
        return False
    return is_right(public_key, bytes_of(signed), signature)


def are_claims(claims):
    return (
        is_time(claims.get("v"))
        and claims["v"] == 1
        and all(isinstance(claims.get(name), str) for name in ("aud", "sub"))
        and all(is_time(claims.get(name)) for name in ("iat", "nbf", "exp"))
    )


def is_for(claims, hwid):
    """Whether something is about a device: it has the device's hash."""
    is_text = isinstance(hwid, str)
    return is_text and claims.get("sub") == hash_of(f"ks1|{hwid}")


def is_time(value):
    try:
        return type(value) in (int, float) and math.isfinite(value)
    except OverflowError:
        return False


def hash_of(text):
    """The SHA-256 of a text, in base64url."""
    return encode(hashlib.sha256(bytes_of(text)).digest())


def bytes_of(text):
    return text.encode("utf-8", "surrogatepass")


def read_json(part):
    """The value of a part, or None."""
    try:
        return json.loads(decode(part).decode())
    except (AttributeError, ValueError, RecursionError):
        return None


def decode(text):
    """Decodes base64url. None for what is none, and for other spellings of
    the same bytes.
    """
    try:
        data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
        return data if encode(data) == text else None
    except (TypeError, ValueError):
        return None


def encode(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


# Ed25519. A point is (X, Y, Z, T) with x = X/Z, y = Y/Z and x*y = T/Z.
P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ZERO = (0, 1, 1, 0)


def is_right(public_key, text, signature):
    if len(public_key) != 32 or len(signature) != 64:
        return False
    signer, r = point_of(public_key), point_of(signature[:32])
    s = int.from_bytes(signature[32:], "little")
    if signer is None or r is None or s >= ORDER:
        return False
    if is_same(times(8, signer), ZERO):  # of small order
        return False
    text = signature[:32] + public_key + text
    k = int.from_bytes(hashlib.sha512(text).digest(), "little") % ORDER
    return is_same(times(s, GENERATOR), plus(r, times(k, signer)))


def point_of(data):
    """The point of 32 bytes. None when there is none, or the bytes are not
    its own.
    """
    y = int.from_bytes(data, "little")
    y, sign = y % 2**255, y >> 255
    u, v = y * y - 1, D * y * y + 1
    x = u * v**3 * pow(u * v**7, (P - 5) // 8, P) % P
    if (v * x * x + u) % P == 0:
        x = x * pow(2, (P - 1) // 4, P) % P
    if x % 2 != sign:
        x = -x % P
    is_point = y < P and (v * x * x - u) % P == 0 and x % 2 == sign
    return (x, y, 1, x * y % P) if is_point else None


def plus(p, q):
    a = (p[1] - p[0]) * (q[1] - q[0])
    b = (p[1] + p[0]) * (q[1] + q[0])
    c = 2 * p[3] * q[3] * D
    d = 2 * p[2] * q[2]
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(number, point):
    result = ZERO
    for bit in bin(number)[2:]:
        result = plus(result, result)
        if bit == "1":
            result = plus(result, point)
    return result


def is_same(p, q):
    x = (p[0] * q[2] - q[0] * p[2]) % P
    return x == 0 and (p[1] * q[2] - q[1] * p[2]) % P == 0


GENERATOR = point_of(bytes([0x58]) + bytes([0x66]) * 31)
