"""A client of the key system: it opens the page, waits for the key, and checks
a key with the server. Python 3.8 or newer, standard library only, with the
file verify_key.py beside it.
"""

import email.utils
import json
import math
import queue
import random
import re
import secrets
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

from verify_key import verify_key, verify_verdict

# The pages of the site's own apps. All others share one, whose address names
# the app.
PAGES = {"main": "/key-system-1?", "companion": "/rosaverx/key-system-1?"}
OTHER_PAGE = "/apps/key-system-1?app={}&"

# The pauses after calls that failed, in seconds. The last one repeats.
PAUSES = (5, 10, 20, 40, 60)
LONGEST_RETRY_AFTER = 300

# For how many seconds the server may hold a call until there is news.
HOLD = 25

# An answer is never this long. A longer one is not ours.
LONGEST_ANSWER = 65536

# What is wrong with a request, so that waiting changes nothing.
FINAL_CODES = ("request.invalid", "request.version", "KS_HWID", "KS_ZONE", "KS_APP")


class Refusal(Exception):
    """The server refused a call, and waiting does not help. The page /errors
    explains each code.
    """

    def __init__(self, code, detail):
        super().__init__(detail)
        self.code = code


class KeyClient:
    """
    site: the address of the site, without a slash at its end.
    app: "main", "companion" or the id of a registered app. Always send it: the default is "main".
    hwid: the device; 6 to 128 letters, digits, dots, colons, dashes,
        underscores.
    zone: a token of your own. Only calls with the same zone get the key.
    jwks: the public keys, as part of your app. Only an update of the app
        brings new ones.
    high_water: the latest time of the server that the app has stored, in
        seconds. Only what is signed raises it.
    timeout: how many seconds a call may take.
    clock: the device's clock, in seconds since 1970.
    """

    def __init__(
        self,
        site,
        app,
        hwid,
        zone,
        jwks,
        high_water=0,
        timeout=10,
        wait=time.sleep,
        clock=time.time,
    ):
        self.site = site
        self.app = app
        self.who = {"hwid": hwid, "zone": zone}
        self.jwks = jwks
        # Store it in the app when it has risen, to notice a clock that was
        # set back.
        self.high_water = high_water
        self.timeout = timeout
        self.wait = wait
        self.clock = clock

    def link(self):
        """The page to open in the visitor's browser."""
        query = urllib.parse.urlencode(self.who)
        other = OTHER_PAGE.format(urllib.parse.quote(self.app, safe=""))
        return f"{self.site}{PAGES.get(self.app, other)}{query}"

    def open(self, key, on_open=lambda: None):
        """Opens the app with a key that it has stored, with or without a
        network. When the key is right, on_open is called at once; then the
        server is asked, which alone knows of revoked keys. When the code is
        not "VALID", the app has to ask for a key, or to close again.
        """
        offline = verify_key(
            key,
            self.who["hwid"],
            self.jwks,
            self.clock(),
            self.app,
            self.high_water,
        )
        if offline["code"] != "VALID":
            return offline

        self.high_water = offline["high_water"]
        on_open()
        try:
            online = self.check_online(key)
        except Refusal:
            return offline
        is_told = online["code"] not in ("NO_ANSWER", "UNTRUSTED")
        return online if is_told else offline

    def ask_for_key(self):
        """Asks for the key once. None when no answer of ours came."""
        return self._ask_for_key()[0]

    def wait_for_key(
        self, on_answer=lambda answer: None, on_waiting=lambda reason, seconds: None
    ):
        """Asks for the key until the app has something to do, however long
        the network or the server is away. "active": check the key, then open
        the app. "blocked": wait until the given time. "none" with the reason
        "zone": open the page again, because the key was earned with another
        zone.

        on_waiting says what it waits for: "network"; "server", a server that
        works; "busy", a server with time for us; "answer", one of ours
        (another server answers, for example the login page of a hotel, or this
        app is too old); "steps", the steps of the visitor.
        """
        failures = hold = 0
        while True:
            answer, reason, seconds = self._ask_for_key(hold)
            if answer is None:
                # Up to a fifth is left to chance, so that not all apps ask a
                # server that returns at the same moment.
                pause = PAUSES[min(failures, 4)] * (1 + random.random() / 5)
                seconds = seconds or pause
                failures += 1
            else:
                on_answer(answer)
                has_begun = answer["status"] == "in_progress"
                may_begin = answer["status"] == "none" and "reason" not in answer
                if not (has_begun or may_begin):
                    return answer
                failures, hold = 0, HOLD
            on_waiting(reason, seconds)
            self.wait(seconds)

    def check_online(self, key):
        """Has the server check a key, once. The code is the server's only if
        the answer is signed and answers this very question. Otherwise it is
        "NO_ANSWER" or "UNTRUSTED".
        """
        hwid = self.who["hwid"]
        nonce = secrets.token_urlsafe(24)
        body = {"key": key, "hwid": hwid, "app": self.app, "nonce": nonce}
        answer, _, _ = self._ask(
            "/api/key/verify", is_verdict, json.dumps(body).encode()
        )
        if answer is None:
            return {"code": "NO_ANSWER"}
        verdict = answer.get("verdict")
        checked = verify_verdict(verdict, nonce, key, hwid, self.jwks, self.app)
        self.high_water = max(self.high_water, checked.get("high_water", 0))
        return checked

    def public_keys(self):
        """Fetches the public keys, to put them into the app when you build
        it.
        """
        address = f"{self.site}/.well-known/jwks.json"
        with urllib.request.urlopen(address, timeout=self.timeout) as response:
            return json.load(response)

    def _ask_for_key(self, hold=0):
        query = urllib.parse.urlencode({**self.who, "app": self.app})
        return self._ask(f"/api/key?{query}", is_key_answer, hold=hold)

    def _ask(self, path, is_ours, body=None, hold=0):
        """An answer of ours or None, what to wait for, and, if the server
        said so, for how many seconds. It may hold the call until there is news.
        """
        headers = {"API-Version": "1", "Content-Type": "application/json"}
        headers["Prefer"] = f"wait={hold}"
        request = urllib.request.Request(self.site + path, body, headers)
        response = fetch(request, self.timeout + hold)
        if response is None:
            return None, "network", None

        status, headers, data = response
        retry_after = self._retry_after(headers)
        if status in (429, 503):
            return None, "busy", retry_after
        if status >= 500:
            return None, "server", retry_after

        answer = fields_of(data)
        code, title = answer.get("code"), answer.get("title")
        is_problem = isinstance(answer.get("type"), str) and isinstance(title, str)
        if status >= 400 and is_problem and code in FINAL_CODES:
            detail = answer.get("detail")
            raise Refusal(code, detail if isinstance(detail, str) else title)

        now = answer.get("now")
        is_whole = is_ours(answer, status) and isinstance(answer.get("app"), str)
        if not is_whole or not is_time(now) or now <= 0:
            return None, "answer", None
        # A server that has held the call has waited for us.
        return answer, "steps", 0 if "Preference-Applied" in headers else 5

    def _retry_after(self, headers):
        """The seconds of a Retry-After in digits, or as a date, which counts
        from the answer's own.
        """
        value = headers.get("Retry-After") or ""
        if re.fullmatch("[0-9]{1,6}", value):
            seconds = int(value)
        else:
            until, now = time_of(value), time_of(headers.get("Date") or "")
            if until is None:
                return None
            seconds = until - (self.clock() if now is None else now)
        return min(seconds, LONGEST_RETRY_AFTER) if seconds > 0 else None


