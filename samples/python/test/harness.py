"""Runs key_client.py and verify_key.py for the tests. harness.py client <site> <app> <hwid> <zone> prints a
line for each thing that it does. harness.py verify reads the vectors and prints their codes."""

import json
import pathlib
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from key_client import KeyClient, Refusal  # noqa: E402
from verify_key import verify_key  # noqa: E402


def tell(*words):
    print(*words, flush=True)


def wait(seconds):
    tell("wait", seconds)
    sys.stdin.readline()


def play_client(site, app, hwid, zone):
    client = KeyClient(site, app, hwid, zone, wait=wait)
    tell("link", client.link())
    try:
        answer = client.wait_for_key(lambda a: tell("answer", a["status"], a.get("step", "")))
        if answer["status"] != "active":
            return
        key = answer["key"]
        verdict = verify_key(key, hwid, client.public_keys(), time.time(), app, client.high_water)
        tell("offline", verdict["code"])
        verdict = verify_key(key, "another-device", client.public_keys(), time.time(), app)
        tell("offline elsewhere", verdict["code"])
        tell("online", client.check_online(key)["code"])
        tell("high water", client.high_water)
    except Refusal as refusal:
        tell("refused", refusal.code)


def play_verify():
    told = json.load(sys.stdin)
    codes = []
    for vector in told["vectors"]:
        check = {**told["common"], **vector}
        codes.append(
            verify_key(check["key"], check["hwid"], check["jwks"], check["now"], check["app"], check.get("highWater", 0))["code"]
        )
    tell(json.dumps(codes))


if sys.argv[1] == "verify":
    play_verify()
else:
    play_client(*sys.argv[2:])
