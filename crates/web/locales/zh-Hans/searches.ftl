# Saved searches.

search-renamed = 已重命名搜索。
search-deleted = 已删除搜索。
searches-query = 搜索条件
searches-none = 您还没有已保存的搜索。请在文库或条目中搜索，然后在结果上方选择“保存此搜索”。
searches-in-library = 在文库中
searches-in-entries = 在订阅条目中
search-feed-created = 订阅源有了新地址。之前的地址不再有效。
search-feed-deleted = 订阅源已删除，其地址不再有效。
searches-feed-words = 搜索可以有一个私密订阅源，包含最新的 50 条结果，可用于任何阅读器。知道其地址的人都能阅读。
searches-feed-address = “{ $name }”的订阅源地址
searches-feed-create = 创建订阅源
searches-feed-create-named = 创建“{ $name }”的订阅源
searches-feed-new = 新的订阅源地址
searches-feed-new-named = “{ $name }”订阅源的新地址
searches-feed-delete = 删除订阅源
searches-feed-delete-named = 删除“{ $name }”的订阅源
