# Rules for saved items.

item-rules = 已保存项目的规则
item-rules-words = 规则会在读取正文后对每个新项目更改一次。导入的项目不会更改。公开或共享的标签不会添加。
item-rules-created = 规则已创建，适用于您今后保存的项目。
item-rules-changed = 规则已更改。
item-rules-deleted = 规则已删除。
item-rules-name = 规则名称
item-rules-query = 与此搜索匹配的项目
item-rules-query-hint = 例如 domain:example.org 或 title:发票。词语和筛选条件与搜索相同。
item-rules-status = 移动到
item-rules-status-none = 不移动
item-rules-adds = 添加标签：{ $tags }
item-rules-moves = 移动到：{ $status }
item-rules-nothing = 不作更改
item-rules-matches = 目前匹配数：{ $count }
item-rules-items = 显示匹配的项目
item-rules-withheld = 因公开或共享而不添加：{ $tags }
item-rules-edit-named = 编辑“{ $name }”
item-rules-up = 上移
item-rules-up-named = 上移“{ $name }”
item-rules-down = 下移
item-rules-down-named = 下移“{ $name }”
item-rules-stay = 规则更改过的项目保持现状。
