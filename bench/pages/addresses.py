"""Creates objects of a measured account, and returns the addresses of their pages that no other page links to."""

import html
import re
import sys
import urllib.parse

NEIGHBOUR = "neighbour@example.org"
# Settings of the service without which some pages do not exist. No request is sent to the model.
SETTINGS = {
    "CARREL_INBOX_DOMAIN": "in.example.org",
    "CARREL_MODEL_URL": "http://127.0.0.1:9/v1", "CARREL_MODEL_NAME": "none", "CARREL_MODEL_EMBEDDINGS": "none",
}
# Routes that are not measured, with the reason.
UNMEASURED = {
    "/entries/live": "a stream that stays open",
    "/read": "redirects to the reader, which reads a page of another server",
    "/sign-in/code": "needs a sign-in that waits for its second factor",
    "/reset": "needs a link that is sent by mail",
    "/settings/email/confirm": "needs a link that is sent by mail",
    "/settings/email/undo": "needs a link that is sent by mail",
    "/notices/confirm": "needs a link that is sent by mail",
    "/notices/stop": "needs a link that is sent by mail",
    "/notices/snooze": "needs a link that is sent by mail",
    "/monitors/new/pictures/:key/page.jpg": "needs a browser that renders pages",
    "/monitors/new/pictures/:key/style.css": "needs a browser that renders pages",
    "/collections/:id/briefing": "needs a language model that the account has switched on",
    "/library/meaning": "needs a language model that the account has switched on",
    "/admin/jobs/:id": "needs a job that failed for the last time",
}
LETTER = (
    "From: Lamps Weekly <news@lamps.example>\r\nTo: me@in.example.org\r\nSubject: Issue 7\r\n"
    "Message-ID: <7@lamps.example>\r\nList-Id: <weekly.lamps.example>\r\nMIME-Version: 1.0\r\n"
    'Content-Type: multipart/mixed; boundary="part"\r\n\r\n--part\r\nContent-Type: text/plain\r\n\r\n'
    "The lamps of the harbour are lit.\r\n--part\r\nContent-Type: text/plain; name=list.txt\r\n"
    "Content-Disposition: attachment; filename=list.txt\r\n\r\nBoats.\r\n--part--\r\n"
)
OPML = (
    '<opml version="2.0"><head><title>Feeds</title></head><body>'
    '<outline type="rss" text="Example" xmlUrl="https://site1.example/feed.xml"/></body></opml>'
)


def form_data(name, content, **fields):
    """Returns a form with a file, and its media type."""
    parts = [f'Content-Disposition: form-data; name="{field}"\r\n\r\n{text}' for field, text in fields.items()]
    parts.append(f'Content-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n{content}')
    body = "".join(f"--part\r\n{part}\r\n" for part in parts) + "--part--\r\n"
    return body.encode(), "multipart/form-data; boundary=part"


def submit(browser, page, action, fields, expected=303):
    """Submits the form of a page that has this action. Returns the address to which the answer redirects."""
    _, text, _, _ = browser.ask("GET", page)
    forms = re.findall(r"<form.*?</form>", text, re.S)
    found = [form for form in forms if re.search(rf'action="[^"]*{re.escape(action)}[#"]', form)]
    if not found:
        sys.exit(f"{page} has no form with the action {action}")
    hidden = re.findall(r'type="hidden" name="([^"]*)" value="([^"]*)"', found[0])
    everything = {name: html.unescape(content) for name, content in hidden} | fields
    content = everything.pop("file", None)
    status, text, _, _ = browser.ask("POST", action, form_data("file", content, **everything) if content else everything)
    if status != expected:
        sys.exit(f"POST {action} answered {status}: {re.sub('<[^>]*>', ' ', text)[:2000]}")
    return browser.location


def of_library(api, item, highlight):
    """Returns the pages of files, copies, imports, exports, and the highlight of a deleted item."""
    api.send("PUT", f"/v1/library/items/{item}/file", b"The boats of the harbour.", "text/plain")
    copy = "<!doctype html><title>Harbour</title><h1>The harbour</h1><p>Fourteen boats.</p>"
    api.send("PUT", f"/v1/library/items/{item}/copies/html", copy.encode(), "text/html")
    rows = "title,url,time_added,tags,status\nPage,https://site1.example/imported,1700000000,,unread\n"
    form = form_data("pocket.csv", rows, format="pocket_csv")
    imported = api.send("POST", "/v1/library/imports", *form)["import"]["id"]
    exported = api.post("/v1/library/exports", {"format": "svc_jsonl"})["export"]["id"]
    gone = api.post("/v1/library/items", {"url": "https://site1.example/gone", "content": "Gulls over the quay."})
    kept = api.post("/v1/library/highlights", {"itemId": gone["item"]["id"], "quote": "Gulls over the quay."})
    api.post("/v1/library/items/delete", {"ids": [gone["item"]["id"]], "annotations": "keep"})
    api.wait_until_idle()
    return [
        f"/library/{item}/file", f"/library/{item}/markdown", f"/library/{item}/copies", f"/library/{item}/copies/html",
        f"/library/import/{imported}", f"/library/import/{imported}/report",
        f"/library/export/{exported}", f"/library/export/{exported}/file",
        f"/library/highlights/{highlight}/quote", f"/library/highlights/{kept['object']['id']}",
    ]


