# Export of the library.

export-everything = 全部
export-everything-words = 文章、文件、标签、笔记和标注，以及您的订阅源、星标、规则、监测及其变化。可以再次导入。
export-bookmarks = 书签
export-bookmarks-words = 地址、标题和标签，适用于任何浏览器。
export-table = 表格
export-table-words = 每个项目一行，用于电子表格。
export-cards = 卡片
export-cards-words = 标注的填空和问题，供 Anki 使用的文本。
export-create = 创建导出
export-feeds = 以 <1>OPML</1> 导出您的订阅源。
export-creating = 正在创建导出
export-reloads = 此页面会不断刷新直到导出就绪。您可以离开后再回来。
export-written = 已写入的项目
export-progress = { $done }/{ $total }
export-failed = 导出失败
export-failed-words = 无法创建导出。<1>重试</1>。
export-yours = 您的导出
export-expires = 文件将{ $time }删除。
export-delete = 删除导出
export-part = 下载第 { $number } 部分
export-kilobytes = { $amount } KB
