# Descriptions of the kinds of channels.

guide-mail = Повідомлення надходять на вашу пошту.
guide-webhook = Для розробників: кожне повідомлення надсилається як JSON вашій програмі.
guide-ntfy = Повідомлення з’являються на телефоні чи комп’ютері через вільний застосунок ntfy.
guide-slack = Повідомлення з’являються в каналі вашого простору Slack.
guide-discord = Повідомлення з’являються в каналі вашого сервера Discord.
guide-telegram = Ваш бот пише вам або групі в Telegram.
guide-matrix = Ваш обліковий запис пише в кімнату на сервері Matrix.
guide-pushover = Повідомлення з’являються на телефоні через застосунок Pushover.
guide-gotify = Повідомлення з’являються на телефоні чи комп’ютері через ваш сервер Gotify.
guide-in-channel = Повідомлення з’являються в каналі { $service }.
guide-in-space = Повідомлення з’являються в просторі { $service }.
guide-in-group = Повідомлення з’являються в групі { $service }.
guide-sms = Короткі повідомлення через SMS-шлюз, що приймає JSON.
guide-home-assistant = Повідомлення запускають автоматизацію Home Assistant.
guide-mqtt = Повідомлення публікуються в темі брокера MQTT, для автоматизацій і пристроїв.
guide-apprise = Ваш сервер Apprise передає повідомлення понад сотні служб.
guide-line = Ваш бот пише вам або групі в LINE.
guide-pushbullet = Повідомлення з’являються на ваших пристроях через Pushbullet.
guide-bark = Повідомлення з’являються на iPhone чи iPad через вільний застосунок Bark.
guide-ifttt = Повідомлення запускають аплет IFTTT.
guide-pager-duty = Повідомлення стають сповіщеннями служби PagerDuty.