def fetch(request, timeout):
    """The status, headers and body of an answer, or None. A thread fetches it,
    because the timeouts of the library are those of each part, and names are
    looked up without one.
    """
    answers = queue.Queue()

    def run():
        try:
            try:
                response = urllib.request.urlopen(request, timeout=timeout)
            except urllib.error.HTTPError as refused:
                response = refused
            with response:
                data = response.read(LONGEST_ANSWER + 1)
                answers.put((response.code, response.headers, data))
        # Whatever goes wrong on the way (OSError, HTTPException, ValueError of
        # a header), there is no answer.
        except Exception:
            answers.put(None)

    threading.Thread(target=run, daemon=True).start()
    try:
        return answers.get(timeout=timeout)
    except queue.Empty:
        return None


def fields_of(data):
    """The fields of an object in JSON. None when it is something else."""
    try:
        value = json.loads(data) if len(data) <= LONGEST_ANSWER else None
    except (ValueError, RecursionError):
        value = None
    return value if isinstance(value, dict) else {}


def is_key_answer(answer, http_status):
    status, reason = answer.get("status"), answer.get("reason")
    if http_status != (403 if status == "blocked" else 200):
        return False
    if status == "active":
        return isinstance(answer.get("key"), str) and is_time(answer.get("expiresAt"))
    if status == "in_progress":
        return is_time(answer.get("step")) and is_time(answer.get("of"))
    if status == "none":
        return "reason" not in answer or reason == "zone"
    until = answer.get("until", "")
    is_until = until is None or is_time(until)
    return status == "blocked" and isinstance(reason, str) and is_until


def is_verdict(answer, http_status):
    is_valid, code = answer.get("valid"), answer.get("code")
    return http_status == 200 and isinstance(is_valid, bool) and isinstance(code, str)


def is_time(value):
    try:
        return type(value) in (int, float) and math.isfinite(value)
    except OverflowError:
        return False


def time_of(date):
    """The seconds of a date in HTTP's form, or None."""
    try:
        is_date = date.endswith("GMT")
        return email.utils.parsedate_to_datetime(date).timestamp() if is_date else None
    except (TypeError, ValueError, OverflowError):
        return None
