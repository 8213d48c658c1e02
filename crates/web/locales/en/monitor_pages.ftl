# Groups, lists, and changes of monitors, and the forms that edit, copy, and delete one.

groups-heading = Monitor groups
groups-deleted = Group deleted. Its monitors keep their settings.
groups-words = Monitors in a group share settings, such as the interval, muted hours and channels. A group can have a public page and feed.
groups-public = public
groups-new = New group
groups-create = Create group
groups-count =
    { $count ->
        [one] { $count } monitor
       *[other] { $count } monitors
    }
groups-in-group = { $link } in this group.
group-made = Group created. Choose it in a monitor's form, or for selected monitors in the list.
group-saved = Group saved.
group-title = Group
group-publish = Public page and feed
group-publish-words = Anyone with the link can read the names of the monitors and their changes. If you switch this off, the links will stop working permanently.
group-new-monitor = New monitor in this group
group-shared-words = Shared settings apply to every monitor in the group, unless the monitor overrides them. If you stop sharing a setting, each monitor keeps its value.
group-check = Check
group-own-interval = each monitor's own setting
group-share-days = Share these days and times
group-share-channels = Share these channels
group-page = Public page
group-page-words = Anyone who has this link can read the page. If the page is private, treat the link like a password.
group-page-link = Page link
group-delete-question = Delete the group { $name }?
group-delete-words = Its monitors will stay, with their current settings. Its public page and feed will stop working permanently.
group-delete = Delete group
duplicate-name = { $name } (copy)
duplicate-heading = Duplicate { $name }
duplicate-words = The copy has all the settings of this monitor but watches another address. You can edit it afterwards.
duplicate-create = Create copy
lists-heading = Import and export monitors
lists-words = Choose a changedetection.io backup (ZIP), a urlwatch list (urls.yaml), or an export from this service. Monitors you already have stay unchanged.
lists-download = Download your monitors as JSON
lists-imported = Your monitors were imported
lists-program = This is a list from { $program }.
lists-new = New
lists-existing = Existing
lists-refused = Not imported
lists-not-read = Not read
lists-not-read-words = Some monitors were not read: they are broken, or the list has more than 1,000.
lists-show = Show monitors
lists-line-new = { $monitor }: new
lists-line-existing = { $monitor }: already existed
lists-line-refused = { $monitor }: not imported. { $reason }
lists-without = Without: { $settings }
changes-search = Search changes
changes-no-match-newest = None of the newest changes match.
changes-no-match = No changes match.
changes-older = Older changes
monitor-edit-heading = Edit { $name }
monitor-edit-preview-empty = Press Preview on past changes to see which of them would be reported with these settings.
monitor-edit-baseline = If you change the address or what is watched there, the next run is the new baseline.
monitor-edit-preview = Preview on past changes
monitor-edit-replayed =
    { $count ->
        [one] With these settings, { $left } of the last { $count } change would have been reported.
       *[other] With these settings, { $left } of the last { $count } changes would have been reported.
    }
monitor-edit-reported = reported: { $change }
monitor-edit-not-reported = not reported: { $change }
monitor-edit-unknown = could not be evaluated: { $change }
monitor-edit-past = Past changes
monitor-rotate-question = Replace the feed link of { $name }?
monitor-rotate-words = The current feed link and all links to changes will stop working immediately. Feed readers will need the new link. The monitor and the page it checks stay the same.
monitor-rotate = Replace feed link
monitor-delete-question = Delete { $name }?
monitor-delete-words = Its runs and changes will be deleted, and its feed will stop working (410 Gone). This cannot be undone.
monitor-delete-button = Delete monitor
