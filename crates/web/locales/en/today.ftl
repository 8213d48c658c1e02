# Today page and first steps.

today-unread =
    { $count ->
        [one] { $amount } unread entry
       *[other] { $amount } unread entries
    }
today-unread-partial =
    { $count ->
        [one] { $amount } or more unread entries
       *[other] { $amount } or more unread entries
    }
today-unread-heading = Unread
today-all-unread = All unread
today-order = Feeds whose entries you star and read most come first.
today-search-or-open = Search or open
today-search-label = Search everything, or open a page
today-search-hint = Searches your feeds and your library. Enter an address to open the page.
today-search-example = harbour, or https://…
today-go = Go
today-changes = Changes
today-all-changes = All changes
today-started = Continue reading
today-saved = Recently saved
today-waiting = Saved a while ago
today-this-day = On this day
today-attention = Needs your attention
today-all-failing = All feeds that are not responding
begin = Get started
begin-progress = { $completed } of { $count } done
begin-done = Done
begin-follow = Follow a site
begin-follow-words = to see its new entries here and under Feeds.
begin-save = Save a page
begin-save-words = to read it later, with your highlights and notes.
begin-watch = Watch a price
begin-watch-words = or any other part of a page, to see its changes here.
begin-continue = Continue
begin-close = Don't show this again
nothing-new = Nothing new
nothing-feeds = <1>Find more sites to follow</1>, or <2>bring your feeds</2> from another reader.
nothing-library = <1>Look through your library</1>, or <2>bring your saved pages</2>.
nothing-monitors = <1>Watch a page</1> to see its changes here.
