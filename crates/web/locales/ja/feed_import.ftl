# Import and export of lists of feeds.

opml-title = 取り込みと書き出し
opml-heading = フィードの取り込みと書き出し
opml-words = どのフィードリーダーでも書き出せる OPML ファイルです。フォルダーはコレクションになります。購読済みのフィードは変わりません。
opml-download = フィードを OPML でダウンロード
opml-running = <1>取り込みを実行中です</1>。
opml-last = 前回の取り込みの結果
feed-import-running = フィードを取り込んでいます
feed-import-finished = フィードを取り込みました
feed-import-reloads = 取り込みが終わるまでこのページは再読み込みされます。離れて後で戻ってもかまいません。
feed-import-checked = 確認したフィード
feed-import-empty = ファイルにフィードがありません。
feed-import-to-feeds = フィードへ
feed-import-stopped-words = 取り込み済みのフィードは残ります。
feed-import-unknown = ファイルが OPML のフィード一覧でないか、壊れています。リーダーからもう一度書き出してください。ブックマークや保存したページは「ライブラリ › 取り込み」で取り込めます。
feed-import-too-large = ファイルの読み取りに時間またはメモリがかかりすぎます。何も取り込みませんでした。
feed-import-again = もう一度ファイルを取り込んでください。取り込み済みのフィードは重複しません。
feed-import-in-file = ファイル内のフィード
feed-import-known = 購読済み
feed-import-refused = 取り込めなかったもの
feed-import-collections = 作成したコレクション
feed-import-no-collection = プランの上限のためコレクションなし
feed-import-problems = ファイルのとおりに取り込めなかったものと理由
feed-import-problem = フィード { $row }: { $reason }
feed-import-more = ほか { $amount } 件。
