# Groups, lists, and changes of monitors, and the forms that edit, copy, and delete one.

groups-heading = モニターのグループ
groups-deleted = グループを削除しました。モニターの設定はそのままです。
groups-words = グループのモニターは、間隔、通知しない時間、通知先などの設定を共有します。グループには公開ページとフィードを付けられます。
groups-public = 公開
groups-new = 新しいグループ
groups-create = グループを作成
groups-count =
    { $count ->
       *[other] モニター { $count } 件
    }
groups-in-group = このグループの{ $link }。
group-made = グループを作成しました。モニターのフォーム、または一覧で選択したモニターに対して選べます。
group-saved = グループを保存しました。
group-title = グループ
group-publish = 公開ページとフィード
group-publish-words = リンクを知っている人はモニターの名前と変更を読めます。オフにするとリンクは二度と使えません。
group-new-monitor = モニターを追加
group-shared-words = 共有設定は、個別の設定がないグループ内のすべてのモニターに適用されます。共有をやめても各モニターの値は残ります。
group-check = 確認
group-own-interval = 各モニターの設定
group-share-days = この曜日と時刻を共有する
group-share-channels = この通知先を共有する
group-page = 公開ページ
group-page-words = このリンクを知っている人はページを読めます。非公開にしたい場合は、リンクをパスワードのように扱ってください。
group-page-link = ページのリンク
group-delete-question = グループ { $name } を削除しますか？
group-delete-words = モニターは今の設定のまま残ります。公開ページとフィードは二度と使えません。
group-delete = グループを削除
duplicate-name = { $name }（コピー）
duplicate-heading = { $name } を複製
duplicate-words = コピーはこのモニターの設定をすべて引き継ぎ、別のアドレスを見守ります。あとで編集できます。
duplicate-create = コピーを作成
lists-heading = モニターの取り込みと書き出し
lists-words = changedetection.io のバックアップ（ZIP）、urlwatch の一覧（urls.yaml）、またはこのサービスの書き出し。既にあるモニターは変わりません。
lists-download = モニターを JSON でダウンロード
lists-imported = モニターを取り込みました
lists-program = ファイルは { $program } の一覧です。
lists-new = 新規
lists-existing = 既存
lists-refused = 取り込めなかったもの
lists-not-read = 読めなかったもの
lists-not-read-words = 一部のモニターは読めませんでした。壊れているか、一覧に 1000 件を超えて含まれています。
lists-show = モニターを表示
lists-line-new = { $monitor }: 新規
lists-line-existing = { $monitor }: 既存
lists-line-refused = { $monitor }: 取り込めませんでした。{ $reason }
lists-without = 含まれないもの: { $settings }
changes-search = 変更を検索
changes-no-match-newest = 最新の変更に一致するものはありません。
changes-no-match = 一致する変更はありません。
changes-older = 以前の変更
monitor-edit-heading = { $name } を編集
monitor-edit-preview-empty = プレビューすると、この設定で過去のどの変更が通知されるかがわかります。
monitor-edit-baseline = アドレスや見守る対象を変えると、次の確認が新しい基準になります。
monitor-edit-preview = 過去の変更でプレビュー
monitor-edit-replayed =
    { $count ->
       *[other] この設定では、直近の変更 { $count } 件のうち { $left } 件が通知されます。
    }
monitor-edit-reported = 通知する: { $change }
monitor-edit-not-reported = 通知しない: { $change }
monitor-edit-unknown = 不明: { $change }
monitor-edit-past = 過去の変更
monitor-rotate-question = { $name } のフィードのリンクを置き換えますか？
monitor-rotate-words = 今のフィードのリンクと、変更へのすべてのリンクはすぐに使えなくなります。フィードリーダーには新しいリンクが必要です。モニターと確認するページは変わりません。
monitor-rotate = リンクを置き換える
monitor-delete-question = { $name } を削除しますか？
monitor-delete-words = 確認と変更は削除され、フィードは 410 Gone を返します。元には戻せません。
monitor-delete-button = モニターを削除
