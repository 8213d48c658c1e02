# Form of a new monitor, and its preview.

monitor-new = New monitor
monitor-new-words = Carrel checks a page regularly and reports when the part you care about changes.
monitor-full = Your plan allows no more monitors.
monitor-full-used = { $used } of { $limit } are in use.
monitor-full-words = Delete one you no longer need, or edit one to watch something else.
monitor-full-list = Go to your monitors
monitor-full-plan = Plan and usage
monitor-examples = Try an example
monitor-example-change = Any change to a page
monitor-example-word = A word appears
monitor-example-list = New items in a list
monitor-preview = Preview
monitor-preview-again = Preview again
monitor-preview-empty = Press Preview to see what this monitor will watch. It uses no credits.
monitor-start = Start watching
monitor-cancel = Cancel
step-1 = 1. What to watch
step-2 = 2. When
step-3 = 3. How you are notified
monitor-address = Page address
monitor-address-hint = The public page, sitemap or JSON document to watch.
monitor-type = Type
target-page = A page
target-page-words = its text, or a part of it; 1 credit per run
target-sitemap = A sitemap
target-sitemap-words = added and removed addresses; 2 credits per run
target-product = A product
target-product-words = its name, price and availability; 3 credits per run
target-calendar = A calendar
target-calendar-words = the events in an iCalendar file; 2 credits per run
target-file = A file
target-file-words = any format, compared by size and hash; 1 credit per run
target-image = A picture
target-image-words = compared by appearance, for example a webcam picture; 2 credits per run
target-headers = Headers
target-headers-words = the status and headers of the response; 1 credit per run
target-extract = Values
target-extract-words = for example prices, by selector; 3 credits per run
monitor-part = Only part of the page
monitor-selector = Selector
monitor-selector-hint = CSS, such as #price or li:contains("Tickets"), XPath, such as //table[2]//tr, JSONPath, such as $.version, or jq, such as jq:.items[] | select(.free) | .name. On a page, JSONPath and jq read the data in its scripts: $['ld+json'][0].offers.price or $.__NEXT_DATA__.props. If you enter several, one per line, each is also reported when it appears or disappears. For the appearance, enter one CSS selector.
monitor-filters = Filters
monitor-filters-hint = One per line, applied in order to the lines of the page: keep or drop with a regular expression, such as drop ^Advert; replace, such as replace \d+ views => views; sort; unique. The preview shows the lines after each filter.
monitor-sitemap = Sitemap filters
monitor-include = Include addresses matching
monitor-include-hint = One pattern per line, such as /blog/*.
monitor-exclude = Exclude addresses matching
monitor-exclude-hint = One pattern per line.
monitor-values = Values
monitor-values-hint = One per line, such as price = .price. A star after the name marks the key that identifies an item. If a value contains several numbers, choose one with first, last, least or greatest in brackets, such as price (least) = .price. For headers, name the ones to read, such as etag = ETag.
monitor-items = Repeated element
monitor-items-hint = CSS selector or XPath of the repeated element, such as .product. Leave empty to treat the page as one item.
monitor-empty = The list may be empty, for example a list of available appointments
monitor-empty-words = Otherwise, an empty list counts only if it is empty in two runs in a row.
monitor-headers = Headers
monitor-headers-hint = One per line, such as etag = ETag. Leave empty to watch all headers except those that change every time.
monitor-interval = Check
monitor-not-in-plan = (not in your plan)
every-minutes =
    { $count ->
        [1] every minute
        [one] every { $count } minutes
       *[other] every { $count } minutes
    }
every-hours =
    { $count ->
        [1] every hour
        [one] every { $count } hours
       *[other] every { $count } hours
    }
every-days =
    { $count ->
        [1] every day
        [one] every { $count } days
       *[other] every { $count } days
    }
every-week = every week
monitor-trigger = Report when
trigger-any = anything changes
trigger-text-appears = this text appears
trigger-text-disappears = this text disappears
trigger-above = a number rises above
trigger-below = a number falls below
trigger-share = at least this percentage changes
trigger-added = something is added
trigger-removed = something is removed
trigger-condition = the conditions below are met
monitor-value = Text or number
monitor-value-hint = Not needed for “anything changes”.
monitor-one-value = Only one of the values
monitor-value-name = Value name
monitor-value-name-hint = A name from Values. For a product: name, price, currency or availability. For an event: title, start, end, location, status or repeats. For a file: size or sha256. For headers: status or a header. Leave empty for any value.
monitor-conditions = Conditions
monitor-conditions-hint = One per line; all must be true. A line with the word or starts an alternative. With values, begin with a name, such as price falls by 10%, price new low in 30 days, price between 5 and 9, or not stock contains sold out. Without values: contains tickets, matches v\d+, count above 3, length below 200, or similarity below 80.
monitor-repeat = Report again while it is true
monitor-repeat-after = Report again after
monitor-repeat-hint = In hours, such as 24. Leave empty to report it once, when it becomes true.
monitor-ignore = Ignore some changes
monitor-ignore-label = Ignore changes containing
monitor-ignore-hint = One text per line. Blocks that contain it are ignored.
schedule-days = Days and times
schedule-only-on = Only on
day-monday = Monday
day-tuesday = Tuesday
day-wednesday = Wednesday
day-thursday = Thursday
day-friday = Friday
day-saturday = Saturday
day-sunday = Sunday
schedule-week = Which of these days each month
schedule-week-all = all
week-first = first
week-second = second
week-third = third
week-fourth = fourth
week-last = last
schedule-times = At these times
schedule-times-hint = Separated by commas, such as 08:30, 17:00. They replace the interval.
schedule-from = Only from
schedule-from-hint = For example, 08:00. The monitor runs at its interval within these hours.
schedule-to = until
schedule-to-hint = For example, 18:00.
schedule-zone = Time zone
schedule-zone-hint = For example, Europe/Berlin. Leave empty for UTC.
schedule-jitter = Random delay in minutes
schedule-jitter-hint = At most 120. Leave empty for less than a minute.
schedule-not-before = Not before
schedule-not-before-hint = A date such as 2026-12-24, or a time such as 2026-12-24T08:00:00Z.
schedule-muted = Muted hours and failures
schedule-mute-from = No messages from
schedule-mute-from-hint = For example, 22:00, in the time zone set under Days and times. The monitor continues to run; messages wait until the muted hours are over.
schedule-mute-to-hint = For example, 07:00.
schedule-failures = Notify me after this many failures in a row
schedule-failures-hint = Leave empty to be notified only when the monitor stops.
monitor-follow = Also show changes in my feeds
monitor-notify = Notify me by
monitor-no-channels = You have no channels yet. <1>Add one</1> to be notified by e-mail, webhook or chat.
monitor-group = Group
monitor-group-none = none
monitor-override = Override the group
monitor-override-hint = Group settings replace the settings in this form, except those you select here.
setting-interval = Interval
setting-channels = Channels
monitor-tags-hint = Optional. Tags separated by commas, such as home, prices. At most { $count }.
monitor-name = Name
monitor-name-hint = The preview suggests the page title; you can change it.
monitor-name-limit = At most { $count } characters.
request = Request and sign-in
request-agent = User agent
request-agent-hint = Leave empty to use Carrel's own.
request-proxy = Proxy
request-proxy-removed = { $name } (no longer offered)
request-headers-hint = One per line, such as Accept-Language: de. Enter secrets below instead.
request-post = Send a request with this body
request-method = Method
request-body = Body
request-body-hint = Sent with each run, so any effect it has is repeated.
request-media = Body media type
request-media-hint = Leave empty for form data.
request-cookies = Store the site's cookies between runs
request-any-status = Treat an error status, such as 404, as content.
request-any-status-words = Otherwise, such a run fails.
request-credentials = Credentials
credentials-keep = Keep the stored credentials
credentials-none = None
credentials-basic = User name and password
credentials-bearer = Bearer token
credentials-header = Another header, such as an API key or a cookie
request-user = User name or header name
request-user-hint = Not needed for a bearer token.
request-secret = Password, token or value
request-secret-hint = Sent only to this site, and never shown.
preview-heading = What will be watched
preview-of-page = Found just now on “{ $title }”: { $amount }. No credits were used.
preview-of-address = Found just now: { $amount }. No credits were used.
preview-lines =
    { $count ->
        [one] 1 line of text
       *[other] { $count } lines of text
    }
preview-addresses =
    { $count ->
        [one] 1 address
       *[other] { $count } addresses
    }
preview-items =
    { $count ->
        [one] 1 item
       *[other] { $count } items
    }
preview-nothing = nothing
preview-number = Number to compare: { $number }
preview-number-of = Number to compare for { $item }: { $number }
preview-met = The condition is already true. The first run reports nothing: you will be notified when the condition stops being true and becomes true again.
preview-met-repeat = The condition is already true. The first run reports nothing. If the condition stays true, you will be notified after the number of hours in “{ $field }”.
preview-not-met = The condition is not met right now.
preview-filter =
    { $count ->
        [one] After filter { $number }: { $count } line
       *[other] After filter { $number }: { $count } lines
    }
preview-only-first = Only the first { $count } are shown.
preview-or-only = Or watch only
preset-address = A better address
preset-product = This product: any change
preset-product-price = This product: the price falls
preset-in-stock = Back in stock
preset-price-falls = The price falls
preset-price-changes = The price changes
preset-stock = In stock, or sold out
preset-list = New items in this list
preset-part = This text changes
unwatched-margin = not watched: it is outside the main text. To include it, set a selector or text to wait for.
unwatched-clock = not watched: it looks like a clock or a date
unwatched-part = the times and counters in it are not watched
unwatched-ignored = ignored by your rule
unwatched-learned = not watched: it changes at every check
target-visual = The appearance
target-visual-words = of a page in a browser, or of one element; 3 credits per run
rendering = Scripts
rendering-open = Open the page in a browser, which runs its scripts.
rendering-open-words = 3 credits per run. Only for pages, products and values, without a request body or a proxy.
rendering-wait = Wait for
rendering-wait-hint = CSS selector of an element that must appear before the page is complete.
rendering-steps = Steps
rendering-steps-hint = One per line, carried out before the page is read: click .more, type #search => boats, press Enter, select #sort => Price, scroll_end, wait 2 (seconds) or wait_text In stock. The handbook lists them all. With a question mark (click? .close), a step is skipped if its element is missing. For a password or another secret, write secret #password; a field for it appears below. Other text is stored as it is.
rendering-cookie-notices = Dismiss cookie notices
rendering-cookie-notices-words = They are rejected if possible, otherwise hidden, and never accepted.
pick-button = Choose on a screenshot
pick-hint = A browser opens the page and shows its parts. This counts as five fresh extractions, like each preview in a browser.
pick-no-browser = This service has no browser, so you cannot choose a part on a screenshot. Preview also suggests parts.
pick-heading = Choose a part of the page
pick-words = Choose the part to watch on the screenshot or in the list. The page is then opened in a browser for each run: 3 credits per run.
pick-cut = Not all parts are offered: the page is too long, has too many parts, or did not load completely.
pick-empty = No part of the page has text that can be watched.
pick-another = Choose another part
pick-alt = Screenshot of the page
pick-parts = Parts of the page
pick-chosen = Selected parts
pick-more = Select more parts, or clear a selected one.
pick-steps-button = Choose steps on a screenshot
pick-purpose = What would you like to choose?
pick-purpose-part = The part to watch
pick-purpose-step = Steps to perform before the page is read
pick-steps-heading = Choose steps on the page
pick-step-words = Select an element on the screenshot or in the list, then choose what to do with it. After each step, a new screenshot is taken. Each one counts as five fresh extractions.
pick-steps = Steps so far
pick-step-remove = Remove step { $number }
pick-step-on = Step on “{ $name }”
pick-step-click = Click
pick-step-type = Fill in
pick-step-wait = Wait until it appears
pick-step-scroll = Scroll to it
pick-step-select = Choose an option
pick-step-check = Tick
pick-step-uncheck = Untick
pick-step-press = Press a key in it
pick-step-hover = Move the pointer over it
pick-step-wait-text = Wait for a text in it
pick-step-wait-gone = Wait until it disappears
pick-step-scroll-end = Scroll to the end of its list
pick-step-remove-element = Remove from the page
pick-step-key = Key to press
pick-step-optional = Skip this step if the element is missing
pick-step-text = Text of the step
pick-step-text-hint = For “Fill in”, “Choose an option” and “Wait for a text”. At most { $count } characters.
pick-step-add = Add step and show the page
pick-kind-button = (button)
pick-kind-field = (field)
pick-step-secret = Fill in a secret
step-secret = Secret for { $selector }
step-secret-new = Secret to fill in
step-secret-hint = Stored encrypted, typed only on this site, and never shown.
step-secret-set = A secret is set. Leave empty to keep it.
monitor-explanation = Language model
monitor-explanation-words = If you have switched on the <1>language model</1>, it gets the differences of each change and explains them in one sentence. Messages wait for the explanation for at most 10 minutes.
monitor-explanation-explain = Explain each change
monitor-explanation-wish = Changes that matter to you
monitor-explanation-wish-hint = For example: only price drops. At most { $count } characters. Leave empty if all changes matter.
monitor-explanation-only = Send no messages about changes that do not matter. They stay in the history and in the feed.
