# Descriptions of the kinds of channels.

guide-mail = Messages arrive in your mailbox.
guide-webhook = For developers: every message is sent as JSON to your program.
guide-ntfy = Messages pop up on your phone or computer, through the free app ntfy.
guide-slack = Messages appear in a channel of your Slack workspace.
guide-discord = Messages appear in a channel of your Discord server.
guide-telegram = Your bot writes to you, or to a group, in Telegram.
guide-matrix = An account of yours writes to a room on a Matrix server.
guide-pushover = Messages pop up on your phone, through the app Pushover.
guide-gotify = Messages pop up on your phone or computer, through your own Gotify server.
guide-in-channel = Messages appear in a channel of { $service }.
guide-in-space = Messages appear in a space of { $service }.
guide-in-group = Messages appear in a group of { $service }.
guide-sms = Short messages, through an SMS gateway that accepts JSON.
guide-home-assistant = Messages start an automation of Home Assistant.
guide-mqtt = Messages are published to a topic of an MQTT broker, for automations and devices.
guide-apprise = Your Apprise server sends messages on to more than a hundred services.
guide-line = A bot of yours writes to you, or to a group, in LINE.
guide-pushbullet = Messages pop up on your devices, through Pushbullet.
guide-bark = Messages pop up on your iPhone or iPad, through the free app Bark.
guide-ifttt = Messages start an applet of IFTTT.
guide-pager-duty = Messages become alerts of a service of PagerDuty.
