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
review-send = 发送到您的渠道
review-send-words = 在有待复习标注的日子发送，并附上原文位置的链接。
review-send-to = 每天 { $time } 发送到 { $address }。
review-send-start = 发送到 { $address }
review-send-stop = 停止发送
review-send-at-hint = 发送到此渠道的监测和订阅消息也将随此消息每天发送一次。
review-send-none = <1>添加渠道</1>即可通过邮件或聊天接收。
review-send-started = 将发送待复习的标注。
review-send-stopped = 不再发送待复习的标注。
review-themes = 主题复习
review-themes-words = 除常规复习外，每个主题每天显示各自数量的标注。
review-themes-edit = 添加或更改主题复习
review-theme-new = 新的主题复习
review-theme-name = 名称
review-theme-choose = 哪些标注
review-theme-tag = 带有标签
review-theme-item = 来自来源
review-theme-search = 由已保存的搜索找到
review-theme-same = 当前来源
review-theme-add = 添加
review-theme-delete = 删除复习
review-theme-stay = 其中的标注会保留。
review-theme-created = 已添加主题复习。
review-theme-changed = 已更改主题复习。
review-theme-deleted = 已删除主题复习。
review-theme-no-search = 已保存的搜索已被删除。请选择其他标注。
review-theme-no-item = 来源已被删除。
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
