# Import and export of lists of feeds.

opml-title = Import and export
opml-heading = Import and export feeds
opml-words = Choose an OPML file. Every feed reader can export one. Folders become collections. Feeds that you already follow stay unchanged.
opml-download = Download your feeds as OPML
opml-running = <1>An import is in progress</1>.
opml-last = Result of the last import
feed-import-running = Importing your feeds
feed-import-finished = Your feeds were imported
feed-import-reloads = This page reloads until the import ends. You can leave it and come back.
feed-import-checked = Feeds checked
feed-import-empty = The file contains no feeds.
feed-import-to-feeds = Go to your feeds
feed-import-stopped-words = Feeds that were already imported stay.
feed-import-unknown = The file is not an OPML list of feeds, or it is damaged. Export it again from your reader. To import bookmarks and saved pages, go to Library › Import.
feed-import-too-large = The file takes too much time or memory to read. Nothing was imported.
feed-import-again = Import the file again. Feeds that were already imported are not added twice.
feed-import-in-file = Feeds in the file
feed-import-known = Already followed
feed-import-refused = Not imported
feed-import-collections = Collections created
feed-import-no-collection = Added without a collection, because your plan allows no more
feed-import-problems = What was imported differently or not at all, and why
feed-import-problem = Feed { $row }: { $reason }
feed-import-more = And { $amount } more.
