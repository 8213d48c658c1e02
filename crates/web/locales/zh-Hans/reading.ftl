# Reading pages and reading settings.

reading-source = 来源
reading-minutes =
    { $count ->
        [0] 不到 1 分钟
       *[other] { $count } 分钟
    }
reading-printed = 来源：{ $address }，读取于 { $day } { $time } UTC。
reading-truncated = 来源缺少一部分：内容过长，或无法转换为文本。
reading-paywall = 来源对未订阅的访客只显示预览。
reading-scripts = 来源的部分文本只在运行脚本的浏览器中显示。
reading-passages = 与搜索匹配的段落。<1>显示全文</1>
reading-no-match = 文本中没有与“{ $query }”匹配的内容。
reading-next = 下一页
reading-formats = 其他格式：<1>文本</1>、<2>Markdown</2> 或 <3>JSON</3>。
reading-save = 保存
reading-listen = 朗读
reading-stop = 停止
reading-aa = ：阅读设置
reading-more = 更多
reading-outline = 目录
reading-check = 核对引文
reading-watch = 监测此页
reading-follow = 关注此网站
reading-original = 打开原文
reading-epub = 下载 EPUB
reading-markdown = 下载 Markdown
reading-another = 阅读其他网页
reading-fetched = { $age }获取
reading-fetch-again = 重新获取
reading-find-label = 在文本中查找
reading-find = 查找
quotation = 引文
quotation-check = 核对
appearance-save = 保存设置
appearance-theme = 颜色
appearance-theme-auto = 跟随设备
appearance-theme-light = 浅色
appearance-theme-sepia = 米色
appearance-theme-dark = 深色
appearance-size = 字号
appearance-size-m = 中
appearance-size-s = 小
appearance-size-l = 大
appearance-size-xl = 特大
appearance-width = 正文宽度
appearance-width-medium = 中
appearance-width-narrow = 窄
appearance-width-wide = 宽
appearance-face = 字体
appearance-face-serif = 宋体
appearance-face-sans = 黑体
appearance-scroll = 将条目标为已读
appearance-scroll-open = 打开时
appearance-scroll-pass = 滚动经过时也算（需要脚本）
appearance-pictures = 图片
appearance-pictures-show = 显示
appearance-pictures-hide = 只显示说明和链接
appearance-spacing = 行距
appearance-spacing-normal = 标准
appearance-spacing-tight = 紧凑
appearance-spacing-loose = 宽松
appearance-density = 列表
appearance-density-cosy = 舒适
appearance-density-compact = 紧凑
appearance-density-magazine = 杂志
