# Details, notes, tags, copies, and deletion of library items.

edit-author = 作者
edit-tags-hint = 用逗号分隔，最多 12 个。
edit-kind = 类型
note-item-deleted = 其所属项目已删除。
note-item-deleted-titled = 其所属项目已删除：{ $title }。
note-delete-highlight = 删除标注
note-back = 返回项目
note-delete = 删除笔记
quote-share = 分享此引文
quote-title = 分享引文
quote-back = 返回标注
quote-text = 引文及出处
quote-original = 原网页中的引文
quote-original-words = { $link }。在大多数浏览器中，该链接会标出引文。
quote-own = <1>您文库中的标注</1>。只有您能打开此链接。
public-tag-published = 标签已公开。请分享其链接。
public-tag-private = 标签已恢复私有。旧链接不再有效。
public-tag-name = 标签
public-tag-hint = 页面会显示有公开网址的项目：标题、地址、保存时间，以及从该地址抓取的正文开头。您的笔记、标注、其他标签和文件绝不会显示。
public-tags = 公开标签
public-tags-words = 公开标签有一个页面和一个订阅源，任何持有链接的人无需账户即可阅读。
public-tags-yours = 您的公开标签
public-tags-publish-heading = 公开标签
public-tags-publish = 公开
public-tag-link = “{ $tag }”的链接
public-tag-feeds = <1>打开页面</1>。其订阅源提供 <2>RSS</2>、<3>Atom</3> 和 <4>JSON Feed</4>。
public-tag-hide-named = 将“{ $tag }”设为私有
public-tag-hide = 设为私有
shared-added = 已添加网页。
shared-removed = 已从此标签移除网页。所有者仍保留它。
shared-joined = 您已加入团队。
shared-none = 暂无内容。有人邀请您加入团队后，其标签和监测会显示在这里。
shared-teams = 您的团队
shared-can-add = 您可以添加网页
shared-no-changes = 尚无变化
shared-no-pages = 尚无网页。
shared-pages = 网页
shared-older = 更早的网页
shared-tag = 共享标签
shared-save = 保存到我的文库
shared-add-page = 添加网页
shared-add-hint = 它会保存到所有者的文库中。
shared-add = 添加
shared-remove = 移除
shared-remove-named = 移除“{ $name }”
shared-changes = 最近的变化
shared-monitor = 共享监测
copy-requested = 正在复制网页。此页面会不断刷新直到副本就绪。
copy-deleted = 已删除副本。
copy-page = 网页
copy-page-words = 一个含文本、样式和图片、不含脚本的文件。可在任何浏览器中打开。
copy-picture = 图片
copy-picture-words = 整个网页的 PNG。
copy-pdf-words = 网页的打印版式。
copy-words = 副本占用您的存储空间，并耗费五次新提取。它包含在您的导出中。
copy-open = 打开副本
copy-from = { $time }，{ $size } KB
copy-waiting = 正在复制。
copy-fault-storage = 无法复制网页：您的存储空间已用尽。请删除文件或项目。
copy-fault-robots = 无法复制网页：其网站不允许程序读取。
copy-fault-content = 无法复制网页：对浏览器而言过大或过于复杂。
copy-fault-browser = 无法复制网页：浏览器没有响应。请重试。
copy-fault-address = 无法复制网页：网页无法打开。请检查地址后重试。
copy-replace = 替换
copy-create = 复制
delete-items-question =
    { $count ->
       *[other] 删除这 { $count } 个项目？
    }
delete-items-words = 一分钟后将连同文件永久删除。在此之前可以撤销。
delete-items-annotations = 同时删除其笔记和标注。否则它们会保留，您可以通过搜索找到。
delete-items-title = 删除
tags-none = 尚无标签。可在项目页面添加，或在列表中为多个项目添加。
tags-words = 如果将标签重命名为另一标签的名称，二者会合并。如果那个标签是公开的或与团队共享，两者的项目也同样如此。标签可以有<1>公开页面</1>。
tags-yours = 您的标签
tags-count =
    { $count ->
       *[other] { $count } 个项目
    }
tags-remove-named = 从所有项目移除“{ $name }”
