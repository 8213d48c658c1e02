# List of subscriptions, and the form that follows a site.

feeds-subscriptions = 订阅列表
feeds-status = 订阅源状态
feeds-all = 全部
feeds-none = 您还没有关注任何订阅源。
feeds-none-in-status = 没有此状态的订阅源。
feeds-count =
    { $count ->
       *[other] { $amount } 个订阅源
    }
feeds-more = 更多订阅源
feeds-rules = 规则
feeds-statistics = 统计
feeds-unread-count = { $amount } 条未读
follow-words = 输入该网站任一网页的地址。新条目将出现在您的订阅中。
follow-address = 网站或其订阅源的地址
follow-collection = 合集
follow-search = 查找订阅源
follow-search-again = 重新查找
follow-several = 一次添加多个订阅源：<1>导入 OPML 文件</1>。
follow-services = 可识别其网页的服务
follow-found = 找到的订阅源
follow-none = 此地址没有订阅源，网页也没有链接到订阅源。您可以改为<1>监测此网页</1>，在其变化时收到通知。
follow-unchecked = 网页所链接，尚未检查
follow-titled = 关注“{ $title }”
follow-list = 关注此网页的新项目
follow-list-words = 网页含有 { $count } 个项目的列表。监测会将新项目作为条目送入您的订阅。
follow-list-watch = 监测新项目
feed-request-words = 如果设置用户代理或标头，将为您的账户单独获取此订阅源。
feed-request-headers-hint = 每行一个，例如 X-Feed-Key: 1234。加密存储，且只发送给订阅源的网站。
feed-request-stored = 已存储：{ $names }。新标头将替换它们。
feed-request-remove = 移除已存储的标头
