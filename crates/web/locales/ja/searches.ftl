# Saved searches.

search-renamed = 検索の名前を変更しました。
search-deleted = 検索を削除しました。
searches-query = 検索条件
searches-none = 保存した検索はありません。ライブラリまたは記事を検索し、結果の上の「この検索を保存」を選んでください。
searches-in-library = ライブラリ内
searches-in-entries = フィードの記事内
search-feed-created = フィードのアドレスが新しくなりました。以前のアドレスは使えません。
search-feed-deleted = フィードを削除しました。アドレスは使えません。
searches-feed-words = 検索ごとに、最新の結果 50 件の非公開フィードを作れます。どのフィードリーダーでも読めますが、アドレスを知っている人は誰でも読めます。
searches-feed-address = 「{ $name }」のフィードのアドレス
searches-feed-create = フィードを作成
searches-feed-create-named = 「{ $name }」のフィードを作成
searches-feed-new = フィードの新しいアドレス
searches-feed-new-named = 「{ $name }」のフィードの新しいアドレス
searches-feed-delete = フィードを削除
searches-feed-delete-named = 「{ $name }」のフィードを削除
