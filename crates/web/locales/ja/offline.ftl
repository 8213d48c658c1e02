# Offline reading: its settings, the list of stored texts, and stored pages.

offline-heading = オフラインで読む
offline-words = このブラウザーに、あとで読むアイテム、読みかけのアイテム、未読の記事の本文を保存できます。接続がなくてもここで読めます。
offline-own-browser = 自分のブラウザーでだけ選んでください。接続なしで既読、スター、アーカイブ、ハイライトにした内容はあとで送られます。ログアウトすると本文と未送信の内容は削除され、オフになります。スクリプトが必要です。
offline-save-amount = 量を保存
offline-switch-on = このブラウザーに保存
offline-stored = 保存した本文
offline-switch-off = 削除してオフにする
offline-amount = 量
offline-size = { $texts } 件まで、画像を含め最大 { $size } MB
offline-all-pictures = 表示済みのものだけでなく、すべての画像
offline-storing = 本文を保存しています。
offline-list-words = これらの本文は接続なしで読めます。接続なしで既読、スター、アーカイブ、ハイライトにした内容は、接続したときに送られます。ほかの変更には接続が必要です。
offline-queue = まだ送っていない変更
offline-nothing = 保存するものはまだありません。あとで読むアイテム、読みかけのアイテム、未読の記事がありません。
offline-settings = オフラインの設定
offline-off = オフラインで読む機能はオフです
offline-off-words = このブラウザーは本文を保存していません。接続なしで読むには<1>オンにしてください</1>。
offline-refused = オフラインです
offline-refused-words = 何も変更していません。戻って、接続があるときにもう一度操作してください。
offline-text-words = オフラインです。これは保存した本文です。既読、スター、ハイライトは接続したときに送られます。
