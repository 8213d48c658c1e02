# Rules for saved items.

item-rules = 保存したアイテムのルール
item-rules-words = ルールは、新しいアイテムの本文を読み取ったあと、一度だけ変更します。インポートしたアイテムは変更されません。公開または共有のタグは付きません。
item-rules-created = ルールを作成しました。これから保存するアイテムに適用されます。
item-rules-changed = ルールを変更しました。
item-rules-deleted = ルールを削除しました。
item-rules-name = ルールの名前
item-rules-query = この検索に一致するアイテム
item-rules-query-hint = 例：domain:example.org、title:請求書。語とフィルターは検索と同じです。
item-rules-status = 移動先
item-rules-status-none = 移動しない
item-rules-adds = 付けるタグ：{ $tags }
item-rules-moves = 移動先：{ $status }
item-rules-nothing = 何も変更しません
item-rules-matches = これまでの一致：{ $count }
item-rules-items = 一致するアイテムを表示
item-rules-withheld = 公開または共有のため付かないタグ：{ $tags }
item-rules-edit-named = 「{ $name }」を編集
item-rules-up = 上へ
item-rules-up-named = 「{ $name }」を上へ移動
item-rules-down = 下へ
item-rules-down-named = 「{ $name }」を下へ移動
item-rules-stay = ルールが変更したアイテムはそのまま残ります。
