# Pages that anyone with their link may read: groups, tags, and changes of monitors.

public-not-found = Page not found
public-not-found-words = The link is wrong. Check that it is complete.
public-gone = This page is no longer public
public-gone-words = Its owner deleted it, or gave it a new link.
public-gone-title = No longer public
public-unavailable = Temporarily unavailable
public-unavailable-words = Try again in a few seconds.
public-group-follow = Follow the changes in a feed reader: <1>RSS</1>, <2>Atom</2>, <3>JSON Feed</3>.
public-no-monitors = No monitors yet.
public-tag-not-found = The link is wrong, or its owner has stopped sharing this page.
public-tag-follow = Follow this list in a feed reader: <1>RSS</1>, <2>Atom</2>, <3>JSON Feed</3>.
public-no-items = No items yet.
public-newest = The newest { $number } items are listed.
change-not-found = Change not found
change-not-found-words = The link is wrong, or the change was deleted.
change-gone = This link is no longer valid
change-gone-words = Its feed has a new link, or is no longer public.
change-gone-title = Link no longer valid
change-of = Change in { $monitor }
change-detected = Detected
change-address = Address
change-differences = Differences
change-views = Views
change-sides = Side by side
change-inline = Inline
change-before = Before
change-after = After
change-rest =
    { $count ->
        [one] { $count } more difference is not shown.
       *[other] { $count } more differences are not shown.
    }
change-legend = Removed text is struck through; added text is underlined.
change-unknown-size = unknown size
change-no-screenshot = This screenshot is not stored: it is too large or too old, or the space for screenshots is used up.
change-earlier = Earlier change
change-later = Later change
change-count-added = { $count } added
change-count-removed = { $count } removed
change-count-changed = { $count } changed
change-count-moved = { $count } moved
change-unchanged =
    { $count ->
        [one] { $count } unchanged line
       *[other] { $count } unchanged lines
    }
change-whole = The source changed too much to compare line by line.
change-before-value = Before:
change-after-value = After:
change-link = Link: { $link }
change-fell = fell by { $amount }
change-rose = rose by { $amount }
change-new = New
change-removed = Removed
change-changed = Changed
change-moved = Moved
change-removed-part = removed:
change-added-part = added:
change-explanation-pending = The language model is explaining the change.
change-explanation-none = The language model has not explained the change: { $reason }.
change-explanation-by = Written by the language model { $name }. It may be wrong.
change-explanation-irrelevant = It judged that this change does not matter.
change-explanation-withheld = It judged that this change does not matter, so no message was sent.
