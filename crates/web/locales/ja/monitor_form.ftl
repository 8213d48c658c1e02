# Form of a new monitor, and its preview.

monitor-new = 新しいモニター
monitor-new-words = Carrel はページを定期的に確認し、気になる部分が変わったらお知らせします。
monitor-full = このプランではこれ以上モニターを作れません。
monitor-full-used = { $limit } 件中 { $used } 件を使用中です。
monitor-full-words = 不要なモニターを削除するか、編集して別のものを見守ってください。
monitor-full-list = モニター一覧へ
monitor-full-plan = プランと使用量
monitor-examples = 例を試す
monitor-example-change = ページのあらゆる変更
monitor-example-word = 語が現れたとき
monitor-example-list = リストの新着
monitor-preview = プレビュー
monitor-preview-again = もう一度プレビュー
monitor-preview-empty = プレビューを押すと、このモニターが見守る内容を確認できます。クレジットは使いません。
monitor-start = 見守りを開始
monitor-cancel = キャンセル
step-1 = 1. 何を見守るか
step-2 = 2. いつ
step-3 = 3. 通知の方法
monitor-address = ページのアドレス
monitor-address-hint = 見守る公開ページ、サイトマップ、または JSON ドキュメント。
monitor-type = 種類
target-page = ページ
target-page-words = 本文またはその一部。1 回 1 クレジット
target-sitemap = サイトマップ
target-sitemap-words = 追加・削除されたアドレス。1 回 2 クレジット
target-product = 商品
target-product-words = 名前、価格、在庫。1 回 3 クレジット
target-calendar = カレンダー
target-calendar-words = iCalendar ファイルの予定。1 回 2 クレジット
target-file = ファイル
target-file-words = 形式を問わず、サイズとハッシュで判定。1 回 1 クレジット
target-image = 画像
target-image-words = ウェブカメラなど、見た目で判定。1 回 2 クレジット
target-headers = ヘッダー
target-headers-words = 応答のステータスとヘッダー。1 回 1 クレジット
target-extract = 値
target-extract-words = 価格など、セレクターで指定。1 回 3 クレジット
monitor-part = ページの一部だけ
monitor-selector = セレクター
monitor-selector-hint = CSS（例: #price、li:contains("Tickets")）、XPath（例: //table[2]//tr）、JSONPath（例: $.version）、jq（例: jq:.items[] | select(.free) | .name）。ページでは JSONPath と jq はスクリプトのデータを読みます: $['ld+json'][0].offers.price、$.__NEXT_DATA__.props。1 行に 1 つずつ複数書くと、それぞれの出現と消失も通知します。見た目の場合は CSS セレクター 1 つ。
monitor-filters = フィルター
monitor-filters-hint = 1 行に 1 つ。ページの各行に順に適用します: 正規表現付きの keep または drop（例: drop ^Advert）、replace（例: replace \d+ views => views）、sort、unique。プレビューは各フィルター後の行を表示します。
monitor-sitemap = サイトマップのフィルター
monitor-include = 含めるアドレス
monitor-include-hint = 1 行に 1 パターン（例: /blog/*）。
monitor-exclude = 除くアドレス
monitor-exclude-hint = 1 行に 1 パターン。
monitor-values = 値
monitor-values-hint = 1 行に 1 つ（例: price = .price）。名前の後の星印は、項目を見分けるキーを示します。値に複数の数がある場合は、かっこ内の first、last、least、greatest で選びます（例: price (least) = .price）。ヘッダーでは読むものを指定します（例: etag = ETag）。
monitor-items = 繰り返し要素
monitor-items-hint = 繰り返し要素の CSS セレクターまたは XPath（例: .product）。空欄ならページ全体を 1 項目とします。
monitor-empty = 空き予約のリストのように、リストは空でもかまいません。
monitor-empty-words = そうでない場合、空のリストは 2 回続いたときだけ数えます。
monitor-headers = ヘッダー
monitor-headers-hint = 1 行に 1 つ（例: etag = ETag）。空欄なら、常に変わるものを除くすべてのヘッダー。
monitor-interval = 確認の間隔
monitor-not-in-plan = （このプランでは不可）
every-minutes =
    { $count ->
        [1] 毎分
       *[other] { $count } 分ごと
    }
every-hours =
    { $count ->
        [1] 1 時間ごと
       *[other] { $count } 時間ごと
    }
every-days =
    { $count ->
        [1] 毎日
       *[other] { $count } 日ごと
    }
every-week = 毎週
monitor-trigger = 通知する条件
trigger-any = 何かが変わったとき
trigger-text-appears = テキストが現れたとき
trigger-text-disappears = テキストが消えたとき
trigger-above = 数がこれより上がったとき
trigger-below = 数がこれより下がったとき
trigger-share = この割合以上が変わったとき
trigger-added = 何かが追加されたとき
trigger-removed = 何かが削除されたとき
trigger-condition = 下の条件を満たしたとき
monitor-value = テキストまたは数
monitor-value-hint = 「何かが変わったとき」では不要です。
monitor-one-value = 値のうち 1 つだけ
monitor-value-name = 値の名前
monitor-value-name-hint = 「値」の名前。商品では name、price、currency、availability、予定では title、start、end、location、status、repeats、ファイルでは size、sha256、ヘッダーでは status またはヘッダー名。空欄ならすべての値。
monitor-conditions = 条件
monitor-conditions-hint = 1 行に 1 つ。すべてを満たす必要があります。or だけの行から別の選択肢が始まります。値がある場合は名前から始めます（例: price falls by 10%、price new low in 30 days、price between 5 and 9、not stock contains sold out）。ない場合: contains tickets、matches v\d+、count above 3、length below 200、similarity below 80。
monitor-repeat = 条件が続く間は再度通知
monitor-repeat-after = 再通知までの時間
monitor-repeat-hint = 時間数（例: 24）。空欄なら、条件を満たしたときに 1 回だけ通知します。
monitor-ignore = 一部の変更を無視
monitor-ignore-label = 次を含む変更を無視
monitor-ignore-hint = 1 行に 1 つ。それを含むブロックは無視されます。
schedule-days = 曜日と時刻
schedule-only-on = この曜日だけ
day-monday = 月曜日
day-tuesday = 火曜日
day-wednesday = 水曜日
day-thursday = 木曜日
day-friday = 金曜日
day-saturday = 土曜日
day-sunday = 日曜日
schedule-week = 月のうちどの曜日か
schedule-week-all = すべて
week-first = 第 1
week-second = 第 2
week-third = 第 3
week-fourth = 第 4
week-last = 最終
schedule-times = この時刻に
schedule-times-hint = カンマ区切り（例: 08:30, 17:00）。間隔の代わりになります。
schedule-from = 開始時刻
schedule-from-hint = 例: 08:00。この時間帯に間隔どおり確認します。
schedule-to = 終了時刻
schedule-to-hint = 例: 18:00。
schedule-zone = タイムゾーン
schedule-zone-hint = 例: Europe/Berlin。空欄なら UTC。
schedule-jitter = ランダムな遅れ（分）
schedule-jitter-hint = 最大 120。空欄なら 1 分未満。
schedule-not-before = 開始日時
schedule-not-before-hint = 日付（例: 2026-12-24）または日時（例: 2026-12-24T08:00:00Z）。
schedule-muted = 通知しない時間と失敗
schedule-mute-from = 通知停止の開始
schedule-mute-from-hint = 例: 22:00（「曜日と時刻」のタイムゾーン）。確認は続き、通知は終了まで待ちます。
schedule-mute-to-hint = 例: 07:00。
schedule-failures = この回数続けて失敗したら通知
schedule-failures-hint = 空欄なら、モニターが止まったときだけ通知します。
monitor-follow = 変更をフィードにも表示
monitor-notify = 通知先
monitor-no-channels = 通知先がまだありません。<1>追加</1>すると、メール、Webhook、チャットで通知を受け取れます。
monitor-group = グループ
monitor-group-none = なし
monitor-override = グループより優先
monitor-override-hint = ここで選んだもの以外は、グループの設定がこのフォームの設定に優先します。
setting-interval = 間隔
setting-channels = 通知先
monitor-tags-hint = 任意。タグをカンマで区切ります（例: 家, 価格）。最大 { $count } 個。
monitor-name = 名前
monitor-name-hint = プレビューがページのタイトルを提案します。変更できます。
monitor-name-limit = 最大 { $count } 文字。
request = リクエストとログイン
request-agent = ユーザーエージェント
request-agent-hint = 空欄なら Carrel のもの。
request-proxy = プロキシ
request-proxy-removed = { $name }（提供終了）
request-headers-hint = 1 行に 1 つ（例: Accept-Language: de）。秘密の値は下の欄に入力してください。
request-post = この本文でリクエストを送る
request-method = メソッド
request-body = 本文
request-body-hint = 毎回送るため、その効果は繰り返されます。
request-media = 本文のメディアタイプ
request-media-hint = 空欄ならフォームデータ。
request-cookies = サイトの Cookie を次回まで保存
request-any-status = 404 などのエラーも内容として扱う。
request-any-status-words = そうでない場合、その確認は失敗になります。
request-credentials = 認証情報
credentials-keep = 保存済みの認証情報を使う
credentials-none = なし
credentials-basic = ユーザー名とパスワード
credentials-bearer = Bearer トークン
credentials-header = API キーや Cookie などの別のヘッダー
request-user = ユーザー名またはヘッダー名
request-user-hint = Bearer トークンでは不要です。
request-secret = パスワード、トークン、または値
request-secret-hint = このサイトにだけ送られ、表示されることはありません。
preview-heading = 見守る内容
preview-of-page = 「{ $title }」で今見つかったもの: { $amount }。クレジットは使われていません。
preview-of-address = 今見つかったもの: { $amount }。クレジットは使われていません。
preview-lines =
    { $count ->
       *[other] { $count } 行
    }
preview-addresses =
    { $count ->
       *[other] アドレス { $count } 件
    }
preview-items =
    { $count ->
       *[other] { $count } 項目
    }
preview-nothing = なし
preview-number = 比較する数: { $number }
preview-number-of = { $item } の比較する数: { $number }
preview-met = 条件はすでに満たされています。最初の確認では何も通知しません。いったん満たされなくなり、再び満たされたときに通知します。
preview-met-repeat = 条件はすでに満たされています。最初の確認では何も通知しません。満たされたままなら、「{ $field }」の時間が過ぎたときに通知します。
preview-not-met = 条件は今は満たされていません。
preview-filter =
    { $count ->
       *[other] フィルター { $number } の後: { $count } 行
    }
preview-only-first = 最初の { $count } 件だけを表示しています。
preview-or-only = または次だけを見守る
preset-address = より適したアドレス
preset-product = この商品: あらゆる変更
preset-product-price = この商品: 値下がり
preset-in-stock = 再入荷
preset-price-falls = 値下がり
preset-price-changes = 価格の変更
preset-stock = 在庫あり・売り切れ
preset-list = このリストの新着
preset-part = このテキストの変更
unwatched-margin = 対象外: 本文の外です。セレクターか待つテキストを指定すると含まれます
unwatched-clock = 対象外: ページの時計や日付のようです
unwatched-part = この中の時刻とカウンターは対象外です
unwatched-ignored = あなたのルールで無視されます
unwatched-learned = 対象外: 確認のたびに変わります
target-visual = 見た目
target-visual-words = ブラウザーでのページ、または 1 つの要素。1 回 3 クレジット
rendering = スクリプト
rendering-open = ページをブラウザーで開き、スクリプトを実行します。
rendering-open-words = 1 回 3 クレジット。ページ、商品、値が対象で、リクエスト本文とプロキシは使えません。
rendering-wait = 待つ要素
rendering-wait-hint = それがないとページが完成しない要素の CSS セレクター。
rendering-steps = 手順
rendering-steps-hint = 1 行に 1 つ。ページを読む前に実行します: click .more、type #search => boats、press Enter、select #sort => 価格、scroll_end、wait 2（秒）、wait_text 在庫あり。すべての手順はハンドブックにあります。疑問符を付けると（click? .close）、要素がない場合はその手順を飛ばします。パスワードなどの秘密には secret #password と書くと、下に入力欄が現れます。ほかのテキストはそのまま保存されます。
rendering-cookie-notices = Cookie の通知を閉じる
rendering-cookie-notices-words = 拒否するか、できなければ隠します。同意することはありません。
pick-button = ページの画像から選ぶ
pick-hint = ブラウザーがページを開き、その部分を表示します。ブラウザーでのプレビューと同じく、新規取得 5 回分に数えます。
pick-no-browser = ページの画像から部分を選ぶにはブラウザーが必要ですが、このサービスにはありません。プレビューでも部分が提案されます。
pick-heading = ページの部分を選ぶ
pick-words = 見守る部分を画像または一覧から選んでください。以後は毎回ブラウザーでページを開きます。1 回 3 クレジットです。
pick-cut = 一部の部分は選べません。ページが長すぎるか、部分が多すぎるか、最後まで読み込まれませんでした。
pick-empty = 見守れるテキストのある部分がページにありません。
pick-another = 別の部分を選ぶ
pick-alt = ページの画像
pick-parts = ページの部分
pick-chosen = 選んだ部分
pick-more = 別の部分を押すと追加され、選んだ部分をもう一度押すと外れます。
pick-steps-button = 画像から手順を選ぶ
pick-purpose = 何を選びますか
pick-purpose-part = 見守る部分
pick-purpose-step = ページを読む前の手順
pick-steps-heading = ページで手順を選ぶ
pick-step-words = 画像または一覧の要素を押し、操作を選んでください。手順ごとに新しい画像でページを表示します。画像は 1 枚で新規取得 5 回分に数えます。
pick-steps = これまでの手順
pick-step-remove = 手順 { $number } を削除
pick-step-on = 「{ $name }」での手順
pick-step-click = クリックする
pick-step-type = 入力する
pick-step-wait = 現れるまで待つ
pick-step-scroll = そこまでスクロールする
pick-step-select = 選択肢を選ぶ
pick-step-check = チェックを入れる
pick-step-uncheck = チェックを外す
pick-step-press = そこでキーを押す
pick-step-hover = ポインターを重ねる
pick-step-wait-text = その中のテキストを待つ
pick-step-wait-gone = 消えるまで待つ
pick-step-scroll-end = リストの終わりまでスクロールする
pick-step-remove-element = ページから取り除く
pick-step-key = 押すキー
pick-step-optional = 要素がなければこの手順を飛ばす
pick-step-text = 手順のテキスト
pick-step-text-hint = 「入力する」「選択肢を選ぶ」「テキストを待つ」の場合。{ $count } 文字まで。
pick-step-add = 手順を追加してページを表示
pick-kind-button = （ボタン）
pick-kind-field = （入力欄）
pick-step-secret = 秘密を入力する
step-secret = { $selector } の秘密
step-secret-new = 入力する秘密
step-secret-hint = 暗号化して保存し、このサイトにだけ入力します。表示されることはありません。
step-secret-set = 設定済みです。空のままにすると変わりません。
monitor-explanation = 言語モデル
monitor-explanation-words = <1>言語モデル</1>をオンにしている場合、変更ごとの差分が送られ、何が変わったかを一文で説明します。通知はそれを最大10分待ちます。
monitor-explanation-explain = 変更ごとに説明する
monitor-explanation-wish = 知りたい変更
monitor-explanation-wish-hint = 例: 値下げのときだけ。最大 { $count } 文字。空欄ならすべての変更が対象です。
monitor-explanation-only = 関係のない変更は通知しない（履歴とフィードには残ります）
