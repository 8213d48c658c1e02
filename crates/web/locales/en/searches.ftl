# Saved searches.

search-renamed = Search renamed.
search-deleted = Search deleted.
searches-query = Search query
searches-none = You have no saved searches. Search in your library or your entries, then choose “Save this search” above the results.
searches-in-library = In the library
searches-in-entries = In feed entries
search-feed-created = The feed has a new address. Any earlier address no longer works.
search-feed-deleted = Feed deleted. Its address no longer works.
searches-feed-words = A search can have a private feed of its 50 newest results for any feed reader. Anyone who knows its address can read it.
searches-feed-address = Feed address of “{ $name }”
searches-feed-create = Create feed
searches-feed-create-named = Create a feed for “{ $name }”
searches-feed-new = New feed address
searches-feed-new-named = New feed address for “{ $name }”
searches-feed-delete = Delete feed
searches-feed-delete-named = Delete the feed for “{ $name }”
