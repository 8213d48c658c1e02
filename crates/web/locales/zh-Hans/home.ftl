# Home page.

home-heading = 阅读、关注、保存和监测网络
home-purpose = { $name } 将网页变成清爽的文本，带来您喜欢的网站的新内容，保存您想记住的东西，并在网页变化时通知您。
home-try = 试一试：粘贴文章的地址
home-read = 阅读
home-read-words = 把任何文章、文档或 PDF 变成清爽的文本，没有广告和弹窗。可以朗读，也可以作为电子书带走。
home-follow = 关注
home-follow-words = 博客、新闻、播客和频道汇成一个列表。可从其他阅读器导入订阅源。
home-save = 保存
home-save-words = 保存网页和文件的全文。可以标注、记笔记，并随时找到每个词。
home-watch = 监测
home-watch-words = 价格下降、商品到货或网页变化时，您会收到消息。
home-picture-today = “今日”页面：下降的价格和所关注网站的新条目
home-picture-text = 一篇已保存的文章，其中一句已高亮
home-picture-monitor = 一个被监测的价格及其数值图表
home-everywhere = 可在任何设备的浏览器、订阅和稍后读应用以及电子书阅读器中使用。经您允许，<1>AI 助手</1>也可以使用。
home-no-account = 此服务还没有账户。请在这里创建第一个账户，或在服务器上运行 { $command }。
home-programs = 供程序使用
home-programs-words = 把此地址放在任何其他地址之前，或使用 <1>API</1>。无需密钥。
