# Descriptions of the kinds of channels.

guide-mail = Messages arrive in your mailbox.
guide-webhook = For developers: every message is sent as JSON to your program.
guide-ntfy = Messages pop up on your phone or computer through the free ntfy app.
guide-slack = Messages appear in a channel of your Slack workspace.
guide-discord = Messages appear in a channel of your Discord server.
guide-telegram = Your bot sends messages to you or a group in Telegram.
guide-matrix = One of your Matrix accounts posts messages in a room.
guide-pushover = Messages pop up on your phone through the Pushover app.
guide-gotify = Messages pop up on your phone or computer through your own Gotify server.
guide-in-channel = Messages appear in a { $service } channel.
guide-in-space = Messages appear in a { $service } space.
guide-in-group = Messages appear in a { $service } group.
guide-sms = Messages arrive as text messages through an SMS gateway that accepts JSON.
guide-home-assistant = Messages trigger a Home Assistant automation.
guide-mqtt = Messages are published to an MQTT topic, for automations and devices.
guide-apprise = Your Apprise server forwards messages to any of more than a hundred services.
guide-line = Your bot sends messages to you or a group in LINE.
guide-pushbullet = Messages pop up on your devices through Pushbullet.
guide-bark = Messages pop up on your iPhone or iPad through the free Bark app.
guide-ifttt = Messages trigger an IFTTT applet.
guide-pager-duty = Messages become alerts in a PagerDuty service.
