# Search in the library and in feeds, and search by meaning.

search-help = 語、{ $phrase }、{ $without }、{ $tag }、{ $domain } でアイテム、メモ、ハイライト、記事を検索できます。アドレスを入力するとページを開きます。
search-whole-phrases = "語句全体"
search-without = -除外語
search-all-library = ライブラリのすべての結果
search-similar = 完全に一致する結果はありません。似た語を含む結果です。
search-all-feeds = フィードのすべての結果
search-again = 再検索
search-none = 結果なし
search-more-than = { $amount } 件以上
search-note = メモ
search-highlight = ハイライト
meaning-requested = 検索中です。結果の準備ができるとこのページに表示されます。
meaning-words = 文章について覚えていることを書いてください。その語を含む必要はありません。
meaning-form = ライブラリを意味で検索
meaning-query = 文章の説明
meaning-off = 言語モデルはオフです。<1>設定</1>
meaning-searching = { $query } を検索しています。初回は文章を初めて比べるため時間がかかります。
meaning-failed = 結果はありません: { $reason }。
meaning-results = { $query } の結果
meaning-none = 一致するアイテムはありません。
meaning-compared = { $time }に { $number } 件の文章を比べました。
meaning-unindexed = 未比較: { $number } 件。もう一度検索すると続行します。
meaning-request-failed = 失敗した要求があります: { $reason }。
