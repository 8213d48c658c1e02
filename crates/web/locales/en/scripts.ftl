# Texts of scripts: the list of keys, the notice of new entries, and buttons of reading pages.

keys-title = Keys
script-close = Close
key-next = next entry or text
key-previous = previous entry or text
key-open = open
key-next-page = next page of a list
key-back = back
key-mark = mark read or unread
key-mark-previous = mark read or unread, and go to the previous one
key-mark-all = mark all as read
key-star = star or save
key-archive = archive
key-full = full page
key-original-tab = original, in a new tab
key-original = original
key-attachment = play the recording, or open the file
key-feed = entries of the feed
key-refresh = fetch the feeds of the list now
key-follow = follow a site
key-unfollow = unfollow the feed
key-select = select; with Shift and a click: a range
key-undo = undo
key-search = search
key-today = Today
key-unread = unread entries
key-all = all entries
key-read = read entries
key-starred = starred entries
key-feeds = feeds
key-collections = collections
key-library = library
key-monitors = monitors
key-settings = settings
key-top = top
key-close = close
key-help = these keys
copy-markdown = Copy as Markdown
copy-markdown-done = Copied.
copy-markdown-failed = Copying failed. Download it instead.
script-copy = Copy
copy-done = Copied
copy-failed = Copying failed
copy-failed-selected = Copying failed. The text is selected.
script-share = Share…
note-jump = Go to the note
entries-new-count =
    { $count ->
        [one] 1 new entry
       *[other] { $count } new entries
    }
entries-new-most = { $count } or more new entries
minutes-left =
    { $count ->
        [one] 1 minute left
       *[other] { $count } minutes left
    }
