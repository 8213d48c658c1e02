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
save-render-never = しない
save-render-hint = スクリプトの実行後に本文が現れるページ向けです。新規取得 1 回の代わりに 5 回分を使います。
