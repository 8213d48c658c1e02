# Today page and first steps.

today-unread =
    { $count ->
       *[other] 未読 { $amount } 件
    }
today-unread-partial =
    { $count ->
       *[other] 未読 { $amount } 件以上
    }
today-unread-heading = 未読
today-all-unread = 未読をすべて見る
today-order = よく読み、スターを付けるフィードを先に表示します。
today-search-or-open = 検索または開く
today-search-label = すべてを検索、またはページを開く
today-search-hint = フィードとライブラリを検索します。アドレスを入力するとページを開きます。
today-search-example = 港、または https://…
today-go = 実行
today-changes = 変更
today-all-changes = すべての変更
today-started = 読みかけ
today-saved = 最近保存したもの
today-waiting = ずっと前に保存したもの
today-this-day = 過去の今日
today-attention = 確認が必要です
today-all-failing = 応答しないフィードをすべて見る
begin = はじめに
begin-progress = { $count } 件中 { $completed } 件完了
begin-done = 完了
begin-follow = サイトを購読
begin-follow-words = すると、新着がここと「フィード」に表示されます。
begin-save = ページを保存
begin-save-words = して、あとでハイライトやメモとともに読めます。
begin-watch = 価格を見守る
begin-watch-words = など、ページの一部の変更をここで確認できます。
begin-continue = 続ける
begin-close = 今後表示しない
nothing-new = 新着はありません
nothing-feeds = <1>購読するサイトを探す</1>か、ほかのリーダーから<2>フィードを移します</2>。
nothing-library = <1>ライブラリを見る</1>か、<2>保存したページを移します</2>。
nothing-monitors = <1>ページを見守る</1>と、変更がここに表示されます。