def of_inbox(api):
    """Returns the pages of a received newsletter."""
    address = api.post("/v1/inbox/addresses", {"name": "Newsletters"})["address"]["address"]
    query = urllib.parse.urlencode({"address": address})
    api.send("POST", f"/v1/inbox/messages?{query}", LETTER.encode(), "message/rfc822")
    api.wait_until_idle()
    message = api.send("GET", "/v1/inbox/messages", None, None)["messages"][0]
    return [f"/settings/inbox/messages/{message['id']}", f"/library/{message['itemId']}/files/1"]


def link_of(invitation):
    return urllib.parse.parse_qs(urllib.parse.urlsplit(invitation).query)["link"][0]


def of_team(api, owner):
    """Joins the team of `owner`, who shares a tag and a monitor. Returns their pages, and the page of an invitation."""
    team = owner.post("/v1/teams", {"name": "Neighbours"})["team"]["id"]
    owner.post("/v1/library/items", {"url": "https://site1.example/shared", "content": "Boats.", "tags": ["shared"]})
    monitor = owner.post("/v1/monitors", {"name": "Shared", "targetUrl": "https://site1.example/", "intervalMinutes": 1440})
    monitor = monitor["monitor"]["id"]
    owner.send("PUT", f"/v1/teams/{team}/tags/shared", None, None)
    owner.send("PUT", f"/v1/teams/{team}/monitors/{monitor}", None, None)
    page, accepted = (owner.post(f"/v1/teams/{team}/invitations", {"role": "editor"})["invitation"]["url"] for _ in range(2))
    api.post("/v1/team-invitations/accept", {"link": link_of(accepted)})
    shared = f"/library/shared/{team}"
    return [f"/settings/teams/join?link={link_of(page)}", f"{shared}?tag=shared", f"{shared}/monitors/{monitor}"]


def of_forms(api, browser):
    """Creates objects that only pages create. Returns the pages of an import, and of an app that asks for access."""
    submit(browser, "/subscriptions/rules", "/subscriptions/rules",
           {"action": "mute", "part": "title", "kind": "words", "words": "fog", "act": "create"})
    submit(browser, "/settings/channels?kind=ntfy", "/settings/channels",
           {"address": "https://site1.example/topic", "name": "Topic"})
    # Answers with the page that displays the secret.
    submit(browser, "/settings/channels?kind=webhook", "/settings/channels",
           {"address": "https://site1.example/hook", "name": "Hook"}, expected=200)
    submit(browser, "/settings/look", "/settings/offline", {"store": "on"})
    imported = submit(browser, "/subscriptions/opml", "/subscriptions/opml", {"file": OPML})
    back = "http://127.0.0.1:9/back"
    app = api.post("/oauth/register", {
        "client_name": "App", "redirect_uris": [back], "token_endpoint_auth_method": "none",
    })
    query = {
        "response_type": "code", "client_id": app["client_id"], "redirect_uri": back, "state": "1",
        "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", "code_challenge_method": "S256",
    }
    page = f"/oauth/authorize?{urllib.parse.urlencode(query)}"
    allowed = urllib.parse.urlsplit(submit(browser, page, "/oauth/authorize", {"answer": "allow"}))
    exchange = {
        "grant_type": "authorization_code", "code": urllib.parse.parse_qs(allowed.query)["code"][0],
        "client_id": app["client_id"], "redirect_uri": back, "code_verifier": "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
    }
    api.send("POST", "/oauth/token", urllib.parse.urlencode(exchange).encode(), "application/x-www-form-urlencoded")
    return [imported, page]


def further(api, neighbour, browser, made):
    """Returns the addresses of pages to which no page links. `made` has the ids of the account's objects, and `neighbour`
    is the Developer API with the key of another account."""
    api.post("/v1/monitor-groups", {"name": "Ferries"})
    return [
        "/search?q=boats", "/library?q=boats", "/entries?q=boats", "/monitors/changes?q=line", "/entries/new?through=1",
        f"/monitors/{made['monitor']}/values.csv",
        *of_library(api, made["item"], made["highlight"]), *of_inbox(api), *of_team(api, neighbour),
        *of_forms(api, browser),
    ]
