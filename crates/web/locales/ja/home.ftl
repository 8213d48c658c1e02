# Home page.

home-heading = ウェブを読む、購読する、保存する、見守る
home-purpose = { $name } は、ウェブページを読みやすい文章に変え、好きなサイトの新着を届け、残しておきたいものを保存し、ページが変わったらお知らせします。
home-try = お試しください: 記事のアドレスを貼り付け
home-read = 読む
home-read-words = 記事、文書、PDF を、広告やポップアップのない読みやすい文章で。音声で聞くことも、電子書籍として持ち出すこともできます。
home-follow = 購読
home-follow-words = ブログ、ニュース、ポッドキャスト、チャンネルを一つの一覧に。ほかのリーダーからフィードを移せます。
home-save = 保存
home-save-words = ページやファイルを全文で。ハイライトやメモを付け、どの語でも探せます。
home-watch = 見守る
home-watch-words = 値下げ、再入荷、ページの変更をお知らせします。
home-picture-today = 「今日」のページ: 下がった価格と、購読中のサイトの新しい記事
home-picture-text = 1 文をハイライトした保存済みの本文
home-picture-monitor = 値のグラフが付いた、監視中の価格
home-everywhere = どの端末のブラウザでも、フィードアプリやあとで読むアプリでも、電子書籍リーダーでも使えます。許可すれば <1>AI アシスタント</1>も使えます。
home-no-account = このサービスにはまだアカウントがありません。ここで、またはサーバーで { $command } を実行して、最初のアカウントを作成してください。
home-programs = プログラム向け
home-programs-words = このアドレスをほかのアドレスの前に付けるか、<1>API</1> を使います。キーは不要です。
