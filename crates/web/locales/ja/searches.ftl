# Saved searches.

search-renamed = 検索の名前を変更しました。
search-deleted = 検索を削除しました。
searches-none = 保存した検索はありません。ライブラリまたは記事を検索し、結果の上の「この検索を保存」を選んでください。
searches-in-library = ライブラリ内
searches-in-entries = フィードの記事内
