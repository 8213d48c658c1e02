# Descriptions of the kinds of channels.

guide-mail = I messaggi arrivano nella tua posta.
guide-webhook = Per sviluppatori: ogni messaggio è inviato come JSON al tuo programma.
guide-ntfy = I messaggi compaiono sul telefono o sul computer, con l’app libera ntfy.
guide-slack = I messaggi compaiono in un canale del tuo workspace Slack.
guide-discord = I messaggi compaiono in un canale del tuo server Discord.
guide-telegram = Il tuo bot scrive a te, o a un gruppo, in Telegram.
guide-matrix = Un tuo account scrive in una stanza di un server Matrix.
guide-pushover = I messaggi compaiono sul telefono, con l’app Pushover.
guide-gotify = I messaggi compaiono sul telefono o sul computer, con il tuo server Gotify.
guide-in-channel = I messaggi compaiono in un canale di { $service }.
guide-in-space = I messaggi compaiono in uno spazio di { $service }.
guide-in-group = I messaggi compaiono in un gruppo di { $service }.
guide-sms = Messaggi brevi, con un gateway SMS che accetta JSON.
guide-home-assistant = I messaggi avviano un’automazione di Home Assistant.
guide-mqtt = I messaggi vengono pubblicati in un topic di un broker MQTT, per automazioni e dispositivi.
guide-apprise = Il tuo server Apprise inoltra i messaggi a più di cento servizi.
guide-line = Un tuo bot scrive a te, o a un gruppo, in LINE.
guide-pushbullet = I messaggi compaiono sui tuoi dispositivi, con Pushbullet.
guide-bark = I messaggi compaiono su iPhone o iPad, con l’app libera Bark.
guide-ifttt = I messaggi avviano un’applet di IFTTT.
guide-pager-duty = I messaggi diventano avvisi di un servizio PagerDuty.
