# Public links of quotes.

public-quote-published = The quote is public. Share its link.
public-quote-private = The quote is private again. Its old link no longer works.
public-quote = Public link
public-quote-unavailable = This quote cannot have a public link: its text was not fetched from a public address, or does not contain the quote. The page may require sign-in.
public-quote-words = Anyone with the link can read the quote, and the title and address of its page, without an account.
public-quote-note = Include my note
public-quote-create = Create link
public-quote-link = Quote link
public-quote-open = <1>Open the page</1>.
public-quote-paused = The page is not available at the moment: the text was not fetched from a public address, or no longer contains the quote.
public-quote-hide = Make private
public-quote-hide-named = Make “{ $quote }” private
public-quote-all = All public tags and quotes
public-quotes-yours = Your public quotes
public-quotes-words = Anyone with its link can read a quote, and the title and address of its page.
public-quote-not-found = The link is wrong, or its owner has stopped sharing this quote.
public-quote-note-heading = Note
