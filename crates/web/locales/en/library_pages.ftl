# Details, notes, tags, copies, and deletion of library items.

edit-author = Author
edit-tags-hint = Separated by commas. At most 12.
edit-kind = Kind
note-item-deleted = The item was deleted.
note-item-deleted-titled = The item was deleted: { $title }.
note-delete-highlight = Delete highlight
note-back = Back to the item
note-delete = Delete note
quote-share = Share this quote
quote-title = Share a quote
quote-back = Back to the highlight
quote-text = Quote with its source
quote-original = The quote on the original page
quote-original-words = { $link }. In most browsers, the link highlights the quote.
quote-own = <1>The highlight in your library</1>. Only you can open this link.
public-tag-published = The tag is public. Share its link.
public-tag-private = The tag is private again. Its old link no longer works.
public-tag-name = Tag
public-tag-hint = Its items with a public web address appear on the page: title, address, when you saved them, and the beginning of the text if it was fetched from the address. Your notes, highlights, other tags and files are never shown.
public-tags = Public tags
public-tags-words = A public tag has a page and a feed that anyone with the link can read, without an account.
public-tags-yours = Your public tags
public-tags-publish-heading = Publish a tag
public-tags-publish = Publish
public-tag-link = Link to “{ $tag }”
public-tag-feeds = <1>Open the page</1>. Its feed is available as <2>RSS</2>, <3>Atom</3> and <4>JSON Feed</4>.
public-tag-hide-named = Make “{ $tag }” private
public-tag-hide = Make private
shared-added = Page added.
shared-removed = Page removed from this tag. The owner still has it.
shared-joined = You joined the team.
shared-none = Nothing yet. When someone invites you to a team, its tags and monitors appear here.
shared-teams = Your teams
shared-can-add = you can add pages
shared-no-changes = no changes yet
shared-no-pages = No pages yet.
shared-pages = Pages
shared-older = Older pages
shared-tag = Shared tag
shared-save = Save to my library
shared-add-page = Add a page
shared-add-hint = It is saved in the owner's library.
shared-add = Add
shared-remove = Remove
shared-remove-named = Remove “{ $name }”
shared-changes = Latest changes
shared-monitor = Shared monitor
copy-requested = The page is being copied. This page reloads until the copy is ready.
copy-deleted = Copy deleted.
copy-page = Page
copy-page-words = One file with text, styles and pictures, without scripts. It opens in any browser.
copy-picture = Screenshot
copy-picture-words = The whole page as a PNG file.
copy-pdf-words = The page as it would be printed.
copy-words = A copy counts towards your storage and costs five fresh extractions. It is included in your exports.
copy-open = Open the copy
copy-from = from { $time }, { $size } KB
copy-waiting = The page is being copied.
copy-fault-storage = The page could not be copied: your storage is full. Delete files or items.
copy-fault-robots = The page could not be copied: its site does not allow automated access.
copy-fault-content = The page could not be copied: it is too large or too complex for a browser.
copy-fault-browser = The page could not be copied: the browser did not respond. Try again.
copy-fault-queue = The page was not copied: too many copies were waiting. Try again.
copy-fault-limit = The page was not copied: today’s fresh extractions for automatic copies are used up. Try again now or tomorrow.
copy-fault-address = The page could not be copied: it could not be opened. Check the address and try again.
copy-replace = Replace
copy-create = Create copy
copies-automatic = Automatic page copies
copies-saved = Automatic page copies saved.
copies-words = Carrel can copy the page of each new item that you save by its address, as a browser displays it. If you choose no format, no page is copied. Pages sent by the extension or by e-mail are not copied.
copies-formats = Formats
copies-imports = Also copy the pages of imported items, the newest first, up to { $count } copies a day
copies-limits = A copy counts towards your storage and costs five fresh extractions. Automatic copies use at most half of a day’s fresh extractions. If a limit is reached, the item says so.
delete-items-question =
    { $count ->
        [one] Delete this item?
       *[other] Delete these { $count } items?
    }
delete-items-words = You can undo this for one minute. After that, everything is deleted permanently, including files.
delete-items-annotations = Also delete notes and highlights. Otherwise they stay, and you can still find them by searching.
delete-items-title = Delete
tags-none = No tags yet. Add one on an item's page, or to several items in the list.
tags-words = If you give a tag the name of another tag, the two are merged. If that tag is public or shared with a team, so are the items of both. A tag can have a <1>public page</1>.
tags-more = More tags
tags-yours = Your tags
tags-count =
    { $count ->
        [one] { $count } item
       *[other] { $count } items
    }
tags-remove-named = Remove “{ $name }” everywhere
copy-left-out = Left out: { $parts }.
copy-pictures =
    { $count ->
        [one] 1 picture
       *[other] { $count } pictures
    }
copy-fonts =
    { $count ->
        [one] 1 font
       *[other] { $count } fonts
    }
copy-styles =
    { $count ->
        [one] 1 style sheet
       *[other] { $count } style sheets
    }
copy-media =
    { $count ->
        [one] 1 audio or video
       *[other] { $count } audios or videos
    }
copy-frames =
    { $count ->
        [one] 1 frame or object
       *[other] { $count } frames or objects
    }
copy-cut = The page may be incomplete, because it reached a limit.
