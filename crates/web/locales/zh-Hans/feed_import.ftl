# Import and export of lists of feeds.

opml-title = 导入和导出
opml-heading = 导入和导出订阅源
opml-words = OPML 文件，任何阅读器都能导出。文件夹会变为合集。已关注的订阅源保持不变。
opml-download = 以 OPML 下载订阅源
opml-running = <1>正在进行导入</1>。
opml-last = 上次导入的结果
feed-import-running = 正在导入您的订阅源
feed-import-finished = 您的订阅源已导入
feed-import-reloads = 此页面会不断刷新直到导入结束。您可以离开后再回来。
feed-import-checked = 已检查的订阅源
feed-import-empty = 文件中没有订阅源。
feed-import-to-feeds = 前往订阅源
feed-import-stopped-words = 已导入的订阅源保留。
feed-import-unknown = 文件不是 OPML 格式的订阅列表，或已损坏。请从您的阅读器重新导出。书签和保存的网页请在“文库 › 导入”页面导入。
feed-import-too-large = 读取该文件需要过多时间或内存。未导入任何内容。
feed-import-again = 请重新导入文件。已导入的订阅源不会重复添加。
feed-import-in-file = 文件中的订阅源
feed-import-known = 已关注
feed-import-refused = 未导入
feed-import-collections = 已创建的合集
feed-import-no-collection = 无合集，因为您的套餐不允许更多
feed-import-problems = 未按文件导入的内容及原因
feed-import-problem = 第 { $row } 个订阅源：{ $reason }
feed-import-more = 以及另外 { $amount } 个。
