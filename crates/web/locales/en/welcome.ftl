# First steps of a new account.

welcome-followed = You now follow these feeds. Their entries will appear in a few minutes.
welcome-none = Nothing was selected. Select feeds, then choose Follow selected.
welcome-follow-words = New entries from the sites you follow arrive in one list.
welcome-site = Site address
welcome-bring = From another reader: <1>bring your feeds (OPML)</1>. From a browser: <2>bring your bookmarks</2>.
welcome-save-words = Your library keeps the full text. You can highlight it, add notes, and find every word again.
welcome-page = Page address
welcome-ways = <1>Save from any page with one click</1>.
welcome-watch-words = Carrel checks the page for you and notifies you when the price falls, or when anything else changes.
welcome-watched = Product or page address
welcome-today = Go to Today
welcome-skip = Skip the first steps
welcome-suggested = Or choose from these feeds
welcome-follow-selected = Follow selected
topic-news = News
topic-science = Science
topic-technology = Technology
topic-programming = Programming
topic-culture = Ideas and culture
topic-comics = Comics and food
