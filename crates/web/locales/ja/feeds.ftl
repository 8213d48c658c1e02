# List of subscriptions, and the form that follows a site.

feeds-subscriptions = 購読一覧
feeds-status = フィードの状態
feeds-all = すべて
feeds-none = まだフィードを購読していません。
feeds-none-in-status = この状態のフィードはありません。
feeds-count =
    { $count ->
       *[other] { $amount } 件のフィード
    }
feeds-more = さらに表示
feeds-rules = ルール
feeds-statistics = 統計
feeds-unread-count = 未読 { $amount } 件
follow-words = サイトのどのページでもよいのでアドレスを入力してください。新着がフィードに表示されます。
follow-address = サイトまたはフィードのアドレス
follow-collection = コレクション
follow-search = フィードを探す
follow-search-again = もう一度探す
follow-several = 複数のフィードをまとめて: <1>OPML ファイルを読み込む</1>。
follow-services = ページを認識できるサービス
follow-found = 見つかったフィード
follow-none = このアドレスにフィードはなく、ページからのリンクもありません。代わりに<1>ページを見守る</1>と、変更時に通知を受け取れます。
follow-unchecked = ページからリンク、未確認
follow-titled = 「{ $title }」を購読
follow-list = このページの新しい項目を購読
follow-list-words = ページには { $count } 件の一覧があります。モニターが新しい項目をフィードの記事としてお知らせします。
follow-list-watch = 新しい項目を見守る
feed-request-words = ユーザーエージェントやヘッダーを設定すると、フィードはあなたのアカウント用に別に取得されます。
feed-request-headers-hint = 1 行に 1 つ（例: X-Feed-Key: 1234）。暗号化して保存し、フィードのサイトにだけ送ります。
feed-request-stored = 保存済み: { $names }。新しいものと置き換わります。
feed-request-remove = 保存済みのヘッダーを削除
