"""Checks that a request is a webhook of ours (standardwebhooks.com). Python 3.8
or newer, standard library only.
"""

import base64
import hashlib
import hmac
import re
import time

# How many seconds ago a message may have been sent: an older one may be a
# recording.
TOLERANCE = 300


def verify_webhook(secret, headers, body, now=None):
    """
    secret: the "whsec_..." of your webhook.
    headers: those of the request, as your framework gives them, as a dict, or
        the environ of WSGI.
    body: its bytes as they came, before anything has parsed them.
    now: the clock of your server, in seconds since 1970.
    Returns whether it is genuine. Parse the body only after this.
    """
    named = {
        re.sub("^http-", "", name.lower().replace("_", "-")): value
        for name, value in headers.items()
    }
    message_id = named.get("webhook-id") or ""
    timestamp = named.get("webhook-timestamp") or ""
    if not re.fullmatch("[0-9]{1,12}", timestamp):
        return False
    if abs((time.time() if now is None else now) - int(timestamp)) > TOLERANCE:
        return False

    key = base64.b64decode(re.sub("^whsec_", "", secret))
    signed = "{}.{}.".format(message_id, timestamp).encode() + body
    digest = hmac.new(key, signed, hashlib.sha256).digest()
    right = b"v1," + base64.b64encode(digest)
    # While a secret is changed there may be two, with a space between them.
    given = (named.get("webhook-signature") or "").encode().split(b" ")
    return any(hmac.compare_digest(one, right) for one in given)
