# Descriptions of the kinds of channels.

guide-mail = تصل الرسائل إلى بريدك.
guide-webhook = للمطورين: تُرسل كل رسالة بصيغة JSON إلى برنامجك.
guide-ntfy = تظهر الرسائل على هاتفك أو حاسوبك عبر التطبيق الحر ntfy.
guide-slack = تظهر الرسائل في قناة من مساحة عملك في Slack.
guide-discord = تظهر الرسائل في قناة من خادمك في Discord.
guide-telegram = يكتب لك البوت، أو لمجموعة، في Telegram.
guide-matrix = يكتب حساب لك في غرفة على خادم Matrix.
guide-pushover = تظهر الرسائل على هاتفك عبر تطبيق Pushover.
guide-gotify = تظهر الرسائل على هاتفك أو حاسوبك عبر خادم Gotify الخاص بك.
guide-in-channel = تظهر الرسائل في قناة من { $service }.
guide-in-space = تظهر الرسائل في مساحة من { $service }.
guide-in-group = تظهر الرسائل في مجموعة من { $service }.
guide-sms = رسائل قصيرة عبر بوابة SMS تقبل JSON.
guide-home-assistant = تشغّل الرسائل أتمتة في Home Assistant.
guide-mqtt = تُنشر الرسائل في موضوع على وسيط MQTT، للأتمتة والأجهزة.
guide-apprise = يعيد خادم Apprise إرسال الرسائل إلى أكثر من مئة خدمة.
guide-line = يكتب لك بوت، أو لمجموعة، في LINE.
guide-pushbullet = تظهر الرسائل على أجهزتك عبر Pushbullet.
guide-bark = تظهر الرسائل على iPhone أو iPad عبر التطبيق الحر Bark.
guide-ifttt = تشغّل الرسائل تطبيقًا صغيرًا في IFTTT.
guide-pager-duty = تصبح الرسائل تنبيهات لخدمة في PagerDuty.
