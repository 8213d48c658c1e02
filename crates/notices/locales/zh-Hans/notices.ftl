# Messages to the channels of an account.

credits-most-title = 本月的监测点数已使用 80 %
credits-most-text = 已使用 { $used } 点，共 { $limit } 点。点数用完后，监测会等到下个月。
credits-none-title = 本月的监测点数已用完
credits-none-text = 点数不足的监测将在下个月的第一个小时内重新运行。
sign-in-title = 您的账户有新的登录
sign-in-text = 一个从未用于此账户的浏览器从 { $network } 登录：{ $time }。如果是您本人，则无需处理。如果不是，请设置新密码。
factor-added-title = 您的账户已添加第二重验证
passkey-added-title = 您的账户已添加通行密钥
single-sign-on-added-title = 您的账户已连接单点登录
single-sign-on-removed-title = 您的账户已断开单点登录
factor-removed-title = 您的账户已移除第二重验证
sign-in-changed-text = 时间：{ $time }。如果是您本人，则无需处理。如果不是，请设置新密码。
key-title = 已创建一个 API 密钥
key-text = 其名称为“{ $name }”。如果不是您创建的，请撤销它并设置新密码。
app-title = 一个应用已连接到您的账户
app-text = 它自称“{ $app }”；此名称未经验证。如果您没有允许它，请撤销其访问权限并设置新密码。
off-title = 渠道“{ $name }”已关闭
off-gone = 它回复说不再接收消息（410）。
off-refused = 邮件服务器表示此地址不存在。
off-failing = 三天内没有任何消息能够送达。
off-text = { $why }消息会保留七天，并在渠道重新开启后发送。
plan-title = { $count } 个渠道已关闭
plan-text = 您的套餐最多允许 { $limit } 个启用的渠道。最新的渠道已关闭：{ $names }。它们的消息会保留七天。
quoted = “{ $name }”
test-title = 此渠道的测试
test-text = Carrel 的消息会这样送达。
digest-title = 截至 { $date } 的动态
today-unread = 未读
today-changes = 变化
today-started = 继续阅读
today-saved = 最近保存
today-waiting = 很久以前保存
today-this-day = 往年今日
today-attention = 需要您留意
today-highlights = 待复习的标注
today-review =
    { $count ->
       *[other] 今天有 { $count } 条标注待复习。
    }
stop-link = 退订
several-title = 多项变化
entries-title = { $count } 个新条目
item-saved-title = 已保存：{ $title }
items-saved-title = 已保存 { $count } 项
missed-title = 此渠道错过的消息
collected-count = { $count } 条消息：
more = 还有 { $count } 条。
more-short = 还有 { $count } 条
snooze = 推迟或静音此监测：{ $link }
snooze-short = 推迟或静音：{ $link }
template-failed = （此渠道的模板出错。{ $error }。）
stop = 不再接收这些消息：{ $link }
confirm-subject = 确认接收 Carrel 消息的地址
confirm-body =
    有人在 { $origin } 拥有账户，并希望将该账户的消息发送到此地址。

    如果是您本人，请打开此链接并按下按钮：

    { $link }

    如果不是，则无需任何操作：不会向您发送任何内容。
