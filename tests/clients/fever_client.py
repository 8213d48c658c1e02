"""Fever by freshrss_api: signs in, lists, stars and marks as read, and sees both again."""
import os

import freshrss_api.freshrss_api as library

service = os.environ["SERVICE_URL"]
# The library supports only the path at which FreshRSS serves Fever.
library.urljoin = lambda *_: f"{service}/fever/"
api = library.FreshRSSAPI(host=service, username=os.environ["PERSON"], password=os.environ["KEY"])
feeds, groups, unread = api.get_feeds()["feeds"], api.get_groups()["groups"], api.get_unreads()
print(" ", len(feeds), "feeds,", len(groups), "groups,", len(unread), "unread")
assert feeds and unread
first = unread[0]
assert first.title and first.html and first.url
api.set_mark(as_="saved", id=first.id)
assert first.id in [item.id for item in api.get_saved()]
api.set_mark(as_="unsaved", id=first.id)
assert first.id not in [item.id for item in api.get_saved()]
api.set_mark(as_="read", id=first.id)
assert first.id not in [item.id for item in api.get_unreads()]
assert api.get_items_from_ids([first.id])[0].title == first.title
print("  starred and read:", first.title)
