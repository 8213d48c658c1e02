# Descriptions of the kinds of channels.

guide-mail = Berichten komen in je mailbox.
guide-webhook = Voor ontwikkelaars: elk bericht gaat als JSON naar je programma.
guide-ntfy = Berichten verschijnen op je telefoon of computer, via de vrije app ntfy.
guide-slack = Berichten verschijnen in een kanaal van je Slack-werkruimte.
guide-discord = Berichten verschijnen in een kanaal van je Discord-server.
guide-telegram = Je bot schrijft jou of een groep in Telegram.
guide-matrix = Een account van jou schrijft in een kamer op een Matrix-server.
guide-pushover = Berichten verschijnen op je telefoon, via de app Pushover.
guide-gotify = Berichten verschijnen op je telefoon of computer, via je eigen Gotify-server.
guide-in-channel = Berichten verschijnen in een kanaal van { $service }.
guide-in-space = Berichten verschijnen in een ruimte van { $service }.
guide-in-group = Berichten verschijnen in een groep van { $service }.
guide-sms = Korte berichten, via een sms-gateway die JSON accepteert.
guide-home-assistant = Berichten starten een automatisering van Home Assistant.
guide-mqtt = Berichten worden gepubliceerd in een topic van een MQTT-broker, voor automatiseringen en apparaten.
guide-apprise = Je Apprise-server stuurt berichten door naar meer dan honderd diensten.
guide-line = Een bot van jou schrijft jou of een groep in LINE.
guide-pushbullet = Berichten verschijnen op je apparaten, via Pushbullet.
guide-bark = Berichten verschijnen op je iPhone of iPad, via de vrije app Bark.
guide-ifttt = Berichten starten een applet van IFTTT.
guide-pager-duty = Berichten worden meldingen van een PagerDuty-dienst.
