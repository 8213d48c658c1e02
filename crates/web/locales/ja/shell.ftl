# Shell of every page: navigation, footer, times, forms, and messages.

skip = 本文へ移動
nav-main = メインナビゲーション
nav-today = 今日
nav-feeds = フィード
nav-library = ライブラリ
nav-monitors = モニター
nav-settings = 設定
nav-read = 読む
nav-api = API
nav-about = このサービスについて
nav-account = アカウント
nav-sign-in = ログイン
nav-stored-texts = 保存した本文
find = 検索
find-everything = すべて
find-feeds-and-library = フィードとライブラリを検索
signed-in-as = ログイン中:
foot-texts = 読書ページの本文の権利は著者にあります。Carrel は出典へのリンクとともに表示します。
foot-documents = ドキュメント
foot-read = ページを読む
foot-handbook = ハンドブック
foot-reader-api = リーダー API
foot-developer-api = 開発者 API
foot-agents = エージェント
foot-problems = エラー
foot-reading-settings = 表示設定
foot-llms = llms.txt
description = Carrel はウェブページを読みやすい本文で表示し、フィードを購読し、ライブラリに保存し、ページの変更を見守ります。人にも AI アシスタントにも使えます。
error-title = エラー: { $title }
form-problems =
    { $count ->
       *[other] { $count } 件の問題があります
    }
field-email = メールアドレス
field-password = パスワード
field-new-password = 新しいパスワード
field-current-password = 現在のパスワード
password-hint = 10 文字以上。珍しい 1 語より、いくつかの単語の組み合わせが安全です。
undo = 元に戻す
sample-notice = このアカウントにはお試し用のサンプルデータが入っています。見終わったら削除してください。
sample-remove = サンプルアカウントを削除
language = 言語
language-hint = ページの表示言語です。英語のみのページもあります。
language-of-browser = ブラウザーと同じ
language-save = 言語を保存
language-saved = 言語を保存しました。
time-now = たった今
time-in-seconds =
    { $count ->
       *[other] { $count } 秒後
    }
time-in-minutes =
    { $count ->
       *[other] { $count } 分後
    }
time-in-hours =
    { $count ->
       *[other] { $count } 時間後
    }
time-in-days =
    { $count ->
       *[other] { $count } 日後
    }
time-seconds-ago =
    { $count ->
       *[other] { $count } 秒前
    }
time-minutes-ago =
    { $count ->
       *[other] { $count } 分前
    }
time-hours-ago =
    { $count ->
       *[other] { $count } 時間前
    }
time-days-ago =
    { $count ->
       *[other] { $count } 日前
    }
manifest-description = フィード、ライブラリ、モニター、そしてどのページも読みやすい本文で。
search-description = フィードとライブラリを検索するか、アドレスでページを開きます。
