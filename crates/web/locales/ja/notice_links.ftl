# Pages behind links in messages: confirming an address, unsubscribing, and snoozing a monitor.

notice-confirm = アドレスの確認
notice-confirm-words = Carrel から { $address } にメッセージを送りますか? このサービスの利用者が希望しました。
notice-confirm-button = 確認
notice-confirm-not-you = 心当たりがなければ、このページを閉じてください。何も送られません。
notice-confirmed = アドレスを確認しました
notice-confirmed-words = 今後は { $address } にメッセージを送ります。各メッセージに配信停止のリンクがあります。
notice-stop = 配信停止
notice-stop-question = 配信を停止しますか?
notice-stop-monitor = モニター { $monitor } のメッセージは { $address } に送られています。
notice-stop-feed = フィード { $feed } の新着記事は { $address } に送られています。
notice-stop-monitors = すべてのモニターとフィード、保存したもののメッセージは { $address } に送られています。
notice-stop-daily = 毎日のメールと、すべてのモニターとフィード、保存したもののメッセージは { $address } に送られています。
notice-stop-saved = 保存したもののメッセージは { $address } に送られています。
notice-stop-account = アカウントのお知らせ（クレジット、ログイン、キー、アプリ）は { $address } に送られています。
notice-stop-everything = モニターとアカウントのメッセージは { $address } に送られています。
notice-stopped-title = 配信停止済み
notice-stopped = 配信を停止しました
notice-stopped-monitor = モニター { $monitor } のメッセージは、今後 { $address } に送られません。
notice-stopped-feed = フィード { $feed } の新着記事は、今後 { $address } に送られません。
notice-stopped-monitors = モニターとフィード、保存したもののメッセージは、今後 { $address } に送られません。
notice-stopped-daily = 毎日のメールと、モニターとフィード、保存したもののメッセージは、今後 { $address } に送られません。
notice-stopped-saved = 保存したもののメッセージは、今後 { $address } に送られません。
notice-stopped-account = アカウントのお知らせは、今後 { $address } に送られません。
notice-stopped-everything = メッセージは今後 { $address } に送られません。再び受け取るには、アドレスをもう一度確認してください。
notice-snooze = 休止
notice-snooze-question = { $monitor } を休止しますか?
notice-snooze-channel = このモニターのメッセージは通知先 { $channel } に送られています。
notice-snooze-words = その間の変更は、後で 1 通にまとめて届きます。フィードとモニターのページにはすべて残ります。
notice-muted = 無音にしました
notice-muted-words = { $monitor } のメッセージは、今後 { $channel } に送られません。再び受け取るには、モニターのページで通知先を選んでください。
notice-snoozed = 休止しました
notice-snoozed-until = 次のメッセージは{ $time }です。
notice-resumed = メッセージの送信を再開しました
notice-resumed-words = { $monitor } のメッセージは { $channel } に送られます。
notice-for-days =
    { $count ->
       *[other] { $count } 日間
    }
notice-resume = 送信を再開
notice-mute = ここではこのモニターを無音に
notice-invalid-title = 無効なリンク
notice-invalid = このリンクはもう使えません
notice-invalid-words = 新しいリンクが送られたか、対象がもう存在しません。
