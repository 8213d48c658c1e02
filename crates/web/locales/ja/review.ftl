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
