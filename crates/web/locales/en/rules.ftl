# Rules for new entries.

rules-made = Rule created. It checks every new entry.
rules-applied = Rule created and applied to your unread entries.
rules-deleted = Rule deleted. Entries that it muted are back in your lists. Dropped entries cannot be restored.
rules-of = Rules for { $feed }
rules-for-all = Rules for all feeds
rules-words = A rule checks each new entry. It can drop the entry, mute it, mark it as read, protect it from other rules, star it, save it to your library, or send it to channels.
rules-also-for-all = There are also <1>rules for all feeds</1>.
rules-single-feed = Rules for a single feed are on that feed's page.
rules-active = Active rules
rules-new = New rule
rules-muted-count = { $number } muted
rules-dropped-count = { $number } dropped
rules-starred-count = { $number } starred
rules-saved-count = { $number } saved
rules-unsaved-count = { $number } not saved, the last { $time }: { $reason }
rules-unsaved-daily-limit = rules save at most { $most } entries a day
rules-unsaved-storage-limit = your storage is full
rules-unsaved-deleted = you deleted this item
rules-unsaved-unavailable = the entry cannot be saved
rules-unsaved-failed = saving failed several times
rules-since = created { $time }
rules-off = Switched off
rules-off-words = { $off } { $time }: it took too long
rules-matches = Entries that this rule matches
rules-nothing-to-test = There are no entries to test it on yet.
rules-match-count = Of the newest { $examined } entries, it matches { $matched }.
rules-nothing-changed = Nothing has changed.
rules-would-drop = They would be dropped: counted, but never shown in your lists, even if you delete the rule. Nothing has changed yet.
rules-would-mute = They would be muted: hidden from lists, unread counts and apps. Nothing has changed yet.
rules-would-read = They would be marked as read. Nothing has changed yet.
rules-would-keep = They would be kept, even if another rule matches. Nothing has changed yet.
rules-would-star = They would be starred and saved to your library, at most { $most } entries a day for all rules. Nothing has changed yet.
rules-would-save = They would be saved to your library, at most { $most } entries a day for all rules. Nothing has changed yet.
rules-would-notify = New entries like these would be sent to the channels. Entries that are already there are not sent. Nothing has changed yet.
rules-more = And { $number } more.
rules-delete-question = Delete this rule?
rules-too-slow = This rule was switched off because it took too long on new entries. Delete it and create a simpler one.
rules-has-dropped =
    { $count ->
        [one] It has dropped { $count } entry. Dropped entries cannot be restored.
       *[other] It has dropped { $count } entries. Dropped entries cannot be restored.
    }
rules-has-muted-none = It has not muted any entries yet.
rules-has-muted =
    { $count ->
        [one] It has muted { $count } entry. If you delete the rule, the entry will return to your lists.
       *[other] It has muted { $count } entries. If you delete the rule, they will return to your lists.
    }
rules-stay-changed = Entries that it changed will stay as they are.
rules-delete = Delete rule
rules-pattern = Words, expression or date
rules-pattern-hint = Upper and lower case do not matter. An expression is a regular expression, such as \bsale\b or ^(Ad|Sponsored):. For files, enter a media type or an address, such as audio. For dates, enter 7d (the last 7 days), >7d (older), before:2026-01-31, after:2026, between:2026-01,2026-03 or future.
rules-tags-hint = Only for Save. Optional, separated by commas. If several rules save an entry, the { $rules } oldest apply, with at most { $tags } tags in all.
rules-channels = Channels
rules-channels-hint = Only for Send to channels. Entries that a rule drops, mutes or marks as read are not sent.
rules-channels-none = none: they were deleted
rules-action = Action
rules-part = Match in
rules-kind = Match
rules-unread-too = Also apply it to unread entries (the newest 500)
rules-preview = Preview matches
rules-create = Create rule
rules-drop = Drop
rules-mute = Mute
rules-keep = Keep
rules-save = Save
rules-notify = Send to channels
rules-drop-note = not stored for you, only counted
rules-mute-note = hidden from all lists until you delete the rule
rules-read-note = shown only in the list of all entries
rules-keep-note = no other rule mutes or marks them
rules-star-note = starred and saved to your library
rules-save-note = saved to your library, with the tags below
rules-notify-note = sent to the channels below, also if the feed has no channels
rules-part-any = the title, author or text
rules-part-title = the title
rules-part-author = the author
rules-part-text = the text from the feed
rules-part-url = the address
rules-part-published = the publication date
rules-part-media = the attached files
rules-part-category = the categories
rules-kind-words = These exact words
rules-kind-expression = A regular expression
rules-summary-words = { $action }: “{ $pattern }” in { $part }
rules-summary-expression = { $action }: { $pattern } in { $part }
