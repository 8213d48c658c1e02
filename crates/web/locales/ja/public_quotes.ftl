# Public links of quotes.

public-quote-published = 引用を公開しました。リンクを共有してください。
public-quote-private = 引用を非公開に戻しました。以前のリンクは使えません。
public-quote = 公開リンク
public-quote-unavailable = この引用には公開リンクを作成できません。本文が公開アドレスから取得されていないか、引用が本文にありません。ログインが必要なページのものかもしれません。
public-quote-words = リンクを知っている人は、アカウントなしで引用とページのタイトル、アドレスを読めます。
public-quote-note = 自分のメモを含める
public-quote-create = リンクを作成
public-quote-link = 引用のリンク
public-quote-open = <1>ページを開く</1>。
public-quote-paused = このページは現在利用できません。本文が公開アドレスから取得されていないか、引用が本文にありません。
public-quote-hide = 非公開にする
public-quote-hide-named = 「{ $quote }」を非公開にする
public-quote-all = すべての公開タグと公開引用
public-quotes-yours = あなたの公開引用
public-quotes-words = リンクを知っている人は、引用とページのタイトル、アドレスを読めます。
public-quote-not-found = リンクが正しくないか、所有者がこの引用の共有をやめました。
public-quote-note-heading = メモ
