# Language model: what is sent to it, and the switch of the account.

model = 言語モデル
model-purpose = 言語モデルは、保存した項目や未読記事を要約できます。オンにするまではオフです。
model-manage = 言語モデルの管理
model-is-on = このアカウントの言語モデルは{ $state }です。
model-is-off = このアカウントの言語モデルは{ $state }です。何も送信されません。
model-on = オン
model-off = オフ
model-switch-on = オンにする
model-switch-off = オフにする
model-switched-on = オンにしました。保存した項目のページに要約ボタンが、コレクションの記事にまとめへのリンクが表示されます。
model-switched-off = オフにしました。今後は何も送信されません。既存の要約とまとめは残ります。
model-sent = 送信されるもの
model-sent-summary = 項目の要約: タイトル、本文の最初の { $characters } 文字、あなたのタグの名前（最大 { $tags } 件）。
model-sent-briefing = コレクションのまとめ: 最大 { $entries } 件の未読記事のタイトルと、その要約の最初の { $characters } 文字。
model-sent-search = 意味による検索: 検索する言葉。ライブラリでは、新しい { $items } 件の項目のタイトルと本文の最初の { $characters } 文字。
model-sent-entries = フィードの記事の意味による検索: 新しい未読 { $unread } 件とスター付き { $starred } 件のタイトルと、要約の最初の { $characters } 文字。
model-sent-when = 項目のページで{ $summarize }を、またはコレクションのページで{ $briefing }を押したとき、意味で検索したとき、またはあなたのキーを持つプログラムが求めたときだけです。
model-sent-never = 名前、アドレス、メモ、ハイライトは決して送信しません。
model-briefing-button = まとめを作成
model-where = 送信先
model-where-words = この環境の運営者が選んだモデル { $model }（{ $host }）に送信します。そのサーバーの運営者は送信内容を読むことができます。
model-with-embeddings = { $model }（意味による検索は { $other }）
model-answer = 回答の扱い
model-answer-words = 回答はテキストとして表示され、誤りを含むことがあります。何も変更しません。提案されたタグは、押したときだけ追加されます。
model-limit = あなたのプランでは 1 日 { $amount } 回まで使えます。
model-answer-numbers = 意味による検索では、回答は数値のリストです。あなたの本文のリストは、モデルをオフにすると削除されます。記事のリストは、同じフィードを購読するほかのアカウントにも使われます（ニュースレター、モニター、ログインが必要なフィードを除く）。
