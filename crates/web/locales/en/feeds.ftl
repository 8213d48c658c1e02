# List of subscriptions, and the form that follows a site.

feeds-subscriptions = Subscriptions
feeds-status = Feed status
feeds-all = All
feeds-none = You do not follow any feeds yet.
feeds-none-in-status = No feeds have this status.
feeds-count =
    { $count ->
        [one] { $amount } feed
       *[other] { $amount } feeds
    }
feeds-more = More feeds
feeds-rules = Rules
feeds-statistics = Statistics
feeds-unread-count = { $amount } unread
follow-words = Enter the address of any page of the site. New entries will then appear in your feeds.
follow-address = Address of the site or its feed
follow-collection = Collection
follow-search = Find feeds
follow-search-again = Search again
follow-several = Several feeds at once: <1>import an OPML file</1>.
follow-services = Supported services
follow-found = Feeds found
follow-none = There is no feed at this address, and the page does not link to one. You can <1>watch the page</1> instead, to be notified when it changes.
follow-unchecked = linked from the page, not yet checked
follow-titled = Follow “{ $title }”
follow-list = Follow new items on this page
follow-list-words = The page has a list of { $count } items. A monitor can add new ones as entries to your feeds.
follow-list-watch = Watch for new items
feed-request-words = If you set a user agent or headers, the feed is fetched separately for your account.
feed-request-headers-hint = One per line, such as X-Feed-Key: 1234. They are stored encrypted and sent only to the feed's site.
feed-request-stored = Stored: { $names }. New headers replace them.
feed-request-remove = Remove the stored headers
