# Details, notes, tags, copies, and deletion of library items.

edit-author = 著者
edit-tags-hint = コンマ区切り、12 個まで。
edit-kind = 種類
note-item-deleted = 元のアイテムは削除されました。
note-item-deleted-titled = 元のアイテムは削除されました: { $title }。
note-delete-highlight = ハイライトを削除
note-back = アイテムに戻る
note-delete = メモを削除
quote-share = この引用を共有
quote-title = 引用を共有
quote-back = ハイライトに戻る
quote-text = 出典付きの引用
quote-original = 元のページの引用箇所
quote-original-words = { $link }。多くのブラウザーで引用箇所が強調されます。
quote-own = <1>ライブラリのハイライト</1>。このリンクを開けるのはあなただけです。
public-tag-published = タグを公開しました。リンクを共有してください。
public-tag-private = タグを非公開に戻しました。以前のリンクは使えません。
public-tag-name = タグ
public-tag-hint = 公開アドレスのあるアイテムがページに載ります。タイトル、アドレス、保存日時と、アドレスから取得した場合は本文の冒頭です。メモ、ハイライト、ほかのタグ、ファイルは載りません。
public-tags = 公開タグ
public-tags-words = 公開タグには、リンクを知っている人ならアカウントなしで読めるページとフィードがあります。
public-tags-yours = あなたの公開タグ
public-tags-publish-heading = タグを公開
public-tags-publish = 公開
public-tag-link = 「{ $tag }」のリンク
public-tag-feeds = <1>ページを開く</1>。フィードは <2>RSS</2>、<3>Atom</3>、<4>JSON Feed</4> で読めます。
public-tag-hide-named = 「{ $tag }」を非公開にする
public-tag-hide = 非公開にする
shared-added = ページを追加しました。
shared-removed = このタグからページを外しました。所有者のもとには残っています。
shared-joined = チームに参加しました。
shared-none = まだありません。チームに招待されると、そのタグとモニターがここに表示されます。
shared-teams = あなたのチーム
shared-can-add = ページを追加できます
shared-no-changes = まだ変更なし
shared-no-pages = まだページはありません。
shared-pages = ページ
shared-older = 以前のページ
shared-tag = 共有タグ
shared-save = 自分のライブラリに保存
shared-add-page = ページを追加
shared-add-hint = 所有者のライブラリに保存されます。
shared-add = 追加
shared-remove = 外す
shared-remove-named = 「{ $name }」を外す
shared-changes = 最近の変更
shared-monitor = 共有モニター
copy-requested = ページをコピーしています。コピーの準備ができるまで再読み込みされます。
copy-deleted = コピーを削除しました。
copy-page = ページ
copy-page-words = 本文、スタイル、画像を含む、スクリプトなしの 1 ファイル。どのブラウザーでも開けます。
copy-picture = 画像
copy-picture-words = ページ全体を PNG で。
copy-pdf-words = 印刷したときのページ。
copy-words = コピーは保存容量に含まれ、新規取得 5 回分を使います。書き出しにも含まれます。
copy-open = コピーを開く
copy-from = { $time }、{ $size } KB
copy-waiting = コピー中です。
copy-fault-storage = ページをコピーできませんでした: 保存容量を使い切りました。ファイルやアイテムを削除してください。
copy-fault-robots = ページをコピーできませんでした: サイトがプログラムによる読み取りを許可していません。
copy-fault-content = ページをコピーできませんでした: ブラウザーで扱うには大きすぎるか複雑すぎます。
copy-fault-browser = ページをコピーできませんでした: ブラウザーが応答しませんでした。もう一度お試しください。
copy-fault-address = ページをコピーできませんでした: 開けませんでした。アドレスを確認して、もう一度お試しください。
copy-replace = 置き換える
copy-create = コピー
delete-items-question =
    { $count ->
       *[other] { $count } 件のアイテムを削除しますか？
    }
delete-items-words = 1 分後にファイルも含めて完全に削除されます。それまでは元に戻せます。
delete-items-annotations = メモとハイライトも削除する。しない場合は残り、検索で見つけられます。
delete-items-title = 削除
tags-none = まだタグはありません。アイテムのページ、または一覧で複数のアイテムに付けられます。
tags-words = タグをほかのタグと同じ名前にすると、二つは統合されます。そのタグが公開またはチームと共有されていれば、両方のアイテムがそうなります。タグには<1>公開ページ</1>を付けられます。
tags-yours = あなたのタグ
tags-count =
    { $count ->
       *[other] { $count } 件
    }
tags-remove-named = 「{ $name }」をすべてから外す
