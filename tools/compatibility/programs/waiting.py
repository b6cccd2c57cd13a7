"""`waiting.py <library> <method> <address>` does for libraries of Python what
waiting.mjs does for those of npm."""

import json
import sys

name, method, url = sys.argv[1:]
headers = {"prefer": "wait=25"}
content = {"key": "k", "hwid": "device-1234"} if method == "POST" else None


def of_urllib3():
    import urllib3

    sent = {**headers, "content-type": "application/json"}
    body = json.dumps(content) if content else None
    answer = urllib3.PoolManager().request(method, url, headers=sent, body=body)
    return answer.status, answer.data.decode()


def of_requests():
    import requests

    answer = requests.request(method, url, headers=headers, json=content)
    return answer.status_code, answer.text


def of_httpx():
    import httpx

    answer = httpx.request(method, url, headers=headers, json=content)
    return answer.status_code, answer.text


try:
    status, text = {"urllib3": of_urllib3, "requests": of_requests, "httpx": of_httpx}[name]()
    print(json.dumps({"status": status, "text": text}))
except Exception as error:
    print(json.dumps({"error": type(error).__name__, "text": ""}))
