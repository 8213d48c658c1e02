# First steps of a new account.

welcome-followed = これらのフィードを購読しました。記事は数分で表示されます。
welcome-none = 何も選択されていません。フィードを選んでから購読してください。
welcome-follow-words = 購読したサイトの新しい記事が一つの一覧に届きます。
welcome-site = サイトのアドレス
welcome-bring = 他のリーダーから: <1>フィードを取り込む（OPML）</1>。ブラウザーから: <2>ブックマークを取り込む</2>。
welcome-save-words = ライブラリは全文を保存します。ハイライトやメモを付け、どの語もあとで探せます。
welcome-page = ページのアドレス
welcome-ways = <1>どのページからもワンクリックで保存</1>できます。
welcome-watch-words = Carrel がページを確認し、価格が下がったときやほかの変更があったときに知らせます。
welcome-watched = 商品またはページのアドレス
welcome-today = 「今日」へ
welcome-skip = 最初の手順を省く
welcome-suggested = または次のフィードから選ぶ
welcome-follow-selected = 選択したものを購読
topic-news = ニュース
topic-science = 科学
topic-technology = テクノロジー
topic-programming = プログラミング
topic-culture = 思想と文化
topic-comics = 漫画と料理
