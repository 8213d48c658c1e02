# List of monitors, and the states of a monitor.

monitors-deleted = Monitor deleted. Its feed no longer works (410 Gone).
monitors-purpose = A monitor checks a page, a sitemap or a few values on a schedule and reports changes, here and in any feed reader.
monitors-api = With the API:
monitors-groups = Groups
monitors-lists = Import and export
monitors-none-in-group = There are no monitors in this group.
monitors-none-tagged = No monitors have this tag.
monitors-pause-selected = Pause selected
monitors-resume-selected = Resume selected
monitors-pause-tagged = Pause all { $count } with this tag
monitors-resume-tagged = Resume all { $count } with this tag
monitors-usage = { $used } of { $most } monitors; { $left } of { $credits } credits left this month.
monitors-unchanged = no change
monitors-change-selected = Change selected
monitors-add-tags = Add tags
monitors-remove-tags = Remove tags
monitors-separated = Separated by commas.
monitors-also-notify = Also notify
monitors-no-longer-notify = No longer notify
monitors-updated =
    { $count ->
        [one] { $count } monitor was updated.
       *[other] { $count } monitors were updated.
    }
monitors-left = { $count } could not be updated: they are over the plan limit, have too many tags or channels, or no longer exist.
monitors-caption = Your monitors, newest first
monitors-select = Select
monitors-select-named = Select { $name }
monitors-last-change = Last change
monitors-next-run = Next run
monitors-none-yet = none yet
monitor-active = active
monitor-failed = failed
monitor-paused = paused
monitor-over-plan = paused: over the plan limit
failure-selector-none = The watched part is not on the page
failure-selector = The selector cannot be evaluated on the page
failure-settings = The monitor's settings are not valid
