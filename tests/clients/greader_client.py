"""The Google Reader API by libgreader, which was written for Google Reader itself: lists, marks and stars."""
import os

import libgreader
from libgreader import url as urls

service = os.environ["SERVICE_URL"]
# The library supports only Google's addresses.
google = "https://www.google.com/reader/api"
for name, value in list(vars(urls.ReaderUrl).items()):
    if isinstance(value, str) and value.startswith(google):
        setattr(urls.ReaderUrl, name, value.replace(google, f"{service}/reader/api"))
libgreader.ClientAuthMethod.CLIENT_URL = f"{service}/accounts/ClientLogin"
reader = libgreader.GoogleReader(libgreader.ClientAuthMethod(os.environ["PERSON"], os.environ["KEY"]))
reader.buildSubscriptionList()
feed = reader.getSubscriptionList()[0]
feed.loadItems()
items = feed.getItems()
print(" ", feed.title, "with", len(items), "entries")
assert items and all(item.title and item.content for item in items)
first = items[0]
first.star()
first.markRead()
feed.loadItems()
first.unStar()
first.markUnread()
print("  starred, read and back:", first.title)
