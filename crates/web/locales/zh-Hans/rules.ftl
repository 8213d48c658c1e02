# Rules for new entries.

rules-made = 规则已创建。它会检查每个新条目。
rules-applied = 规则已创建，并已应用于您的未读条目。
rules-deleted = 规则已删除。被它隐藏的条目已回到列表中。被丢弃的条目无法恢复。
rules-of = { $feed } 的规则
rules-for-all = 所有订阅源的规则
rules-words = 规则会检查每个新条目。它可以丢弃、隐藏条目，将其标为已读，保护其不受其他规则影响，为其加星标，将其保存到您的文库，或将其发送到渠道。
rules-also-for-all = 另有<1>所有订阅源的规则</1>。
rules-single-feed = 单个订阅源的规则在该订阅源的页面上。
rules-active = 生效的规则
rules-new = 新规则
rules-muted-count = 已隐藏 { $number } 个
rules-dropped-count = 已丢弃 { $number } 个
rules-starred-count = 已为 { $number } 个加星标
rules-saved-count = 已保存 { $number } 个
rules-unsaved-count = { $number } 个未保存（最近一个：{ $time }）：{ $reason }
rules-unsaved-daily-limit = 规则每天最多保存 { $most } 个条目
rules-unsaved-storage-limit = 您的存储空间已满
rules-unsaved-deleted = 您已删除此内容
rules-unsaved-unavailable = 此条目无法保存
rules-unsaved-failed = 多次保存失败
rules-since = 创建于{ $time }
rules-off = 已关闭
rules-off-words = { $off }（{ $time }）：耗时过长
rules-matches = 符合此规则的条目
rules-nothing-to-test = 尚无可供测试的条目。
rules-match-count = 最新 { $examined } 个条目中，有 { $matched } 个符合。
rules-nothing-changed = 没有任何更改。
rules-would-drop = 它们将被丢弃：只计数，即使删除规则也不会出现在列表中。尚未更改任何内容。
rules-would-mute = 它们将被隐藏：不出现在列表、未读计数和应用中。尚未更改任何内容。
rules-would-read = 它们将被标为已读。尚未更改任何内容。
rules-would-keep = 即使符合其他规则，它们也会保留。尚未更改任何内容。
rules-would-star = 它们将被加星标并保存到您的文库，所有规则每天合计最多 { $most } 个条目。尚未更改任何内容。
rules-would-save = 它们将被保存到您的文库，所有规则每天合计最多 { $most } 个条目。尚未更改任何内容。
rules-would-notify = 此类新条目将发送到这些渠道。已有的条目不会发送。尚未更改任何内容。
rules-more = 以及另外 { $number } 个。
rules-delete-question = 删除此规则？
rules-too-slow = 此规则因处理新条目耗时过长而被关闭。请删除它并创建更简单的规则。
rules-has-dropped =
    { $count ->
       *[other] 它已丢弃 { $count } 个条目。被丢弃的条目无法恢复。
    }
rules-has-muted-none = 它尚未隐藏任何条目。
rules-has-muted =
    { $count ->
       *[other] 它已隐藏 { $count } 个条目。删除规则后，它们会回到列表中。
    }
rules-stay-changed = 被它更改的条目保持现状。
rules-delete = 删除规则
rules-pattern = 词语、表达式或日期
rules-pattern-hint = 不区分大小写。表达式为正则表达式，例如 \bsale\b 或 ^(Ad|Sponsored):。对于附件，请输入媒体类型或地址，例如 audio。对于日期，请输入 7d（最近 7 天）、>7d（更早）、before:2026-01-31、after:2026、between:2026-01,2026-03 或 future。
rules-tags-hint = 仅用于“保存”。可选，以逗号分隔。如果多条规则保存同一条目，则只应用最早的 { $rules } 条，标签合计最多 { $tags } 个。
rules-channels = 渠道
rules-channels-hint = 仅用于“发送到渠道”。被规则丢弃、隐藏或标为已读的条目不会发送。
rules-channels-none = 无：渠道已被删除
rules-action = 操作
rules-part = 匹配范围
rules-kind = 匹配方式
rules-unread-too = 同时应用于未读条目（最新 500 个）
rules-preview = 预览匹配
rules-create = 创建规则
rules-drop = 丢弃
rules-mute = 隐藏
rules-keep = 保留
rules-save = 保存
rules-notify = 发送到渠道
rules-drop-note = 不为您保存，只计数
rules-mute-note = 在您删除规则之前，不出现在任何列表中
rules-read-note = 只出现在全部条目的列表中
rules-keep-note = 其他规则不会隐藏或标记它们
rules-star-note = 加星标并保存到您的文库
rules-save-note = 保存到您的文库，并加上下面的标签
rules-notify-note = 发送到下面的渠道，即使订阅源没有渠道
rules-part-any = 标题、作者或正文
rules-part-title = 标题
rules-part-author = 作者
rules-part-text = 订阅源中的正文
rules-part-url = 地址
rules-part-published = 发布日期
rules-part-media = 附件
rules-part-category = 分类
rules-kind-words = 完全相同的词语
rules-kind-expression = 正则表达式
rules-summary-words = { $action }：{ $part }中的“{ $pattern }”
rules-summary-expression = { $action }：{ $part }中的 { $pattern }
