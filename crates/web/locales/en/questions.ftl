# Questions to the language model about a text or the library.

question-ask = Ask about this text
question-field = Your question
question-send = Ask
question-requested = The answer is being written. This page shows it when it is ready.
question-pending = The answer is being written.
question-failed = There is no answer: { $reason }.
question-none = The text does not say.
question-by = Answered by the language model { $name }. The answer may be wrong; the quotations are from the text.
question-left-out = Sentences left out because the text does not contain their quotation: { $number }.
question-partial = Of a long text, only the beginning and the passages with words of the question were sent.
question-omitted = Not read: { $number }.
question-library = Ask your library
question-library-words = The answer comes from the texts of at most { $count } items that fit the question best. Each sentence has a quotation from its item.
question-library-none = Your texts do not say.
question-items = Items read: { $number }.
question-gone = The item was deleted.
