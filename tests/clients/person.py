"""A person with a browser that runs no scripts: signs in, and answers the consent page.

    person.py ADDRESS [--read-only] [--deny]

prints the address that the browser is sent back to. SERVICE_URL, PERSON and PASSWORD are the service and the credentials.
"""

import http.cookiejar
import os
import sys
import urllib.error
import urllib.parse
import urllib.request
from html.parser import HTMLParser

BASE = os.environ["SERVICE_URL"]


class Stay(urllib.request.HTTPRedirectHandler):
    """Does not follow redirects automatically, because the last redirect leads to another host."""

    def redirect_request(self, *_):
        return None


class Forms(HTMLParser):
    """Forms of a page: their actions, and the values of their fields."""

    def __init__(self, page):
        super().__init__()
        self.forms = []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        a = dict(attributes)
        if tag == "form":
            self.forms.append({"action": a.get("action", ""), "fields": [], "ticks": [], "buttons": []})
        elif not self.forms:
            return
        elif tag == "input" and a.get("type") == "checkbox":
            self.forms[-1]["ticks"].append((a.get("name"), a.get("value", "on"), "checked" in a))
        elif tag == "input":
            self.forms[-1]["fields"].append((a.get("name"), a.get("value", "")))
        elif tag == "button":
            self.forms[-1]["buttons"].append((a.get("name"), a.get("value", "")))


class Person:
    def __init__(self):
        jar = http.cookiejar.CookieJar(http.cookiejar.DefaultCookiePolicy(secure_protocols=("http", "https")))
        self.browser = urllib.request.build_opener(Stay, urllib.request.HTTPCookieProcessor(jar))

    def ask(self, address, fields=None):
        data = None if fields is None else urllib.parse.urlencode(fields).encode()
        headers = {"Origin": BASE, "Accept": "text/html"} if data is not None else {"Accept": "text/html"}
        try:
            answer = self.browser.open(urllib.request.Request(address, data, headers))
        except urllib.error.HTTPError as error:
            answer = error
        return answer.status, answer.headers.get("Location"), answer.read().decode()

    def go(self, address, fields=None):
        """Follows redirects within the service. Returns the address of a redirect to another host, or the page."""
        while True:
            status, location, page = self.ask(address, fields)
            if location is None:
                if status >= 400:
                    raise SystemExit(f"{status} at {address}\n{page}")
                return address, page
            address, fields = urllib.parse.urljoin(address, location), None
            if not address.startswith(BASE + "/"):
                return address, None

    def answer(self, address, changes=True, deny=False):
        address, page = self.go(address)
        if page is not None and 'name="password"' in page:
            form = next(form for form in Forms(page).forms if any(n == "password" for n, _ in form["fields"]))
            fields = dict(form["fields"]) | {"email": os.environ["PERSON"], "password": os.environ["PASSWORD"]}
            address, page = self.go(urllib.parse.urljoin(address, form["action"]), fields)
        if page is None:
            return address
        for form in Forms(page).forms:
            wanted = "deny" if deny else "allow"
            button = next((b for b in form["buttons"] if wanted in (b[1] or "").lower()), None)
            if button is None:
                continue
            fields = [f for f in form["fields"] if f[0]] + ([(n, v) for n, v, _ in form["ticks"]] if changes else [])
            address, page = self.go(urllib.parse.urljoin(address, form["action"] or address), fields + [button])
            if page is not None:
                raise SystemExit(f"the consent led nowhere\n{page}")
            return address
        raise SystemExit(f"no consent page at {address}\n{page}")


if __name__ == "__main__":
    flags = sys.argv[2:]
    print(Person().answer(sys.argv[1], changes="--read-only" not in flags, deny="--deny" in flags))
