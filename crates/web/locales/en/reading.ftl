# Reading pages and reading settings.

reading-source = Source
reading-minutes =
    { $count ->
        [0] under a minute
        [one] 1 minute
       *[other] { $count } minutes
    }
reading-printed = Source: { $address }, read on { $day } at { $time } UTC.
reading-truncated = Part of the source is missing. It is too long or cannot be converted to text.
reading-paywall = The source shows only a preview to visitors without a subscription.
reading-scripts = The source shows part of its text only in browsers that run scripts.
reading-passages = Passages that match your search. <1>Show the whole text</1>
reading-no-match = Nothing in this text matches “{ $query }”.
reading-next = Next page
reading-formats = As <1>text</1>, <2>Markdown</2> or <3>JSON</3>.
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
quotation = Quotation
quotation-check = Check
look-save = Save settings
look-theme = Colours
look-theme-auto = Same as device
look-theme-light = Light
look-theme-sepia = Sepia
look-theme-dark = Dark
look-size = Text size
look-size-m = Medium
look-size-s = Small
look-size-l = Large
look-size-xl = Very large
look-width = Text width
look-width-medium = Medium
look-width-narrow = Narrow
look-width-wide = Wide
look-face = Font
look-face-serif = Serif
look-face-sans = Sans serif
look-scroll = Mark entries as read
look-scroll-open = When I open them
look-scroll-pass = Also when I scroll past them (needs scripts)
look-pictures = Pictures
look-pictures-show = Show
look-pictures-hide = Show only their descriptions, with links
look-spacing = Line spacing
look-spacing-normal = Normal
look-spacing-tight = Tight
look-spacing-loose = Loose
look-density = Lists
look-density-cosy = Cosy
look-density-compact = Compact
look-density-magazine = Magazine
