# Sign-in and sign-up.

sign-in = ログイン
sign-in-passkey = パスキーでログイン
oidc-sign-in = { $name } でログイン
sign-in-forgot = パスワードをお忘れですか？
sign-in-new = アカウントをお持ちでない場合は<1>作成</1>してください。
sign-in-for-app = アプリがあなたのアカウントへのアクセスを求めています。内容を確認するには、ログインするかアカウントを作成してください。あなたの承認なしには何も許可されません。
sign-up = 新規登録
sign-up-heading = アカウントを作成
sign-up-button = アカウントを作成
sign-up-closed = 新規登録は受け付けていません。このサービスの運営者にアカウントを依頼してください。
sign-up-purpose = サイトを購読し、ページをライブラリに保存し、ページが変わったら通知を受け取れます。必要なのはメールアドレスとパスワードだけです。
sign-up-invitation = 招待コード
sign-up-invitation-hint = 受け取ったコードです。1 回だけ使えます。
sign-up-known = すでにアカウントをお持ちの場合は<1>ログイン</1>してください。
purpose-today = ログインして今日のページを見る
purpose-today-words = 「今日」はスタートページです。フィードの新着、見守っているページの変更、最近保存したものが並びます。
purpose-feeds = ログインしてフィードを見る
purpose-feeds-words = ブログ、ニュースサイト、ポッドキャストを購読すると、新着記事がここやフィードアプリの 1 つのリストに届きます。ほかのリーダーからフィードを移せます。
purpose-library = ログインしてライブラリを開く
purpose-library-words = ライブラリには、ページやファイルの全文、ハイライト、メモが保存されます。すべての語を検索でき、電子書籍リーダーでオフラインで読め、いつでも全部を書き出せます。
purpose-monitors = ログインしてモニターを見る
purpose-monitors-words = モニターはウェブページを定期的に確認し、値下げ、再入荷、新しい段落など、本当の変更をお知らせします。通知はメール、チャット、フィードリーダーで受け取れます。
purpose-search = ログインして検索
purpose-search-words = 検索の対象は、ライブラリ、ハイライトとメモ、フィードの記事です。
