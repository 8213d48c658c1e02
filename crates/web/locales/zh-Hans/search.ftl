# Search in the library and in feeds, and search by meaning.

search-help = 可用词语、{ $phrase }、{ $without }、{ $tag } 和 { $domain } 查找项目、笔记、标注和条目。输入地址可打开网页。
search-whole-phrases = "完整短语"
search-without = -排除
search-all-library = 文库中的全部结果
search-similar = 没有精确匹配。以下结果包含相近的词。
search-all-feeds = 订阅源中的全部结果
search-again = 重新搜索
search-none = 无结果
search-more-than = 超过 { $amount }
search-note = 笔记
search-highlight = 标注
meaning-requested = 正在搜索。结果就绪后会显示在此页面。
meaning-words = 描述您对某篇文章的印象。文章不必包含这些词。
meaning-form = 按含义搜索文库
meaning-query = 文章描述
meaning-off = 语言模型已关闭。<1>设置</1>
meaning-searching = 正在搜索 { $query }。首次搜索需要更久，因为要首次比对文章。
meaning-failed = 没有结果：{ $reason }。
meaning-results = { $query } 的结果
meaning-none = 没有匹配的项目。
meaning-compared = { $time }比对了 { $number } 个项目的文章。
meaning-unindexed = 尚未比对：{ $number }。再次搜索以继续。
meaning-request-failed = 有一个请求失败：{ $reason }。
