# Saved searches.

search-renamed = 已重命名搜索。
search-deleted = 已删除搜索。
searches-none = 您还没有已保存的搜索。请在文库或条目中搜索，然后在结果上方选择“保存此搜索”。
searches-in-library = 在文库中
searches-in-entries = 在订阅条目中
