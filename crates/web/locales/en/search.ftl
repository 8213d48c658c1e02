# Search in the library and in feeds, and search by meaning.

search-help = Words, { $phrase }, { $without }, { $tag } and { $domain } find items, notes, highlights and entries. Enter an address to open the page.
search-whole-phrases = "whole phrases"
search-without = -without
search-all-library = All results in the library
search-similar = No exact matches. These results contain similar words.
search-all-feeds = All results in your feeds
search-again = Search again
search-none = no results
search-more-than = more than { $amount }
search-note = Note
search-highlight = Highlight
meaning-requested = The search is running. This page shows the results when they are ready.
meaning-words = Describe what you remember of a text. It does not need to contain these words.
meaning-form = Search the library by meaning
meaning-query = Description of the text
meaning-off = The language model is off. <1>Settings</1>
meaning-searching = Searching for { $query }. The first search takes longer, because texts are compared for the first time.
meaning-failed = There are no results: { $reason }.
meaning-results = Results for { $query }
meaning-none = No items match.
meaning-compared = The texts of { $number } items were compared { $time }.
meaning-unindexed = Not compared yet: { $number }. Search again to continue.
meaning-request-failed = A request failed: { $reason }.
