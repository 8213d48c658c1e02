# Messages to the channels of an account.

credits-most-title = 80% of this month's monitor credits are used
credits-most-text = { $used } of { $limit } credits are used. When none are left, monitors wait until next month.
credits-none-title = This month's monitor credits are used up
credits-none-text = Monitors without enough credits will run again in the first hour of next month.
sign-in-title = New sign-in to your account
sign-in-text = A new browser signed in from { $network } on { $time }. If that was you, there is nothing to do. If it was not, set a new password.
factor-added-title = A second factor was added to your account
passkey-added-title = A passkey was added to your account
single-sign-on-added-title = Single sign-on was connected to your account
single-sign-on-removed-title = Single sign-on was disconnected from your account
factor-removed-title = The second factor was removed from your account
sign-in-changed-text = This happened on { $time }. If that was you, there is nothing to do. If it was not, set a new password.
key-title = An API key was created
key-text = Its name is “{ $name }”. If you did not create it, revoke it and set a new password.
app-title = An app was connected to your account
app-text = It calls itself “{ $app }”; this name is not verified. If you did not allow it, remove its access and set a new password.
off-title = The channel “{ $name }” was switched off
off-gone = It replied that it no longer accepts messages (410 Gone).
off-refused = The mail server says that this address does not exist.
off-failing = No message could be delivered for three days.
off-text = { $why } Messages are stored for seven days, and will be sent when the channel is switched on again.
plan-title =
    { $count ->
        [one] { $count } channel was switched off
       *[other] { $count } channels were switched off
    }
plan-text = Your plan allows { $limit } active channels. The newest were switched off: { $names }. Their messages are stored for seven days.
quoted = “{ $name }”
test-title = Channel test
test-text = This is how messages from Carrel arrive.
digest-title = Your digest for { $date }
today-unread = Unread
today-changes = Changes
today-started = Continue reading
today-saved = Recently saved
today-waiting = Saved a while ago
today-this-day = On this day
today-attention = Needs your attention
today-highlights = Highlights to review
today-review =
    { $count ->
        [one] { $count } highlight is due today.
       *[other] { $count } highlights are due today.
    }
stop-link = Unsubscribe
several-title = Several changes
entries-title =
    { $count ->
        [one] 1 new entry
       *[other] { $count } new entries
    }
item-saved-title = Saved: { $title }
items-saved-title =
    { $count ->
        [one] 1 item was saved
       *[other] { $count } items were saved
    }
missed-title = Messages this channel missed
collected-count =
    { $count ->
        [one] One message:
       *[other] { $count } messages:
    }
more = And { $count } more.
more-short = and { $count } more
snooze = Snooze or mute this monitor: { $link }
snooze-short = Snooze or mute: { $link }
template-failed = (This channel's template failed. { $error }.)
stop = To stop these messages: { $link }
confirm-subject = Confirm this address for messages from Carrel
confirm-body =
    Someone with an account at { $origin } wants to receive its messages at this address.

    If that is you, open this link and press the button:

    { $link }

    If it is not, do nothing, and nothing will be sent to you.
