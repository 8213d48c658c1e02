# Reading pages and reading settings.

reading-source = 出典
reading-minutes =
    { $count ->
        [0] 1 分未満
       *[other] { $count } 分
    }
reading-printed = 出典: { $address }（{ $day } { $time } UTC に取得）
reading-truncated = 出典の一部がありません。長すぎるか、テキストに変換できません。
reading-paywall = 購読していない訪問者には、出典は冒頭だけを表示します。
reading-scripts = 出典は、スクリプトを実行するブラウザーにだけ本文の一部を表示します。
reading-passages = 検索に一致した箇所です。<1>全文を表示</1>
reading-no-match = この本文に「{ $query }」に一致する箇所はありません。
reading-next = 次のページ
reading-formats = 形式: <1>テキスト</1>、<2>Markdown</2>、<3>JSON</3>
reading-save = 保存
reading-listen = 読み上げ
reading-stop = 停止
reading-aa = : 表示設定
reading-more = その他
reading-outline = 目次
reading-check = 引用を確認
reading-watch = このページを見守る
reading-follow = このサイトを購読
reading-original = 元のページを開く
reading-epub = EPUB でダウンロード
reading-markdown = Markdown でダウンロード
reading-another = 別のページを読む
reading-fetched = { $age }に取得
reading-fetch-again = 再取得
reading-find-label = この本文を検索
reading-find = 検索
quotation = 引用
quotation-check = 確認
appearance-save = 設定を保存
appearance-theme = 配色
appearance-theme-auto = 端末に合わせる
appearance-theme-light = ライト
appearance-theme-sepia = セピア
appearance-theme-dark = ダーク
appearance-size = 文字の大きさ
appearance-size-m = 中
appearance-size-s = 小
appearance-size-l = 大
appearance-size-xl = 特大
appearance-width = 本文の幅
appearance-width-medium = 中
appearance-width-narrow = 狭い
appearance-width-wide = 広い
appearance-face = 書体
appearance-face-serif = 明朝体
appearance-face-sans = ゴシック体
appearance-scroll = 記事を既読にする
appearance-scroll-open = 開いたとき
appearance-scroll-pass = スクロールで通り過ぎたときも（スクリプトが必要）
appearance-pictures = 画像
appearance-pictures-show = 表示
appearance-pictures-hide = 説明とリンクだけを表示
appearance-spacing = 行間
appearance-spacing-normal = 標準
appearance-spacing-tight = 狭い
appearance-spacing-loose = 広い
appearance-density = 一覧
appearance-density-cosy = 標準
appearance-density-compact = コンパクト
appearance-density-magazine = マガジン
