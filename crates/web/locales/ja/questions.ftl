# Questions to the language model about a text or the library.

question-ask = この本文について質問する
question-field = 質問
question-send = 質問する
question-requested = 回答を作成中です。準備ができるとこのページに表示されます。
question-pending = 回答を作成中です。
question-failed = 回答はありません: { $reason }
question-none = 本文には書かれていません。
question-by = 言語モデル { $name } が回答しました。誤りを含むことがあります。引用は本文のものです。
question-left-out = 引用が本文にないため省かれた文: { $number }
question-partial = 長い本文は、冒頭と質問の言葉を含む箇所だけを送信しました。
question-omitted = 読んでいない項目: { $number }
question-library = ライブラリに質問する
question-library-words = 質問に最も合う項目（最大 { $count } 件）の本文から回答します。各文には項目からの引用が付きます。
question-library-none = 保存した本文には書かれていません。
question-items = 読んだ項目: { $number }
question-gone = 項目は削除されました。
question-follow-up = 続けて質問
question-earlier = これまでの質問: { $count }
question-unanswered = 本文に答えはありません。
question-complete = この会話の質問は { $count } 件に達しました。新しく質問すると、別の会話が始まります。
