# Questions to the language model about a text or the library.

question-ask = Ask about this text
question-field = Your question
question-send = Ask
question-requested = The answer is being written. It will appear on this page.
question-pending = The answer is being written.
question-failed = The question could not be answered: { $reason }.
question-none = The text does not answer this question.
question-by = Answered by the language model { $name }. The answer may be wrong; the quotations are from the text.
question-left-out = Sentences left out because the text does not contain their quotation: { $number }.
question-partial = The text is long, so only its beginning and the passages with words from the question were sent.
question-omitted = Items not read: { $number }.
question-library = Ask your library
question-library-words = The answer comes from at most { $count } items that best match the question. Each sentence quotes its item.
question-library-none = Nothing in your library answers this question.
question-items = Items read: { $number }.
question-gone = The item was deleted.
question-follow-up = Follow-up question
question-earlier = Earlier questions: { $count }
question-unanswered = No answer in the text.
question-complete = This conversation has reached its limit of { $count } questions. Ask a new question to start another one.
