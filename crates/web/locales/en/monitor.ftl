# Page of a monitor: its settings, runs, values, and warnings.

monitor-changes-none = No changes yet.
monitor-changes-no-run = No changes yet: no run has succeeded.
monitor-timeline = Timeline
monitor-feed = Feed
monitor-run-finished = Run finished: { $outcome }.
monitor-run-active = A run is in progress. This page reloads until it finishes.
monitor-run-late = The run has not started yet. Reload this page later.
monitor-created = Monitor created. Its first run starts within a minute and reports nothing: later runs are compared with it.
monitor-updated = Monitor updated.
monitor-feed-replaced = Feed link replaced. The old link no longer works (410 Gone).
monitor-target = Target
type-page = page
type-sitemap = sitemap
type-extract = values
type-product = product
type-calendar = calendar
type-file = file
type-image = image
type-visual = appearance
type-headers = headers
monitor-cost =
    { $cost ->
        [one] { $type }, { $cost } credit per run, at most { $most } per month
       *[other] { $type }, { $cost } credits per run, at most { $most } per month
    }
monitor-request = Request
monitor-as-agent = as { $agent }
monitor-through-proxy = through the proxy { $name }
monitor-headers-count =
    { $count ->
        [one] { $count } header
       *[other] { $count } headers
    }
monitor-with-credentials = with credentials
monitor-stores-cookies = stores cookies
monitor-accepts-errors = accepts error statuses
monitor-page = Page
monitor-rendered = opened in a browser, which runs its scripts
monitor-waits = waits for { $selector }
monitor-dismisses-cookie-notices = dismisses cookie notices
monitor-reports = Reports
monitor-when = when { $trigger }
monitor-conditions-met = these conditions are met
monitor-quoted = “{ $value }”
monitor-again =
    { $hours ->
        [one] again after { $hours } hour
       *[other] again after { $hours } hours
    }
monitor-now-true = currently true
monitor-now-false = currently false
monitor-true-unreported = The condition was already true in the first run, or when you changed it, so it was not reported. You will be notified when it stops being true and becomes true again.
monitor-checked = Checked
monitor-not-scheduled = not scheduled
monitor-own-settings = with its own { $settings }
monitor-last-run = Last run
monitor-last-failed = The last run failed: { $reason }.
monitor-last-failed-again = The last run failed, like the { $count } before it: { $reason }.
monitor-alternating = The page alternates between two versions. Changes are not reported until it settles.
monitor-unwatched = Not watched
monitor-watch-all = Watch these too
monitor-run = Run now
monitor-pause = Pause
monitor-resume = Resume
monitor-duplicate = Duplicate
monitor-messages = Messages
monitor-test-message = Send a test message
monitor-test-message-to = Send a test message to “{ $name }”
monitor-channel-inactive = not active
monitor-feed-words = Add this link to any feed reader. Anyone who has it can read the feed, so treat it like a password.
monitor-feed-link = Feed link
monitor-feed-formats = Also available as <1>Atom</1> and <2>JSON Feed</2>.
monitor-followed = The changes also appear in your feeds.
monitor-replace-feed = Replace feed link…
run-changed = change found
run-failed = failed
run-unchanged = no change
run-first = first run
run-running = running
runs-none = No run has finished yet.
run-change-of = Change at { $time }
runs-counts =
    { $count ->
        [1] The last run: { $changed } with a change, { $unchanged } without, { $failed } failed.
       *[other] Of the last { $count } runs, { $changed } found a change, { $unchanged } found none, and { $failed } failed.
    }
runs-last = The last run was { $time }.
runs-table = All runs as a table, with the reason for each decision
runs = Runs
run-started = Started
run-outcome = Outcome
run-why = Why
run-added = Added
run-removed = Removed
run-modified = Modified
run-credits = Credits
decision-first = First check: later checks are compared with it.
decision-same-source = The source is the same as before.
decision-same-content = The watched content is the same as before.
decision-ignored = Only ignored content, dates, counters or known noise changed.
decision-not-met = The content changed, but your condition did not become true.
decision-alternating = The page alternates between two versions.
decision-unconfirmed = The response may not be the page you watch. It will be checked again before anything is reported.
decision-not-the-page = The site still returns a different page. This was already reported.
decision-reported = Reported.
decision-feed-only = Reported in the feed only, because no channel was selected for this monitor.
decision-failed = Nothing could be compared.
notice-digest = waiting for the daily digest
notice-several = waiting to be combined with other changes
notice-channel = waiting until the channel is switched on
notice-waiting = waiting to be sent
notice-sent-together = sent with other messages
notice-sent = sent
notice-failed = could not be delivered
values-first = The first { $shown } of { $count } are shown. All values are in the CSV file.
values-csv = Download as CSV
values-words = { $name }: { $last } now, between { $least } and { $most } in { $count } readings.
values-table = Values as a table
values-of = Values for { $name }
values-newest = { $name }, the newest { $shown } of { $count } values
values-since = Since
values-value = Value
schedule-at = at { $times }
schedule-each = seven days
schedule-in-month = the { $week } { $days } of the month
schedule-on = { $schedule } on { $days }
schedule-between = { $schedule } between { $from } and { $to }
schedule-no-messages = { $schedule }; no messages from { $from } to { $to }
warning-selector-none = The selector matches nothing on this page. Check it, or leave it empty to watch the main text.
warning-truncated = The source is too large. The rest is not watched.
warning-parts = Only part of the sitemap is watched: the first 50 sitemaps it lists, but not the sitemaps listed in those.
warning-scripts = The page is almost empty without scripts. Select “Open the page in a browser” to run them.
warning-rendering-cut = The page was still loading when its time was up. Part of it may be missing.
warning-cookie-notice-rejected = The { $platform } cookie notice was rejected.
warning-cookie-notice-hidden = The { $platform } cookie notice was hidden, because it has no button to reject it.
warning-step-skipped = Step { $number } was skipped, because its element is missing.
warning-step-failed = Step { $number } failed. Preview the monitor to see why.
warning-list-cut = The list was still growing when step { $number } ended. The end of the list is missing.
warning-repeated-keys = Some items have the same key and are distinguished by their order.
warning-field-missing = Some items lack one of the fields.
warning-ignore-none = One of the selectors to ignore matches nothing.
warning-patterns-none = The patterns or filters exclude everything.
warning-suspect = The page looks like a robot check, a sign-in form, a maintenance notice or an error.
warning-incomplete = Part of the source is missing. Runs with missing parts are not compared with others.
warning-several-numbers = A value contains several numbers. The first amount of money is used.
warning-ambiguous = The number can be read in two ways: 1.299, for example, is 1299 or a number with three decimals. Carrel decides by the limit and the last known value. Check the number below.
warning-no-number = There is no number to compare with the limit.
warning-denied = The text appears only after a word such as “not”. It counts when it appears without that word.
warning-no-key = Items can only be recognised by their content. To use a value as the key, mark it with a star.
warning-credits = At this rate, your monitors use more credits per month than your plan includes. When the credits are used up, the monitors wait until next month.
warning-other = Not everything could be checked.
own-interval = interval
own-schedule = days and times
own-channels = channels
decision-irrelevant = Recorded without a message, because the language model judged that it does not matter to you.
monitor-explanation-on = explains each change
monitor-explanation-filter = no messages about changes that do not matter
