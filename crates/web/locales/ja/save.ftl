# Form that saves a page.

save-heading = ページを保存
save-words = 本文を取得してライブラリに保存します。あとで読んだり、ハイライトしたり、検索したりできます。
save-no-address = 共有された内容にアドレスがありません。ページのアドレスを入力してください。
save-title = タイトル
save-title-hint = 任意。空欄ならページのタイトルを使います。
save-tags-hint = 任意。カンマで区切ります。
save-library = ライブラリへ
save-to = 保存先
save-render = 先にブラウザで開く
save-render-auto = スクリプトが必要な場合
save-render-always = 常に
save-render-without-cookie-notices = 常に（Cookie の通知なし）
save-render-never = しない
save-render-hint = スクリプトの実行後に本文が現れるページ向けです。新規取得 1 回の代わりに 5 回分を使います。

# Form that uploads files.

upload-heading = ファイルをアップロード
upload-files = ファイル
upload-hint = PDF、電子書籍、オフィス文書、テキスト、ウェブページ、メール、画像。スクリプトが有効なら、このページにドロップすることもできます。
upload-send = アップロード
upload-saved = 保存しました
upload-sending = アップロード中：
upload-none = ファイルを 1 つ以上選んでください。
upload-refused-size = 保存されませんでした。プランの上限 { $size } を超えています。
upload-refused-storage = 保存されませんでした。保存容量がいっぱいです。<1>使用量を見る</1>。
upload-refused-type = 保存されませんでした。内容がファイル名の示す種類と異なります。
upload-refused = 保存されませんでした：{ $reason }
upload-failed = 保存されませんでした。接続を確認し、ページを再読み込みしてもう一度お試しください。
