"""Runs the client and the verifier for the tests, as samples/test-protocol.md
says: harness.py verify, or harness.py client.
"""

import json
import pathlib
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from key_client import KeyClient, Refusal  # noqa: E402
from verify_key import verify_key, verify_verdict  # noqa: E402


def tell(*words):
    print(" ".join(str(word) for word in words).strip(), flush=True)


def read():
    return sys.stdin.readline().rstrip("\n")


def verify_all():
    told = json.load(sys.stdin)

    def run(vector, verify):
        check = {"highWater": 0, **told["common"], **vector}
        try:
            tell(*verify(check))
        except Exception as error:
            tell("raised", repr(error))

    for vector in told["vectors"]:
        run(
            vector,
            lambda c: [verify_key(c["key"], c["hwid"], c["jwks"], c["now"], c["app"], c["highWater"])["code"]],
        )
    for vector in told["verdicts"]:
        run(
            vector,
            lambda c: code_and_time(
                verify_verdict(c["verdict"], c["nonce"], c["key"], c["hwid"], c["jwks"], c["app"])
            ),
        )


def code_and_time(checked):
    return [checked["code"], checked.get("high_water", "")]


def play_all():
    line = read()
    while line:
        try:
            play(*line.split(" "))
        except Refusal as refusal:
            tell("refused", refusal.code)
        except Exception as error:
            tell("raised", repr(error))
        tell("done")
        line = read()


def play(site, app, hwid, zone, timeout, offset, high_water, cached, keys):
    def wait(seconds):
        tell("wait", seconds)
        read()

    def clock():
        return time.time() + float(offset)

    def new_client(jwks):
        return KeyClient(site, app, hwid, zone, jwks, float(high_water), float(timeout), wait, clock)

    jwks = new_client(None).public_keys() if keys == "-" else json.loads(keys)
    client = new_client(jwks)
    tell("link", client.link())
    if cached != "-":
        code = client.open(cached, lambda: tell("opened"))["code"]
        tell("open", code)
        if code == "VALID":
            return tell("high water", client.high_water)

    answer = client.wait_for_key(
        lambda heard: tell("answer", heard["status"], heard.get("step", "")),
        lambda reason, seconds: tell("waiting", reason, seconds),
    )
    if answer["status"] == "active":
        for name, device in (("offline", hwid), ("offline elsewhere", "another-device")):
            verdict = verify_key(answer["key"], device, jwks, clock(), app, client.high_water)
            tell(name, verdict["code"])
        tell("online", client.check_online(answer["key"])["code"])
    tell("high water", client.high_water)


if sys.argv[1] == "verify":
    verify_all()
else:
    play_all()
