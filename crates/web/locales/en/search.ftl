# Search in the library and in feeds, and search by meaning.

search-help = Search items, notes, highlights and entries with words, { $phrase }, { $without }, { $either }, { $tag }, { $domain } and { $after }. Enter an address to open the page.
search-help-properties = { $examples } filter by property. A relative date such as { $age } stays current in saved searches.
search-whole-phrases = "whole phrases"
search-without = -without
search-either = this OR that
search-all-library = All results in the library
search-similar = No exact matches. These results contain similar words.
search-all-feeds = All results in your feeds
search-again = Search again
search-none = no results
search-more-than = more than { $amount }
search-note = Note
search-highlight = Highlight
meaning-requested = The search is running. The results will appear on this page.
meaning-words = Describe what you remember. The text does not need to contain the same words.
meaning-query = What you remember
meaning-off = The language model is off. <1>Settings</1>
meaning-searching = Searching for { $query }.
meaning-failed = The search failed: { $reason }.
meaning-results = Results for { $query }
meaning-none = No items match.
meaning-compared = Compared items: { $number } of { $total }.
meaning-unindexed = Not compared yet: { $number }.
meaning-request-failed = A request failed: { $reason }.
meaning-choices = What to search
meaning-choice-entries = Unread and starred entries
meaning-choice-all = Both
meaning-searched = Searched { $time }.
meaning-further = Search again to compare more.
meaning-no-entries = No entries match.
meaning-entries-compared =
    { $number ->
        [one] The text of 1 unread or starred entry was compared.
       *[other] The texts of { $number } unread and starred entries were compared.
    }
meaning-entries-cut = Only the newest { $unread } unread and the newest { $starred } starred entries were compared. Older entries are only searched for the exact words.
meaning-indexing = The others are added in the background, except items with excluded tags. Until then, they are only searched for the exact words.
meaning-items-cut = Your plan allows { $passages } passages. Older items are only searched for the exact words.
meaning-items-partial = Compared only in part: { $number }.
