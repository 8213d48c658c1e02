# Texts of scripts: the list of keys, the notice of new entries, buttons of reading pages, listening, offline reading,
# passkeys, and pictures of quotes.

keys-title = Keyboard shortcuts
script-close = Close
key-next = next entry or item
key-previous = previous entry or item
key-open = open
key-next-page = next page of a list
key-back = back
key-mark = mark as read or unread
key-mark-previous = mark as read or unread, and go to the previous one
key-mark-all = mark all as read
key-star = star or save
key-archive = archive
key-next-paragraph = next paragraph
key-previous-paragraph = previous paragraph
key-highlight = highlight the selected words or the paragraph
key-highlight-note = highlight with a note
key-passage = use the language model on the selected words or the paragraph
key-full = read full page
key-original-tab = open the original in a new tab
key-original = open the original
key-attachment = play the recording, or open the file
key-feed = show entries from the feed
key-refresh = fetch the feeds in the list now
key-follow = follow a site
key-unfollow = unfollow the feed
key-select = select (Shift-click selects a range)
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
key-top = go to the top
key-close = close
key-help = show these shortcuts
copy-markdown = Copy as Markdown
copy-markdown-done = Copied.
copy-markdown-failed = Copying failed. Download the text instead.
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
listen-pause = Pause
listen-continue = Continue
listen-previous = Previous paragraph
listen-next = Next paragraph
listen-next-text = Next article
listen-all = Listen to all
listen-voice = Voice
listen-voice-any = Automatic
listen-failed = This browser could not read the text aloud.
stored-not-possible = This browser cannot store texts. It needs a secure connection (https) to this server.
stored-not-allowed = This browser does not allow storing texts.
stored-count = Texts stored in this browser: { $stored } of { $count } ({ $size }).
queued-text = Text
queued-waiting = Waiting for a connection.
queued-remove = Remove
queued-removed = Removed.
queued-stored = Stored. It will be sent when you are online again.
queued-highlight-stored = The highlight is stored. It will be sent when you are online again.
queued-not-stored = This could not be stored. Go online to send the changes that are waiting.
queued-failed = Not applied: { $reason }
queued-show = Show them
queued-reload = Reload
queued-sent-count =
    { $count ->
        [one] 1 offline change was sent.
       *[other] { $count } offline changes were sent.
    }
queued-failed-count =
    { $count ->
        [one] 1 offline change could not be applied.
       *[other] { $count } offline changes could not be applied.
    }
passkey-unsupported = This browser does not support passkeys.
passkey-exists = This device already has a passkey for your account.
passkey-not-given = The browser did not provide a passkey. Try again.
picture-of-quote = Quote as a picture
picture-description = The quote with its source
picture-failed = The picture could not be created.
picture-download = Download picture
picture-share = Share picture…
picture-share-failed = Sharing failed. Download the picture instead.
picture-shortened = The quote is too long for a picture, so the picture shows only its beginning.
