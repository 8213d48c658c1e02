# Pages behind links in messages: confirming an address, unsubscribing, and snoozing a monitor.

notice-confirm = Confirm your address
notice-confirm-words = Send messages from Carrel to { $address }? A user of this service requested this.
notice-confirm-button = Confirm
notice-confirm-not-you = If this was not you, close this page. Nothing will be sent to you.
notice-confirmed = Address confirmed
notice-confirmed-words = Messages will now be sent to { $address }. Each message has a link to unsubscribe.
notice-stop = Unsubscribe
notice-stop-question = Unsubscribe?
notice-stop-monitor = Messages about the monitor { $monitor } go to { $address }.
notice-stop-feed = New entries of the feed { $feed } go to { $address }.
notice-stop-monitors = Messages about all monitors, feeds, and saved items go to { $address }.
notice-stop-daily = The daily e-mail and messages about all monitors, feeds, and saved items go to { $address }.
notice-stop-saved = Messages about saved items go to { $address }.
notice-stop-account = Account messages (credits, sign-ins, keys and apps) go to { $address }.
notice-stop-everything = Messages about monitors and the account go to { $address }.
notice-stopped-title = Unsubscribed
notice-stopped = You are unsubscribed
notice-stopped-monitor = Messages about the monitor { $monitor } are no longer sent to { $address }.
notice-stopped-feed = New entries of the feed { $feed } are no longer sent to { $address }.
notice-stopped-monitors = Messages about monitors, feeds, and saved items are no longer sent to { $address }.
notice-stopped-daily = The daily e-mail and messages about monitors, feeds, and saved items are no longer sent to { $address }.
notice-stopped-saved = Messages about saved items are no longer sent to { $address }.
notice-stopped-account = Account messages are no longer sent to { $address }.
notice-stopped-everything = Messages are no longer sent to { $address }. To receive them again, reconfirm the address.
notice-snooze = Snooze
notice-snooze-question = Snooze { $monitor }?
notice-snooze-channel = Messages about this monitor go to the channel { $channel }.
notice-snooze-words = Changes found in the meantime arrive in one message afterwards. The feed and the monitor's page still show all of them.
notice-muted = Muted
notice-muted-words = Messages about { $monitor } are no longer sent to { $channel }. To get them again, select the channel on the monitor's page.
notice-snoozed = Snoozed
notice-snoozed-until = No messages until { $time }.
notice-resumed = Messages will be sent again
notice-resumed-words = Messages about { $monitor } will be sent to { $channel }.
notice-for-days =
    { $count ->
        [one] For a day
       *[other] For { $count } days
    }
notice-resume = Send messages again
notice-mute = Mute this monitor in this channel
notice-invalid-title = Link not valid
notice-invalid = This link is no longer valid
notice-invalid-words = A newer link was sent, or what it refers to no longer exists.
