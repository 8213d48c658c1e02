# Today page and first steps.

today-unread =
    { $count ->
       *[other] { $amount } 条未读
    }
today-unread-partial =
    { $count ->
       *[other] 至少 { $amount } 条未读
    }
today-unread-heading = 未读
today-all-unread = 全部未读
today-order = 您常读和常加星标的订阅源排在前面。
today-search-or-open = 搜索或打开
today-search-label = 搜索全部内容，或打开网页
today-search-hint = 搜索您的订阅和文库。输入地址可打开网页。
today-search-example = 港口，或 https://…
today-go = 前往
today-changes = 变化
today-all-changes = 全部变化
today-started = 继续阅读
today-saved = 最近保存
today-waiting = 很久以前保存
today-this-day = 往年今日
today-attention = 需要您留意
today-all-failing = 所有无响应的订阅源
begin = 开始使用
begin-progress = 已完成 { $completed } / { $count }
begin-done = 已完成
begin-follow = 关注一个网站
begin-follow-words = 以便在这里和“订阅”中查看新条目。
begin-save = 保存一个网页
begin-save-words = 以便以后连同标注和笔记一起阅读。
begin-watch = 监测一个价格
begin-watch-words = 或网页的其他部分，在这里查看变化。
begin-continue = 继续
begin-close = 不再显示
nothing-new = 没有新内容
nothing-feeds = <1>寻找更多网站</1>，或从其他阅读器<2>导入订阅源</2>。
nothing-library = <1>浏览文库</1>，或<2>导入已保存的网页</2>。
nothing-monitors = <1>监测一个网页</1>，在这里查看其变化。
