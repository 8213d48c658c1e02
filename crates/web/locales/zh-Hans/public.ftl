# Pages that anyone with their link may read: groups, tags, and changes of monitors.

public-not-found = 未找到页面
public-not-found-words = 链接有误。请检查其是否完整。
public-gone = 此页面已不再公开
public-gone-words = 其所有者已将其删除，或更换了链接。
public-gone-title = 不再公开
public-unavailable = 暂时不可用
public-unavailable-words = 请几秒后重试。
public-group-follow = 在阅读器中关注变化：<1>RSS</1>、<2>Atom</2>、<3>JSON Feed</3>。
public-no-monitors = 尚无监测。
public-tag-not-found = 链接有误，或其所有者已停止分享此页面。
public-tag-follow = 在阅读器中关注此列表：<1>RSS</1>、<2>Atom</2>、<3>JSON Feed</3>。
public-no-items = 尚无项目。
public-newest = 列出最新的 { $number } 个项目。
change-not-found = 未找到变化
change-not-found-words = 链接有误，或该变化已被删除。
change-gone = 此链接已失效
change-gone-words = 其订阅源更换了链接，或不再公开。
change-gone-title = 链接已失效
change-of = { $monitor } 的变化
change-detected = 检测时间
change-address = 地址
change-differences = 差异
change-views = 视图
change-sides = 并排
change-inline = 文中
change-before = 之前
change-after = 之后
change-rest =
    { $count ->
       *[other] 另有 { $count } 处差异未显示。
    }
change-legend = 删除的文本带删除线，新增的文本带下划线。
change-unknown-size = 大小未知
change-no-screenshot = 未存储此截图：它过大或过旧，或截图空间已用尽。
change-earlier = 更早的变化
change-later = 更晚的变化
change-count-added = 新增 { $count }
change-count-removed = 移除 { $count }
change-count-changed = 更改 { $count }
change-count-moved = 移动 { $count }
change-unchanged =
    { $count ->
       *[other] { $count } 行未变
    }
change-whole = 来源变化过大，无法逐行比较。
change-before-value = 之前：
change-after-value = 之后：
change-link = 链接：{ $link }
change-fell = 下降 { $amount }
change-rose = 上升 { $amount }
change-new = 新增
change-removed = 移除
change-changed = 更改
change-moved = 移动
change-removed-part = 移除：
change-added-part = 新增：
change-explanation-pending = 语言模型正在解释此变化。
change-explanation-none = 语言模型没有解释此变化：{ $reason }。
change-explanation-by = 由语言模型 { $name } 撰写，可能有误。
change-explanation-irrelevant = 它判断此变化与愿望无关。
change-explanation-withheld = 它判断此变化与愿望无关，因此没有发送消息。
