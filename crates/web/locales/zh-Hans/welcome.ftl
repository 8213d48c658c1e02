# First steps of a new account.

welcome-followed = 您已关注这些订阅源。其条目几分钟后显示。
welcome-none = 未选择任何内容。请先选择订阅源，再关注。
welcome-follow-words = 您关注的网站的新条目会汇集到一个列表中。
welcome-site = 网站地址
welcome-bring = 从其他阅读器：<1>带来您的订阅源（OPML）</1>。从浏览器：<2>带来您的书签</2>。
welcome-save-words = 文库保存全文。您可以标注、添加笔记，并重新找到每个词。
welcome-page = 网页地址
welcome-ways = <1>在任何网页上一键保存</1>。
welcome-watch-words = Carrel 会替您检查网页，在价格下降或其他内容变化时通知您。
welcome-watched = 商品或网页的地址
welcome-today = 前往“今日”
welcome-skip = 跳过这些步骤
welcome-suggested = 或从这些订阅源中选择
welcome-follow-selected = 关注所选
topic-news = 新闻
topic-science = 科学
topic-technology = 科技
topic-programming = 编程
topic-culture = 思想与文化
topic-comics = 漫画与美食
