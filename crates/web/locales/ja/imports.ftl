# Import of files into the library.

import-words = ブックマーク、あとで読むサービスの書き出し、リーダーのハイライト、文献情報、URL の一覧、Carrel 自身の書き出しを取り込めます。
import-checked-first = まずファイルを確認します。何が取り込まれるかを見てから決められます。
import-file = ファイル
import-format = 形式
import-detect = 自動判別
import-include = Carrel の書き出しから、フィード、モニター、設定、ルール、位置も取り込む
import-check = ファイルを確認
import-fields = 各形式から取り込まれる項目
import-servers = Karakeep、wallabag、linkding、Readeck、Miniflux、FreshRSS、Readwise、Raindrop、Pinboard の<1>サーバーから取り込む</1>。
import-opml = フィードは <1>OPML</1> で取り込めます。
import-folders = フォルダー
import-folders-path = パス全体を 1 つのタグに
import-folders-tags = フォルダーごとにタグ
import-folders-none = タグなし
import-undone = 取り込みを元に戻しました。
import-no-rows = 再試行できる行はありません。
import-no-file = ファイルまたは行の一覧はもう保存されていません。もう一度取り込んでください。既にあるものは重複しません。
import-reloads = 完了までこのページは再読み込みされます。離れて後で戻ってもかまいません。
import-rows-checked = 確認した行
import-removed = 取り込みで追加されたものは、その後に変更したアイテムを除いてすべて削除しました。
import-can-undo = この取り込みは元に戻せます。期限は{ $time }です。変更したアイテムと、既存のアイテムへの追加は残ります。
import-heading-undoing = 取り込みを元に戻しています
import-heading-checking = ファイルを確認しています
import-heading-running = 取り込んでいます
import-heading-preview = 取り込みのプレビュー
import-heading-undone = 取り込みを元に戻しました
import-heading-finished = 取り込みが完了しました
import-heading-stopped = 取り込みを中止しました
import-heading-failed = 取り込みに失敗しました
import-you-stopped = 完了前に取り込みを中止しました。
import-unknown-format = ファイルにこの形式のデータがありません。別の形式か自動判別を選んでください。
import-damaged = ファイルが壊れているか、示された種類ではありません。
import-too-large = ファイルが大きすぎるか、行が多すぎるか、メモリを使いすぎる行があります。
import-incomplete = 取り込みを完了できませんでした。
import-rows = 行
import-would-be-new = 新規になるもの
import-new = 新規
import-existing = 既存
import-skipped = スキップ
import-failed = 失敗
import-annotations = メモとハイライト
import-part-feed-settings = フィードの設定
import-part-rules = ルール
import-part-templates = メッセージのテンプレート
import-part-account-settings = アカウントの設定
import-part-positions = 読書位置
import-parts-uncounted = フィード、モニター、設定、ルール、位置も取り込まれます。件数は取り込み時に数えます。
import-problems =
    { $count ->
       *[other] { $count } 件の問題
    }
import-problems-first =
    { $count ->
       *[other] 最初の { $count } 件の問題
    }
import-row-reason = 行 { $row }: { $reason }
import-stop = 中止
import-to-library = ライブラリへ
import-retry = 失敗した行を再試行
import-from-server = サーバーから取り込む
import-continue = 取り込みを続ける
import-other-file = 別のファイルを選ぶ
import-undo = 取り込みを元に戻す
import-rows-gone = 新しい取り込みに場所が必要なため、行はもう一覧にありません。
import-no-match = 該当する行はありません。
import-more-rows = さらに行を表示
import-download-rows = すべての行を CSV でダウンロード
import-with-problems = 問題あり
import-annotation = メモまたはハイライト
import-untitled = 無題
import-row = 行 { $row }
import-columns = 列
import-columns-words = ファイルの各列についての Carrel の提案です。項目を変えたら、取り込む前にもう一度確認してください。
import-check-again = もう一度確認
