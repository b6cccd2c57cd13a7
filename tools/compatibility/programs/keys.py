"""`keys.py <library>` does for libraries of Python what keys.mjs does for those of npm."""

import datetime
import json
import sys
import time

now = 0
time.time = lambda: now


def pyjwt(case):
    import jwt
    from jwt import api_jwt

    class Clock(datetime.datetime):
        @classmethod
        def now(cls, tz=None):
            return cls.fromtimestamp(now, tz)

    api_jwt.datetime = Clock
    kid = jwt.get_unverified_header(case["key"])["kid"]
    key = jwt.PyJWKSet.from_dict(case["jwks"])[kid].key
    options = {} if case.get("plain") else {"audience": case["app"]}
    return jwt.decode(case["key"], key, algorithms=["EdDSA"], **options)


def authlib(case):
    from authlib.jose import JsonWebKey, JsonWebToken

    keys = JsonWebKey.import_key_set(case["jwks"])
    options = {"aud": {"essential": True, "value": case["app"]}}
    claims = JsonWebToken(["EdDSA"]).decode(case["key"], keys, claims_options=options)
    if not case.get("plain"):
        claims.validate()
    return claims


def jwcrypto(case):
    from jwcrypto import jwk, jwt

    keys = jwk.JWKSet.from_json(json.dumps(case["jwks"]))
    asked = {"aud": case["app"]}
    if not case.get("plain"):
        asked.update(exp=None, nbf=None)
    token = jwt.JWT(jwt=case["key"], key=keys, algs=["EdDSA"], check_claims=asked)
    return json.loads(token.claims)


def python_jose(case):
    from jose import jwt

    return jwt.decode(case["key"], case["jwks"], algorithms=["EdDSA"], audience=case["app"])


check = {"PyJWT": pyjwt, "Authlib": authlib, "jwcrypto": jwcrypto, "python-jose": python_jose}[sys.argv[1]]
told = []
for case in json.load(sys.stdin):
    now = case["now"]
    try:
        told.append("ok {}".format(check(case)["exp"]))
    except Exception as error:
        told.append("{}: {}".format(type(error).__name__, error))
print(json.dumps(told))
