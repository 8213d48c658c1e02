# Descriptions of the kinds of channels.

guide-mail = Wiadomości trafiają do twojej poczty.
guide-webhook = Dla programistów: każda wiadomość jest wysyłana jako JSON do twojego programu.
guide-ntfy = Wiadomości pojawiają się na telefonie lub komputerze, dzięki wolnej aplikacji ntfy.
guide-slack = Wiadomości pojawiają się na kanale twojego obszaru Slack.
guide-discord = Wiadomości pojawiają się na kanale twojego serwera Discord.
guide-telegram = Twój bot pisze do ciebie lub do grupy w Telegramie.
guide-matrix = Twoje konto pisze w pokoju na serwerze Matrix.
guide-pushover = Wiadomości pojawiają się na telefonie, dzięki aplikacji Pushover.
guide-gotify = Wiadomości pojawiają się na telefonie lub komputerze, przez twój serwer Gotify.
guide-in-channel = Wiadomości pojawiają się na kanale { $service }.
guide-in-space = Wiadomości pojawiają się w pokoju { $service }.
guide-in-group = Wiadomości pojawiają się w grupie { $service }.
guide-sms = Krótkie wiadomości, przez bramkę SMS przyjmującą JSON.
guide-home-assistant = Wiadomości uruchamiają automatyzację Home Assistant.
guide-mqtt = Wiadomości są publikowane w temacie brokera MQTT, dla automatyzacji i urządzeń.
guide-apprise = Twój serwer Apprise przekazuje wiadomości do ponad stu usług.
guide-line = Twój bot pisze do ciebie lub do grupy w LINE.
guide-pushbullet = Wiadomości pojawiają się na twoich urządzeniach, przez Pushbullet.
guide-bark = Wiadomości pojawiają się na iPhonie lub iPadzie, dzięki wolnej aplikacji Bark.
guide-ifttt = Wiadomości uruchamiają aplet IFTTT.
guide-pager-duty = Wiadomości stają się alarmami usługi PagerDuty.
