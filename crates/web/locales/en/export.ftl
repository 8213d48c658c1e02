# Export of the library.

export-everything = Everything
export-everything-words = Full text, files, tags, notes and highlights, and your feeds, stars, rules, monitors and their changes. You can import it again.
export-bookmarks = Bookmarks
export-bookmarks-words = Addresses, titles and tags, for any browser.
export-table = Table
export-table-words = One row per item, for spreadsheets.
export-cards = Cards
export-cards-words = Hidden words and questions from your highlights, as a text file for Anki.
export-create = Create export
export-feeds = Export your feeds <1>as OPML</1>.
export-creating = Creating the export
export-reloads = This page reloads until the export is ready. You can leave it and come back.
export-written = Items exported
export-progress = { $done } of { $total }
export-failed = Export failed
export-failed-words = The export could not be created. <1>Try again</1>.
export-yours = Your export
export-expires = The files will be deleted { $time }.
export-delete = Delete export
export-part = Download part { $number }
export-kilobytes = { $amount } KB
