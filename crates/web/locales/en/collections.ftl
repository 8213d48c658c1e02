# Collections of feeds, and the briefing of a collection.

collections-made = Collection created. Add feeds to it on their pages.
collections-renamed = Collection renamed.
collections-deleted = Collection deleted. Its feeds are now unsorted.
collections-new = New collection
collections-words = A collection is a folder for feeds. Each feed is in one collection, which you choose on the feed's page.
collections-yours = Your collections
collections-create = Create
collections-new-name = New name for “{ $name }”
collections-rename = Rename
collections-rename-named = Rename “{ $name }”
collections-delete-named = Delete “{ $name }”
collections-never = Never
collections-age-named = Days until entries of “{ $name }” are marked as read
collections-age = Days until marked as read
collections-notify = Channels: { $count }
collections-notify-hint = New entries of its feeds are sent to these channels. A feed with channels of its own uses those instead.
briefing-requested = The briefing is being written. It will appear on this page.
briefing-heading = Briefing
briefing-words = A briefing summarizes the unread entries of this collection. Each sentence links to its entries.
briefing-write-new = Write a new briefing
briefing-write = Write a briefing
briefing-pending = The briefing is being written.
briefing-failed = The briefing could not be written: { $reason }.
briefing-empty = The briefing is empty.
briefing-gone = an entry that is no longer in your feeds
briefing-by = Written by the language model { $name } { $time }. It may contain errors.
briefing-covers =
    { $number ->
        [one] It covers { $number } unread entry.
       *[other] It covers { $number } unread entries.
    }
briefing-not-covered = Entries not covered: { $number }.
briefing-left-out = Sentences left out because they had no valid source: { $number }.
