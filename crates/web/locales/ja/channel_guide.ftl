# Descriptions of the kinds of channels.

guide-mail = メールでメッセージを受け取ります。
guide-webhook = 開発者向け: すべてのメッセージを JSON でプログラムに送ります。
guide-ntfy = 無料アプリ ntfy で、スマートフォンやパソコンに通知します。
guide-slack = Slack ワークスペースのチャンネルに投稿します。
guide-discord = Discord サーバーのチャンネルに投稿します。
guide-telegram = あなたのボットが Telegram で、あなたやグループに書き込みます。
guide-matrix = あなたのアカウントが Matrix サーバーのルームに書き込みます。
guide-pushover = アプリ Pushover でスマートフォンに通知します。
guide-gotify = 自分の Gotify サーバーから、スマートフォンやパソコンに通知します。
guide-in-channel = { $service } のチャンネルに投稿します。
guide-in-space = { $service } のスペースに投稿します。
guide-in-group = { $service } のグループに投稿します。
guide-sms = JSON を受け付ける SMS ゲートウェイで短いメッセージを送ります。
guide-home-assistant = Home Assistant のオートメーションを起動します。
guide-mqtt = オートメーションや機器のために、MQTT ブローカーのトピックに公開します。
guide-apprise = Apprise サーバーが 100 以上のサービスに転送します。
guide-line = あなたのボットが LINE で、あなたやグループに書き込みます。
guide-pushbullet = Pushbullet で端末に通知します。
guide-bark = 無料アプリ Bark で iPhone や iPad に通知します。
guide-ifttt = IFTTT のアプレットを起動します。
guide-pager-duty = PagerDuty のサービスのアラートになります。
