# Saved searches.

search-renamed = Search renamed.
search-deleted = Search deleted.
searches-none = You have no saved searches. Search in your library or your entries, then choose “Save this search” above the results.
searches-in-library = In the library
searches-in-entries = In entries of feeds
