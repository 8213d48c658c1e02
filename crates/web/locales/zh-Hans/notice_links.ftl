# Pages behind links in messages: confirming an address, unsubscribing, and snoozing a monitor.

notice-confirm = 确认您的地址
notice-confirm-words = 要将 Carrel 的消息发送到 { $address } 吗？此服务的一位用户提出了请求。
notice-confirm-button = 确认
notice-confirm-not-you = 如果不是您本人，请关闭此页面。不会向您发送任何内容。
notice-confirmed = 地址已确认
notice-confirmed-words = 消息现在发送到 { $address }。每条消息都有退订链接。
notice-stop = 退订
notice-stop-question = 要退订吗？
notice-stop-monitor = 有关监测 { $monitor } 的消息发送到 { $address }。
notice-stop-feed = 订阅源 { $feed } 的新条目发送到 { $address }。
notice-stop-monitors = 有关所有监测、订阅源和已保存内容的消息发送到 { $address }。
notice-stop-daily = 每日邮件以及有关所有监测、订阅源和已保存内容的消息发送到 { $address }。
notice-stop-saved = 有关已保存内容的消息发送到 { $address }。
notice-stop-account = 账户消息（点数、登录、密钥和应用）发送到 { $address }。
notice-stop-everything = 有关监测和账户的消息发送到 { $address }。
notice-stopped-title = 已退订
notice-stopped = 您已退订
notice-stopped-monitor = 有关监测 { $monitor } 的消息不再发送到 { $address }。
notice-stopped-feed = 订阅源 { $feed } 的新条目不再发送到 { $address }。
notice-stopped-monitors = 有关监测、订阅源和已保存内容的消息不再发送到 { $address }。
notice-stopped-daily = 每日邮件以及有关监测、订阅源和已保存内容的消息不再发送到 { $address }。
notice-stopped-saved = 有关已保存内容的消息不再发送到 { $address }。
notice-stopped-account = 账户消息不再发送到 { $address }。
notice-stopped-everything = 消息不再发送到 { $address }。如要重新接收，请再次确认地址。
notice-snooze = 暂停提醒
notice-snooze-question = 暂停 { $monitor } 的提醒？
notice-snooze-channel = 有关此监测的消息发送到渠道 { $channel }。
notice-snooze-words = 其间发现的变化会在之后合并为一条消息发送。订阅源和监测页面上仍完整保留。
notice-muted = 已静音
notice-muted-words = 有关 { $monitor } 的消息不再发送到 { $channel }。如要重新接收，请在监测页面选择该渠道。
notice-snoozed = 已暂停提醒
notice-snoozed-until = 下次发送消息：{ $time }。
notice-resumed = 消息已恢复发送
notice-resumed-words = 有关 { $monitor } 的消息发送到 { $channel }。
notice-for-days =
    { $count ->
       *[other] { $count } 天
    }
notice-resume = 恢复发送
notice-mute = 在此静音此监测
notice-invalid-title = 链接无效
notice-invalid = 此链接已失效
notice-invalid-words = 已发送更新的链接，或其对象已不存在。
