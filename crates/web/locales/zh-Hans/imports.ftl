# Import of files into the library.

import-words = 您可以导入书签、稍后阅读服务的导出、阅读器的标注、参考文献、URL 列表以及 Carrel 自身的导出。
import-checked-first = 先检查文件。您可以看到将导入的内容，然后再决定。
import-file = 文件
import-format = 格式
import-detect = 自动检测
import-include = 从 Carrel 的导出中，同时导入订阅源、监测、设置、规则和阅读位置
import-check = 检查文件
import-fields = 各格式导入的内容
import-servers = <1>从服务器导入</1>：Karakeep、wallabag、linkding、Readeck、Miniflux、FreshRSS、Readwise、Raindrop 或 Pinboard。
import-opml = 以 <1>OPML</1> 导入订阅源。
import-folders = 文件夹
import-folders-path = 一个含路径的标签
import-folders-tags = 每个文件夹一个标签
import-folders-none = 不加标签
import-undone = 已撤销导入。
import-no-rows = 没有可重试的行。
import-no-file = 文件或其行列表已不再保存。请重新导入：已有内容不会重复添加。
import-reloads = 此页面会不断刷新直到完成。您可以离开后再回来。
import-rows-checked = 已检查的行
import-removed = 导入所添加的全部内容已移除，您此后更改过的项目除外。
import-can-undo = 您可以撤销此次导入，该选项{ $time }失效。您更改过的项目以及对已有项目的补充会保留。
import-heading-undoing = 正在撤销导入
import-heading-checking = 正在检查文件
import-heading-running = 正在导入
import-heading-preview = 导入预览
import-heading-undone = 导入已撤销
import-heading-finished = 导入完成
import-heading-stopped = 导入已停止
import-heading-failed = 导入失败
import-you-stopped = 您在完成前停止了导入。
import-unknown-format = 文件中没有此格式的数据。请选择其他格式或自动检测。
import-damaged = 文件已损坏，或与其声称的类型不符。
import-too-large = 文件过大、行数过多，或包含占用过多内存的行。
import-incomplete = 导入无法完成。
import-rows = 行
import-would-be-new = 将新增
import-new = 新增
import-existing = 已存在
import-skipped = 已跳过
import-failed = 失败
import-annotations = 笔记和标注
import-part-feed-settings = 订阅源设置
import-part-rules = 规则
import-part-templates = 消息模板
import-part-account-settings = 账户设置
import-part-positions = 阅读位置
import-parts-uncounted = 订阅源、监测、设置、规则和阅读位置也会导入。导入时才会计数。
import-problems =
    { $count ->
       *[other] { $count } 个问题
    }
import-problems-first =
    { $count ->
       *[other] 前 { $count } 个问题
    }
import-row-reason = 第 { $row } 行：{ $reason }
import-stop = 停止
import-to-library = 前往文库
import-retry = 重试失败的行
import-from-server = 从服务器导入
import-continue = 继续导入
import-other-file = 选择其他文件
import-undo = 撤销导入
import-rows-gone = 行已不再列出，因为较新的导入需要空间。
import-no-match = 没有匹配的行。
import-more-rows = 更多行
import-download-rows = 以 CSV 下载全部行
import-with-problems = 有问题
import-annotation = 笔记或标注
import-untitled = 无标题
import-row = 第 { $row } 行
import-columns = 列
import-columns-words = 这是 Carrel 对文件各列的建议。如果更改字段，请在导入前重新检查文件。
import-check-again = 重新检查
