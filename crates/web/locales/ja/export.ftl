# Export of the library.

export-everything = すべて
export-everything-words = 本文、ファイル、タグ、メモ、ハイライト、さらにフィード、スター、ルール、モニターとその変更。再び取り込めます。
export-bookmarks = ブックマーク
export-bookmarks-words = アドレス、タイトル、タグ。どのブラウザーでも使えます。
export-table = 表
export-table-words = アイテムごとに 1 行。表計算ソフト用です。
export-cards = カード
export-cards-words = ハイライトの穴埋めと質問。Anki 用のテキストです。
export-create = 書き出しを作成
export-feeds = フィードは <1>OPML</1> で書き出せます。
export-creating = 書き出しを作成しています
export-reloads = 書き出しの準備ができるまでこのページは再読み込みされます。離れて後で戻ってもかまいません。
export-written = 書き出したアイテム
export-progress = { $total } 件中 { $done } 件
export-failed = 書き出しに失敗しました
export-failed-words = 書き出しを作成できませんでした。<1>もう一度試す</1>。
export-yours = 書き出し
export-expires = ファイルは{ $time }に削除されます。
export-delete = 書き出しを削除
export-part = パート { $number } をダウンロード
export-kilobytes = { $amount } KB
