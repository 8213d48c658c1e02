# Daily review of highlights.

review = 复习标注
review-due =
    { $count ->
       *[other] 今天有 { $count } 条标注待复习。
    }
review-start = 立即复习
review-left =
    { $count ->
       *[other] 今天还剩 { $count } 条
    }
review-soon = 尽快
review-later = 以后
review-never = 不再出现
review-rule =
    { $count ->
       *[other] “尽快”会在明天再次出现，“以后”会在 { $count } 天后再次出现，之后间隔越来越长。
    }
review-none = 今天没有需要复习的内容。
review-none-words = 新标注会在第二天出现，之后以越来越长的间隔再次出现。
review-removed = 此标注不再参与复习。您可以在其项目的页面上恢复。
highlight-review-again = 恢复复习
item-highlight-resumed = 此标注将重新参与复习。
