# Pages that anyone with their link may read: groups, tags, and changes of monitors.

public-not-found = ページが見つかりません
public-not-found-words = リンクが正しくありません。全体が含まれているか確認してください。
public-gone = このページは公開されていません
public-gone-words = 所有者が削除したか、新しいリンクに変えました。
public-gone-title = 公開終了
public-unavailable = 一時的に利用できません
public-unavailable-words = 数秒後にもう一度お試しください。
public-group-follow = フィードリーダーで変更を購読: <1>RSS</1>、<2>Atom</2>、<3>JSON Feed</3>。
public-no-monitors = まだモニターはありません。
public-tag-not-found = リンクが正しくないか、所有者が共有をやめました。
public-tag-follow = フィードリーダーでこの一覧を購読: <1>RSS</1>、<2>Atom</2>、<3>JSON Feed</3>。
public-no-items = まだ何もありません。
public-newest = 最新の { $number } 件を表示しています。
change-not-found = 変更が見つかりません
change-not-found-words = リンクが正しくないか、変更が削除されました。
change-gone = このリンクはもう使えません
change-gone-words = フィードのリンクが変わったか、公開が終わりました。
change-gone-title = リンク切れ
change-of = { $monitor } の変更
change-detected = 検出
change-address = アドレス
change-differences = 差分
change-views = 表示
change-sides = 並べて
change-inline = 本文中
change-before = 前
change-after = 後
change-rest =
    { $count ->
       *[other] ほか { $count } 件の差分は表示していません。
    }
change-legend = 削除された部分は取り消し線、追加された部分は下線で示します。
change-unknown-size = サイズ不明
change-no-screenshot = このスクリーンショットは保存されていません。大きすぎるか古すぎる、または保存領域がいっぱいです。
change-earlier = 前の変更
change-later = 後の変更
change-count-added = 追加 { $count }
change-count-removed = 削除 { $count }
change-count-changed = 変更 { $count }
change-count-moved = 移動 { $count }
change-unchanged =
    { $count ->
       *[other] 変更のない { $count } 行
    }
change-whole = 変更が大きすぎて、行ごとに比べられません。
change-before-value = 前:
change-after-value = 後:
change-link = リンク: { $link }
change-fell = { $amount } 減
change-rose = { $amount } 増
change-new = 新規
change-removed = 削除
change-changed = 変更
change-moved = 移動
change-removed-part = 削除:
change-added-part = 追加:
change-explanation-pending = 言語モデルが変更を説明しています。
change-explanation-none = 言語モデルは変更を説明できませんでした: { $reason }
change-explanation-by = 言語モデル { $name } が作成しました。誤りを含むことがあります。
change-explanation-irrelevant = この変更は希望とは関係ないと判断されました。
change-explanation-withheld = この変更は希望とは関係ないと判断されたため、通知は送られませんでした。
