# Descriptions of the kinds of channels.

guide-mail = Nachrichten kommen in deinem Postfach an.
guide-webhook = Für Entwickler: Jede Nachricht wird als JSON an dein Programm gesendet.
guide-ntfy = Nachrichten erscheinen auf deinem Telefon oder Computer, durch die freie App ntfy.
guide-slack = Nachrichten erscheinen in einem Kanal deines Slack-Workspace.
guide-discord = Nachrichten erscheinen in einem Kanal deines Discord-Servers.
guide-telegram = Dein Bot schreibt dir oder einer Gruppe in Telegram.
guide-matrix = Ein Konto von dir schreibt in einen Raum auf einem Matrix-Server.
guide-pushover = Nachrichten erscheinen auf deinem Telefon, durch die App Pushover.
guide-gotify = Nachrichten erscheinen auf deinem Telefon oder Computer, durch deinen eigenen Gotify-Server.
guide-in-channel = Nachrichten erscheinen in einem Kanal von { $service }.
guide-in-space = Nachrichten erscheinen in einem Bereich von { $service }.
guide-in-group = Nachrichten erscheinen in einer Gruppe von { $service }.
guide-sms = Kurznachrichten, durch ein SMS-Gateway, das JSON annimmt.
guide-home-assistant = Nachrichten starten eine Automation von Home Assistant.
guide-mqtt = Nachrichten werden in einem Topic eines MQTT-Brokers veröffentlicht, für Automationen und Geräte.
guide-apprise = Dein Apprise-Server leitet Nachrichten an mehr als hundert Dienste weiter.
guide-line = Ein Bot von dir schreibt dir oder einer Gruppe in LINE.
guide-pushbullet = Nachrichten erscheinen auf deinen Geräten, durch Pushbullet.
guide-bark = Nachrichten erscheinen auf deinem iPhone oder iPad, durch die freie App Bark.
guide-ifttt = Nachrichten starten ein Applet von IFTTT.
guide-pager-duty = Nachrichten werden zu Alarmen eines Dienstes von PagerDuty.
