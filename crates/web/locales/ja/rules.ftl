# Rules for new entries.

rules-made = ルールを作成しました。新しい記事をすべて確認します。
rules-applied = ルールを作成し、未読の記事に適用しました。
rules-deleted = ルールを削除しました。隠されていた記事は一覧に戻ります。破棄した記事は元に戻せません。
rules-of = { $feed } のルール
rules-for-all = すべてのフィードのルール
rules-words = ルールは新しい記事を一つずつ確認し、破棄する、隠す、既読にする、ほかのルールから守る、スターを付ける、ライブラリに保存する、または通知先に送ることができます。
rules-also-for-all = <1>すべてのフィードのルール</1>もあります。
rules-single-feed = 一つのフィードのルールは、そのフィードのページにあります。
rules-active = 有効なルール
rules-new = 新しいルール
rules-muted-count = { $number } 件を非表示
rules-dropped-count = { $number } 件を破棄
rules-starred-count = { $number } 件にスター
rules-saved-count = { $number } 件を保存
rules-unsaved-count = { $number } 件は未保存（最後は{ $time }）: { $reason }
rules-unsaved-daily-limit = ルールで保存できるのは 1 日 { $most } 件までです
rules-unsaved-storage-limit = 容量がいっぱいです
rules-unsaved-deleted = このアイテムは削除済みです
rules-unsaved-unavailable = この記事は保存できません
rules-unsaved-failed = 保存に何度も失敗しました
rules-since = 作成 { $time }
rules-off = オフ
rules-off-words = { $off }（{ $time }）: 時間がかかりすぎました
rules-matches = このルールに一致する記事
rules-nothing-to-test = 試すための記事がまだありません。
rules-match-count = 最新の記事 { $examined } 件のうち { $matched } 件に一致します。
rules-nothing-changed = 何も変わっていません。
rules-would-drop = 破棄されます。件数だけ数え、ルールを削除しても一覧には現れません。まだ何も変わっていません。
rules-would-mute = 一覧、未読数、アプリから隠されます。まだ何も変わっていません。
rules-would-read = 既読になります。まだ何も変わっていません。
rules-would-keep = ほかのルールに一致しても残されます。まだ何も変わっていません。
rules-would-star = スターが付き、ライブラリに保存されます。すべてのルールで 1 日 { $most } 件までです。まだ何も変わっていません。
rules-would-save = ライブラリに保存されます。すべてのルールで 1 日 { $most } 件までです。まだ何も変わっていません。
rules-would-notify = このような新着記事が通知先に送られます。すでにある記事は送られません。まだ何も変わっていません。
rules-more = ほか { $number } 件。
rules-delete-question = このルールを削除しますか？
rules-too-slow = 新しい記事の確認に時間がかかりすぎたため、このルールはオフになりました。削除して、より単純なルールを作成してください。
rules-has-dropped =
    { $count ->
       *[other] { $count } 件の記事を破棄しました。破棄した記事は元に戻せません。
    }
rules-has-muted-none = まだ記事を隠していません。
rules-has-muted =
    { $count ->
       *[other] { $count } 件の記事を隠しています。ルールを削除すると一覧に戻ります。
    }
rules-stay-changed = 変更された記事はそのまま残ります。
rules-delete = ルールを削除
rules-pattern = 語、正規表現、または日付
rules-pattern-hint = 大文字と小文字は区別しません。正規表現の例: \bsale\b、^(Ad|Sponsored):。ファイルにはメディアの種類またはアドレスを入力します（例: audio）。日付には 7d（過去 7 日間）、>7d（それより前）、before:2026-01-31、after:2026、between:2026-01,2026-03、future のように入力します。
rules-tags-hint = 「保存」の場合のみ。省略可。コンマで区切ります。複数のルールが同じ記事を保存する場合は、古いものから { $rules } 件のルールだけが適用され、タグは合わせて { $tags } 個までです。
rules-channels = 通知先
rules-channels-hint = 「通知先に送る」の場合のみ。ルールで破棄した記事、隠した記事、既読にした記事は送られません。
rules-channels-none = なし（削除されました）
rules-action = 操作
rules-part = 対象
rules-kind = 一致の方法
rules-unread-too = 未読の記事にも適用する（最新 500 件）
rules-preview = 一致をプレビュー
rules-create = ルールを作成
rules-drop = 破棄
rules-mute = 非表示
rules-keep = 残す
rules-save = 保存
rules-notify = 通知先に送る
rules-drop-note = 保存せず、件数だけ数える
rules-mute-note = ルールを削除するまで、どの一覧にも表示しない
rules-read-note = すべての記事の一覧にだけ表示
rules-keep-note = ほかのルールで隠したり既読にしたりしない
rules-star-note = スターを付けてライブラリに保存
rules-save-note = 下のタグを付けてライブラリに保存
rules-notify-note = フィードに通知先がなくても、下の通知先に送る
rules-part-any = タイトル、著者、本文
rules-part-title = タイトル
rules-part-author = 著者
rules-part-text = フィードの本文
rules-part-url = アドレス
rules-part-published = 公開日
rules-part-media = 添付ファイル
rules-part-category = カテゴリ
rules-kind-words = この語のとおり
rules-kind-expression = 正規表現
rules-summary-words = { $action }: { $part }に「{ $pattern }」
rules-summary-expression = { $action }: { $part }に { $pattern }
