# Descriptions of the kinds of channels.

guide-mail = 消息送达您的邮箱。
guide-webhook = 供开发者使用：每条消息以 JSON 发送到您的程序。
guide-ntfy = 通过免费应用 ntfy 在手机或电脑上弹出消息。
guide-slack = 消息显示在您的 Slack 工作区频道中。
guide-discord = 消息显示在您的 Discord 服务器频道中。
guide-telegram = 您的机器人在 Telegram 中给您或群组发消息。
guide-matrix = 您的一个账户在 Matrix 服务器的房间中发消息。
guide-pushover = 通过应用 Pushover 在手机上弹出消息。
guide-gotify = 通过您自己的 Gotify 服务器在手机或电脑上弹出消息。
guide-in-channel = 消息显示在 { $service } 的频道中。
guide-in-space = 消息显示在 { $service } 的聊天室中。
guide-in-group = 消息显示在 { $service } 的群组中。
guide-sms = 通过接受 JSON 的短信网关发送短消息。
guide-home-assistant = 消息会触发 Home Assistant 的自动化。
guide-mqtt = 消息发布到 MQTT 代理的主题，供自动化和设备使用。
guide-apprise = 您的 Apprise 服务器会将消息转发到一百多种服务。
guide-line = 您的机器人在 LINE 中给您或群组发消息。
guide-pushbullet = 通过 Pushbullet 在您的设备上弹出消息。
guide-bark = 通过免费应用 Bark 在 iPhone 或 iPad 上弹出消息。
guide-ifttt = 消息会触发 IFTTT 的小程序。
guide-pager-duty = 消息成为 PagerDuty 服务的警报。
