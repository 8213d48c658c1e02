# Questions to the language model about a text or the library.

question-ask = 就此文本提问
question-field = 您的问题
question-send = 提问
question-requested = 正在撰写回答。就绪后会显示在此页。
question-pending = 正在撰写回答。
question-failed = 没有回答：{ $reason }。
question-none = 文本中没有提到。
question-by = 由语言模型 { $name } 回答，可能有误；引文出自文本。
question-left-out = 因引文不在文本中而省略的句子：{ $number }。
question-partial = 长文本只发送了开头和含有问题词语的段落。
question-omitted = 未读取：{ $number }。
question-library = 向您的资料库提问
question-library-words = 回答出自最符合问题的内容，最多 { $count } 项。每个句子都附有其内容的引文。
question-library-none = 您的文本中没有提到。
question-items = 已读取的内容：{ $number }。
question-gone = 该内容已删除。
question-follow-up = 追问
question-earlier = 之前的问题：{ $count }
question-unanswered = 文本中没有答案。
question-complete = 此对话已有 { $count } 个问题。提出新问题即可开始另一个对话。
