# Reading pages and reading settings.

reading-source = Source
reading-minutes =
    { $count ->
        [0] under a minute
        [one] 1 minute
       *[other] { $count } minutes
    }
reading-printed = Source: { $address }, read on { $day } at { $time } UTC.
reading-truncated = Part of the source is missing. It is too long, or could not be converted to text.
reading-paywall = The source shows only a preview to visitors without a subscription.
reading-scripts = The source shows part of its text only in browsers that run scripts.
reading-passages = Passages that match your search. <1>Show the whole text</1>
reading-no-match = Nothing in this text matches “{ $query }”.
reading-next = Next page
reading-formats = Also available as <1>text</1>, <2>Markdown</2> and <3>JSON</3>.
reading-save = Save
reading-listen = Listen
reading-stop = Stop
reading-aa = : reading settings
reading-more = More
reading-outline = Outline
reading-check = Check a quotation
reading-watch = Watch this page
reading-follow = Follow this site
reading-original = Open the original
reading-epub = Download as EPUB
reading-markdown = Download as Markdown
reading-another = Read another page
reading-fetched = Fetched { $age }
reading-fetch-again = Fetch again
reading-find-label = Find in this text
reading-find = Find
video-play = Play video here
video-service = Loads the { $service } player
quotation = Quotation
quotation-check = Check
appearance-save = Save settings
appearance-theme = Colours
appearance-theme-auto = Same as device
appearance-theme-light = Light
appearance-theme-sepia = Sepia
appearance-theme-dark = Dark
appearance-size = Text size
appearance-width = Text width
appearance-face = Font
appearance-face-serif = Serif
appearance-face-sans = Sans serif
appearance-face-legible = Dyslexia-friendly
appearance-face-mono = Monospace
appearance-face-own = A font of this device
appearance-face-name = Name of the font
appearance-face-name-hint = The English name of a font that is installed on this device: letters A–Z, digits, spaces and hyphens. On devices without it, the text is set in a serif font.
appearance-scroll = Mark entries as read
appearance-scroll-open = When I open them
appearance-scroll-pass = Also when I scroll past them (needs scripts)
appearance-pictures = Pictures
appearance-pictures-show = Show
appearance-pictures-hide = Show only their descriptions, with links
appearance-spacing = Line spacing
appearance-density = Lists
appearance-density-cosy = Cosy
appearance-density-compact = Compact
appearance-density-magazine = Magazine
appearance-paged = Scroll by pages
appearance-paged-off = Off
appearance-paged-on = Space, Page Up and Page Down, and taps above and below the middle of a text (needs scripts)
appearance-less = less
appearance-more = more
paragraph-link = Link to paragraph { $number }
paragraph-original = original
picture-unnamed = Picture
quotation-text = The text
quotation-wrong = Enter a quotation of 8 to 1,000 characters and at most 200 words.
quotation-paragraph = Paragraph { $number } of the text
quotation-exact = The text contains this quotation, word for word.
quotation-close = The text contains a similar passage.
quotation-close-share = { $share } of the words are the same.
quotation-differences = Differences
quotation-legend = Struck through: only in the quotation. Underlined: only in the text.
quotation-absent = The text does not contain this quotation.
quotation-absent-words = The closest passage of the text is { $share } similar. The page may have changed, or the quotation may be from another page.
quotation-only-quoted = only in the quotation:
quotation-only-text = only in the text:
quotation-context = Context
reader-limited = You have opened too many pages in a short time.
reader-what-to-do = What to do:
reader-wait =
    { $count ->
        [one] Wait 1 second, then try again.
       *[other] Wait { $count } seconds, then try again.
    }
reader-another = Read another page
reader-about = About { $code }
reader-original = Open the original
reader-try-http = Try http://
reader-no-page = Page not found
reader-no-page-step = Check the address for typing mistakes. To read a page of another site, enter its address below.
reader-gone = The site has no such page
reader-gone-step = Open the original to check the address. The page may have moved or been deleted.
reader-no-address = Enter an address
reader-no-address-step = Paste the address of the page that you want to read.
reader-address = Enter a full address
reader-address-step = A full address begins with https:// or http://, without a user name or a password.
