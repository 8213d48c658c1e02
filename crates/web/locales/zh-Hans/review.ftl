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
review-frequency = 此来源的复习频率
review-frequency-more = 更频繁
review-frequency-normal = 正常
review-frequency-less = 更少
review-frequency-never = 从不
review-frequency-saved = 频率已保存。
review-per-day = 每天标注数
review-per-day-saved = 数量已保存。
review-sources = 已更改频率的来源
review-sources-more = 仅列出最新的 { $count } 个。
review-mail = 通过邮件
review-mail-words = 在有待复习标注的日子发送，并附上原文位置的链接。
review-mail-to = 每天 { $time } 发送到 { $address }。
review-mail-start = 发送到 { $address }
review-mail-stop = 停止发送
review-mail-at-hint = 监测发送到此地址的变化也将随此邮件每天发送一次。
review-mail-none = <1>添加电子邮件渠道</1>即可通过邮件接收。
review-mail-started = 将通过邮件发送待复习的标注。
review-mail-stopped = 不再通过邮件发送待复习的标注。
card = 复习卡片
card-make = 创建卡片
card-change = 更改卡片
card-words = 复习时先显示卡片的问题，按一下显示答案。每条标注有一张卡片，保存会替换它。
card-gaps = 隐藏词语
card-gaps-rule = 要隐藏的词语
card-gaps-first = 仅列出前 { $count } 个词。
card-gaps-written = 其他要隐藏的部分，每行一个
card-gaps-save = 保存填空
card-question = 提出问题
card-question-label = 问题
card-answer = 答案
card-question-save = 保存问题
card-delete = 删除卡片
card-saved = 卡片已保存。
card-deleted = 卡片已删除。
card-unfit = 卡片与标注的词语不符，因此没有隐藏任何内容。请重新选择填空。
card-show-answer = 显示答案
