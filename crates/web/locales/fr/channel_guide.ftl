# Descriptions of the kinds of channels.

guide-mail = Les messages arrivent dans votre boîte mail.
guide-webhook = Pour les développeurs : chaque message est envoyé en JSON à votre programme.
guide-ntfy = Les messages apparaissent sur votre téléphone ou ordinateur, par l’application libre ntfy.
guide-slack = Les messages apparaissent dans un canal de votre espace Slack.
guide-discord = Les messages apparaissent dans un salon de votre serveur Discord.
guide-telegram = Votre bot vous écrit, ou écrit à un groupe, dans Telegram.
guide-matrix = Un de vos comptes écrit dans un salon d’un serveur Matrix.
guide-pushover = Les messages apparaissent sur votre téléphone, par l’application Pushover.
guide-gotify = Les messages apparaissent sur votre téléphone ou ordinateur, par votre propre serveur Gotify.
guide-in-channel = Les messages apparaissent dans un canal de { $service }.
guide-in-space = Les messages apparaissent dans un espace de { $service }.
guide-in-group = Les messages apparaissent dans un groupe de { $service }.
guide-sms = Des messages courts, par une passerelle SMS qui accepte JSON.
guide-home-assistant = Les messages lancent une automatisation de Home Assistant.
guide-mqtt = Les messages sont publiés dans un sujet d’un courtier MQTT, pour automatisations et appareils.
guide-apprise = Votre serveur Apprise transmet les messages à plus d’une centaine de services.
guide-line = Un de vos bots vous écrit, ou écrit à un groupe, dans LINE.
guide-pushbullet = Les messages apparaissent sur vos appareils, par Pushbullet.
guide-bark = Les messages apparaissent sur votre iPhone ou iPad, par l’application libre Bark.
guide-ifttt = Les messages lancent une applet IFTTT.
guide-pager-duty = Les messages deviennent des alertes d’un service PagerDuty.
