# Descriptions of the kinds of channels.

guide-mail = As mensagens chegam ao seu e-mail.
guide-webhook = Para desenvolvedores: cada mensagem é enviada como JSON ao seu programa.
guide-ntfy = As mensagens aparecem no seu telefone ou computador, pelo aplicativo livre ntfy.
guide-slack = As mensagens aparecem em um canal do seu workspace do Slack.
guide-discord = As mensagens aparecem em um canal do seu servidor do Discord.
guide-telegram = Seu bot escreve para você ou para um grupo no Telegram.
guide-matrix = Uma conta sua escreve em uma sala de um servidor Matrix.
guide-pushover = As mensagens aparecem no seu telefone, pelo aplicativo Pushover.
guide-gotify = As mensagens aparecem no seu telefone ou computador, pelo seu próprio servidor Gotify.
guide-in-channel = As mensagens aparecem em um canal do { $service }.
guide-in-space = As mensagens aparecem em um espaço do { $service }.
guide-in-group = As mensagens aparecem em um grupo do { $service }.
guide-sms = Mensagens curtas, por um gateway de SMS que aceita JSON.
guide-home-assistant = As mensagens iniciam uma automação do Home Assistant.
guide-mqtt = As mensagens são publicadas em um tópico de um broker MQTT, para automações e dispositivos.
guide-apprise = Seu servidor Apprise repassa as mensagens a mais de cem serviços.
guide-line = Um bot seu escreve para você ou para um grupo no LINE.
guide-pushbullet = As mensagens aparecem nos seus dispositivos, pelo Pushbullet.
guide-bark = As mensagens aparecem no seu iPhone ou iPad, pelo aplicativo livre Bark.
guide-ifttt = As mensagens iniciam um applet do IFTTT.
guide-pager-duty = As mensagens viram alertas de um serviço do PagerDuty.
