"""A client of the key system: it opens the page, waits for the key, and checks
a key with the server. Python 3.8 or newer, standard library only.
"""

import json
import time
import urllib.error
import urllib.parse
import urllib.request

PAGES = {"main": "/key-system-1", "companion": "/rosaverx/key-system-1"}


class Refusal(Exception):
    """The server refused a call. The page /errors explains each code."""

    def __init__(self, problem):
        super().__init__(problem.get("detail", problem["title"]))
        self.code = problem["code"]


class KeyClient:
    """
    site: the address of the site, without a slash at its end.
    app: "main" or "companion". Always send it: the default is "main".
    hwid: the device; 6 to 128 letters, digits, dots, colons, dashes,
        underscores.
    zone: a token of your own. Only calls with the same zone get the key.
    high_water: the latest time of the server that the app has stored, in
        seconds.
    """

    def __init__(self, site, app, hwid, zone, high_water=0, wait=time.sleep):
        self.site = site
        self.app = app
        self.who = {"hwid": hwid, "zone": zone}
        # Store it in the app, to notice a clock that was set back.
        self.high_water = high_water
        self.wait = wait

    def link(self):
        """The page to open in the visitor's browser."""
        query = urllib.parse.urlencode(self.who)
        return f"{self.site}{PAGES[self.app]}?{query}"

    def ask_for_key(self):
        """Asks for the key once."""
        query = urllib.parse.urlencode({**self.who, "app": self.app})
        return self._ask(f"/api/key?{query}")

    def wait_for_key(self, on_answer=lambda answer: None):
        """Asks for the key until the app has something to do. "active": open
        the app. "blocked": wait until the given time. "none" with the reason
        "zone": open the page again, because the key was earned with another
        zone.
        """
        while True:
            answer = self.ask_for_key()
            on_answer(answer)
            has_begun = answer["status"] == "in_progress"
            may_begin = answer["status"] == "none" and "reason" not in answer
            if not (has_begun or may_begin):
                return answer
            self.wait(5)

    def check_online(self, key):
        """Has the server check a key. Only it knows of revoked keys."""
        body = {"key": key, "hwid": self.who["hwid"], "app": self.app}
        return self._ask("/api/key/verify", json.dumps(body).encode())

    def public_keys(self):
        """Fetches the public keys for the offline check in verify_key.py."""
        address = f"{self.site}/.well-known/jwks.json"
        with urllib.request.urlopen(address, timeout=30) as response:
            return json.load(response)

    def _ask(self, path, body=None):
        headers = {"API-Version": "1", "Content-Type": "application/json"}
        request = urllib.request.Request(self.site + path, body, headers)
        try:
            with urllib.request.urlopen(request, timeout=30) as response:
                answer = json.load(response)
        except urllib.error.HTTPError as refused:
            if refused.code in (429, 503):
                self.wait(int(refused.headers.get("Retry-After", 30)))
                return self._ask(path, body)
            answer = json.load(refused)

        self.high_water = max(self.high_water, answer["now"] / 1000)
        if "type" in answer:
            raise Refusal(answer)
        return answer
