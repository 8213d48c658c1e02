# Messages to the channels of an account.

credits-most-title = 今月のモニターのクレジットを 80 % 使いました
credits-most-text = { $limit } クレジットのうち { $used } を使いました。残りがなくなると、モニターは翌月まで待ちます。
credits-none-title = 今月のモニターのクレジットを使い切りました
credits-none-text = クレジットが足りないモニターは、翌月の最初の 1 時間に再開します。
sign-in-title = アカウントへの新しいログイン
sign-in-text = このアカウントで使われたことのないブラウザーから、{ $network } でログインがありました（{ $time }）。ご本人の場合は、何もする必要はありません。そうでない場合は、新しいパスワードを設定してください。
factor-added-title = アカウントに二段階認証が追加されました
passkey-added-title = アカウントにパスキーが追加されました
single-sign-on-added-title = アカウントにシングルサインオンが接続されました
single-sign-on-removed-title = アカウントのシングルサインオンの接続が解除されました
factor-removed-title = アカウントの二段階認証が解除されました
sign-in-changed-text = 日時: { $time }。ご本人の場合は、何もする必要はありません。そうでない場合は、新しいパスワードを設定してください。
key-title = API キーが作成されました
key-text = 名前は「{ $name }」です。作成した覚えがない場合は、キーを無効にし、新しいパスワードを設定してください。
app-title = アカウントにアプリが接続されました
app-text = アプリは「{ $app }」と名乗っています（この名前は未確認です）。許可した覚えがない場合は、アクセスを取り消し、新しいパスワードを設定してください。
off-title = 通知先「{ $name }」が停止されました
off-gone = これ以上の通知は不要という応答がありました（410）。
off-refused = メールサーバーによると、このアドレスは存在しません。
off-failing = 3 日間、通知を 1 件も届けられませんでした。
off-text = { $why }通知は 7 日間保存され、通知先を再び有効にすると送られます。
plan-title = { $count } 件の通知先が停止されました
plan-text = ご利用のプランで有効にできる通知先は { $limit } 件です。新しいものから停止されました: { $names }。その通知は 7 日間保存されます。
quoted = 「{ $name }」
test-title = この通知先のテスト
test-text = Carrel からの通知はこのように届きます。
digest-title = { $date } までの出来事
today-unread = 未読
today-changes = 変更
today-started = 読みかけ
today-saved = 最近保存したもの
today-waiting = ずっと前に保存したもの
today-this-day = 過去の今日
today-attention = 確認が必要です
today-highlights = 復習するハイライト
today-review =
    { $count ->
       *[other] 今日復習するハイライトは { $count } 件です。
    }
stop-link = 配信停止
several-title = 複数の変更
entries-title = 新着記事 { $count } 件
item-saved-title = 保存しました: { $title }
items-saved-title = { $count } 件を保存しました
missed-title = この通知先が受け取れなかったもの
collected-count = { $count } 件の通知:
more = ほか { $count } 件。
more-short = ほか { $count } 件
snooze = このモニターの通知を休止または停止: { $link }
snooze-short = 休止または停止: { $link }
template-failed = （この通知先のテンプレートでエラーが発生しました。{ $error }）
stop = この通知を停止する: { $link }
confirm-subject = Carrel からの通知を受け取るアドレスを確認してください
confirm-body =
    { $origin } のアカウントをお持ちの方が、そのアカウントの通知をこのアドレスに送ろうとしています。

    ご本人の場合は、次のリンクを開き、ボタンを押してください。

    { $link }

    お心当たりがない場合は、何もしないでください。通知は送られません。
