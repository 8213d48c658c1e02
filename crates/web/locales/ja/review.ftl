# Daily review of highlights.

review = ハイライトの復習
review-due =
    { $count ->
       *[other] 今日復習するハイライトは { $count } 件です。
    }
review-start = 今すぐ復習
review-left =
    { $count ->
       *[other] 今日の残り { $count } 件
    }
review-soon = 近いうちに
review-later = あとで
review-never = もう表示しない
review-rule =
    { $count ->
       *[other] 「近いうちに」は明日、「あとで」は { $count } 日後に再び表示し、その後は間隔を広げていきます。
    }
review-none = 今日復習するものはありません。
review-none-words = 新しいハイライトは翌日に表示され、その後は間隔を広げながら再び表示されます。
review-removed = このハイライトは今後復習に表示されません。アイテムのページで元に戻せます。
highlight-review-again = 再び復習する
item-highlight-resumed = このハイライトを再び復習します。
review-frequency = このソースを復習する頻度
review-frequency-more = 多め
review-frequency-normal = 普通
review-frequency-less = 少なめ
review-frequency-never = しない
review-frequency-saved = 頻度を保存しました。
review-per-day = 1 日のハイライト数
review-per-day-saved = 件数を保存しました。
review-sources = 頻度を変えたソース
review-sources-more = 新しい { $count } 件のみを表示しています。
review-send = 通知先に送る
review-send-words = 復習するハイライトがある日に、その箇所へのリンク付きで送ります。
review-send-to = 毎日 { $time } に { $address } へ送ります。
review-send-start = { $address } へ送る
review-send-stop = 送るのをやめる
review-send-at-hint = この通知先へのモニターとフィードのメッセージも、1 日 1 回このメッセージで届くようになります。
review-send-none = メールやチャットで受け取るには、<1>通知先を追加</1>してください。
review-send-started = 復習するハイライトを送ります。
review-send-stopped = 復習するハイライトはもう送りません。
review-themes = テーマ別の復習
review-themes-words = それぞれ、全体の復習とは別に、1 日に決まった数のハイライトを表示します。
review-themes-edit = テーマ別の復習を追加・変更
review-theme-new = 新しいテーマ別の復習
review-theme-name = 名前
review-theme-choose = 対象のハイライト
review-theme-tag = タグ
review-theme-item = ソース
review-theme-search = 保存した検索
review-theme-same = 現在のソース
review-theme-add = 追加
review-theme-delete = 復習を削除
review-theme-stay = ハイライトは残ります。
review-theme-created = テーマ別の復習を追加しました。
review-theme-changed = テーマ別の復習を変更しました。
review-theme-deleted = テーマ別の復習を削除しました。
review-theme-no-search = 保存した検索は削除されました。別のハイライトを選んでください。
review-theme-no-item = ソースは削除されました。
card = 復習カード
card-make = カードを作成
card-change = カードを変更
card-words = 復習ではまずカードが問題を出し、押すと答えが表示されます。ハイライトのカードは 1 枚で、保存すると置き換わります。
card-gaps = 語句を隠す
card-gaps-rule = 隠す語句
card-gaps-first = 最初の { $count } 語のみを表示しています。
card-gaps-written = ほかに隠す部分（1 行に 1 つ）
card-gaps-save = 穴埋めを保存
card-question = 質問する
card-question-label = 質問
card-answer = 答え
card-question-save = 質問を保存
card-delete = カードを削除
card-saved = カードを保存しました。
card-deleted = カードを削除しました。
card-unfit = カードがハイライトの語句と合わないため、何も隠していません。穴埋めを選び直してください。
card-show-answer = 答えを表示
