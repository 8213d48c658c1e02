# Descriptions of the kinds of channels.

guide-mail = Los mensajes llegan a tu correo.
guide-webhook = Para desarrolladores: cada mensaje se envía como JSON a tu programa.
guide-ntfy = Los mensajes aparecen en tu teléfono u ordenador, con la aplicación libre ntfy.
guide-slack = Los mensajes aparecen en un canal de tu espacio de Slack.
guide-discord = Los mensajes aparecen en un canal de tu servidor de Discord.
guide-telegram = Tu bot te escribe a ti o a un grupo en Telegram.
guide-matrix = Una cuenta tuya escribe en una sala de un servidor Matrix.
guide-pushover = Los mensajes aparecen en tu teléfono, con la aplicación Pushover.
guide-gotify = Los mensajes aparecen en tu teléfono u ordenador, con tu propio servidor Gotify.
guide-in-channel = Los mensajes aparecen en un canal de { $service }.
guide-in-space = Los mensajes aparecen en un espacio de { $service }.
guide-in-group = Los mensajes aparecen en un grupo de { $service }.
guide-sms = Mensajes cortos, con una pasarela SMS que acepta JSON.
guide-home-assistant = Los mensajes inician una automatización de Home Assistant.
guide-mqtt = Los mensajes se publican en un tema de un bróker MQTT, para automatizaciones y dispositivos.
guide-apprise = Tu servidor Apprise reenvía los mensajes a más de cien servicios.
guide-line = Un bot tuyo te escribe a ti o a un grupo en LINE.
guide-pushbullet = Los mensajes aparecen en tus dispositivos, con Pushbullet.
guide-bark = Los mensajes aparecen en tu iPhone o iPad, con la aplicación libre Bark.
guide-ifttt = Los mensajes inician un applet de IFTTT.
guide-pager-duty = Los mensajes se convierten en alertas de un servicio de PagerDuty.
