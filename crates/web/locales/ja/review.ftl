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
review-mail = メールで受け取る
review-mail-words = 復習するハイライトがある日に、その箇所へのリンク付きで送ります。
review-mail-to = 毎日 { $time } に { $address } へ送ります。
review-mail-start = { $address } へ送る
review-mail-stop = 送るのをやめる
review-mail-at-hint = このアドレス宛てのモニターの変更も、1 日 1 回このメールで届くようになります。
review-mail-none = メールで受け取るには、<1>メールの通知先を追加</1>してください。
review-mail-started = 復習するハイライトをメールで送ります。
review-mail-stopped = 復習するハイライトはもうメールで送りません。
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
