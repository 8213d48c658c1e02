# Import of files into the library.

import-words = You can import bookmarks, exports from read-later services, highlights from e-readers, references, lists of URLs, and exports from Carrel itself.
import-checked-first = The file is checked first. You see what would be imported before you decide.
import-file = File
import-format = Format
import-detect = Detect automatically
import-include = From a Carrel export, also import feeds, monitors, settings, rules and reading positions
import-check = Check file
import-fields = What is imported from each format
import-servers = <1>Import from a server</1> of Karakeep, wallabag, linkding, Readeck, Miniflux, FreshRSS, Readwise, Raindrop, or Pinboard.
import-opml = Import feeds <1>as OPML</1>.
import-folders = Folders
import-folders-path = One tag with the full path
import-folders-tags = A tag for each folder
import-folders-none = No tags
import-undone = Import undone.
import-no-rows = There are no rows to retry.
import-no-file = The file or the list of its rows is no longer stored. Import the file again: existing items are not added twice.
import-reloads = This page reloads until this is finished. You can leave it and come back.
import-rows-checked = Rows checked
import-removed = Everything the import added was removed, except items you have changed since.
import-can-undo = You can undo this import. This option expires { $time }. Items you have changed will stay, and so will additions to items you already had.
import-heading-undoing = Undoing the import
import-heading-checking = Checking the file
import-heading-running = Importing
import-heading-preview = Import preview
import-heading-undone = Import undone
import-heading-finished = Import finished
import-heading-stopped = Import stopped
import-heading-failed = Import failed
import-you-stopped = You stopped the import before it was complete.
import-unknown-format = The file contains no data in this format. Choose another format or automatic detection.
import-damaged = The file is damaged, or its content does not match its type.
import-too-large = The file is too large, has too many rows, or contains a row that takes too much memory.
import-incomplete = The import could not be completed.
import-rows = Rows
import-would-be-new = To be added
import-new = New
import-existing = Already in your library
import-skipped = Skipped
import-failed = Failed
import-annotations = Notes and highlights
import-part-feed-settings = Feed settings
import-part-rules = Rules
import-part-templates = Message templates
import-part-account-settings = Account settings
import-part-positions = Reading positions
import-parts-uncounted = Feeds, monitors, settings, rules and reading positions will also be imported. They are counted when the import runs.
import-problems =
    { $count ->
        [one] { $count } problem
       *[other] { $count } problems
    }
import-problems-first =
    { $count ->
        [one] The first { $count } problem
       *[other] The first { $count } problems
    }
import-row-reason = Row { $row }: { $reason }
import-stop = Stop
import-to-library = Go to library
import-retry = Retry failed rows
import-from-server = Import from a server
import-continue = Continue import
import-other-file = Choose another file
import-undo = Undo import
import-rows-gone = The rows are no longer available: newer imports needed the space.
import-no-match = No rows match.
import-more-rows = More rows
import-download-rows = Download all rows as CSV
import-with-problems = With problems
import-annotation = Note or highlight
import-untitled = Untitled
import-row = Row { $row }
import-columns = Columns
import-columns-words = This is what Carrel suggests for each column in the file. If you change a field, check the file again before you import it.
import-check-again = Check again
