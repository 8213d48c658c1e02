# Groups, lists, and changes of monitors, and the forms that edit, copy, and delete one.

groups-heading = 监测分组
groups-deleted = 已删除分组。其监测保留各自的设置。
groups-words = 同一分组的监测共享间隔、静默时段和渠道等设置。分组可以有公开页面和订阅源。
groups-public = 公开
groups-new = 新分组
groups-create = 创建分组
groups-count =
    { $count ->
       *[other] { $count } 个监测
    }
groups-in-group = 此分组中有{ $link }。
group-made = 分组已创建。可在监测的表单中选择它，或为列表中所选的监测选择。
group-saved = 分组已保存。
group-title = 分组
group-publish = 公开页面和订阅源
group-publish-words = 任何持有链接的人都可以查看监测的名称及其变化。关闭后，链接将永久失效。
group-new-monitor = 在此新建监测
group-shared-words = 共享设置适用于分组中的每个监测，除非该监测另有设置。停止共享某项设置后，每个监测保留其值。
group-check = 检查
group-own-interval = 各监测自己的设置
group-share-days = 共享这些日期和时间
group-share-channels = 共享这些渠道
group-page = 公开页面
group-page-words = 任何持有此链接的人都可以阅读该页面。如果页面是私密的，请像对待密码一样对待链接。
group-page-link = 页面链接
group-delete-question = 删除分组 { $name }？
group-delete-words = 其监测保留当前设置。公开页面和订阅源将永久失效。
group-delete = 删除分组
duplicate-name = { $name }（副本）
duplicate-heading = 复制 { $name }
duplicate-words = 副本具有此监测的全部设置，并监测另一个地址。之后可以编辑。
duplicate-create = 创建副本
lists-heading = 导入和导出监测
lists-words = changedetection.io 的备份（ZIP）、urlwatch 的列表（urls.yaml）或本服务的导出。已有的监测保持不变。
lists-download = 以 JSON 下载监测
lists-imported = 您的监测已导入
lists-program = 该文件是 { $program } 的列表。
lists-new = 新增
lists-existing = 已存在
lists-refused = 未导入
lists-not-read = 未读取
lists-not-read-words = 部分监测未读取：它们已损坏，或列表超过 1000 个。
lists-show = 显示监测
lists-line-new = { $monitor }：新增
lists-line-existing = { $monitor }：已存在
lists-line-refused = { $monitor }：未导入。{ $reason }
lists-without = 不含：{ $settings }
changes-search = 搜索变化
changes-no-match-newest = 最新的变化中没有匹配项。
changes-no-match = 没有匹配的变化。
changes-older = 更早的变化
monitor-edit-heading = 编辑 { $name }
monitor-edit-preview-empty = 预览可显示按这些设置会报告哪些过去的变化。
monitor-edit-baseline = 如果更改地址或监测内容，下一次检查将成为新的基准。
monitor-edit-preview = 用过去的变化预览
monitor-edit-replayed =
    { $count ->
       *[other] 按这些设置，最近 { $count } 个变化中有 { $left } 个会被报告。
    }
monitor-edit-reported = 报告：{ $change }
monitor-edit-not-reported = 不报告：{ $change }
monitor-edit-unknown = 未知：{ $change }
monitor-edit-past = 过去的变化
monitor-rotate-question = 替换 { $name } 的订阅源链接？
monitor-rotate-words = 当前订阅源链接和所有变化的链接会立即失效。阅读器需要新的链接。监测及其检查的网页保持不变。
monitor-rotate = 替换链接
monitor-delete-question = 删除 { $name }？
monitor-delete-words = 其检查记录和变化将被删除，其订阅源返回 410 Gone。此操作无法撤销。
monitor-delete-button = 删除监测
