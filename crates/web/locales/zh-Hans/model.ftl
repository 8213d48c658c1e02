# Language model: what is sent to it, and the switch of the account.

model = 语言模型
model-purpose = 语言模型可以为已保存的内容和未读条目写摘要。在您开启之前，它处于关闭状态。
model-manage = 管理语言模型
model-is-on = 您账户的语言模型{ $state }。
model-is-off = 您账户的语言模型{ $state }。不会向它发送任何内容。
model-on = 已开启
model-off = 已关闭
model-switch-on = 开启
model-switch-off = 关闭
model-switched-on = 已开启。已保存内容的页面上有生成摘要的按钮，合集的条目中有摘要链接。
model-switched-off = 已关闭。不再发送任何内容。已有的摘要会保留。
model-sent = 发送的内容
model-sent-summary = 为内容写摘要时：标题、正文的前 { $characters } 个字符，以及最多 { $tags } 个标签名称。
model-sent-briefing = 为合集写摘要时：最多 { $entries } 条未读条目的标题，以及其摘要的前 { $characters } 个字符。
model-sent-search = 按含义搜索时：您搜索的词。在文库中：最新 { $items } 项内容的标题和正文的前 { $characters } 个字符。
model-sent-entries = 按含义搜索订阅条目时：最新 { $unread } 条未读条目和 { $starred } 条星标条目的标题，以及摘要的前 { $characters } 个字符。
model-sent-when = 仅当您在内容页面上按{ $summarize }、在合集页面上按{ $briefing }、按含义搜索，或持有您密钥的程序请求时。
model-sent-never = 绝不发送您的姓名、地址、笔记或标注。
model-briefing-button = 撰写摘要
model-where = 发送到哪里
model-where-words = 发送到此服务运营者选择的模型 { $model }（{ $host }）。该服务器的运营者可以读取发送的内容。
model-with-embeddings = { $model }（按含义搜索时为 { $other }）
model-answer = 如何处理回答
model-answer-words = 回答显示为文本，可能有误。它不会更改任何内容：建议的标签只有在您按下时才会添加。
model-limit = 您的套餐每天允许 { $amount } 次请求。
model-answer-numbers = 按含义搜索时，回答是数字列表。您文本的列表在您关闭模型时删除。条目的列表也用于关注同一订阅源的其他账户，新闻邮件、监测和需要登录的订阅源除外。
