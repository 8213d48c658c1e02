# Questions to the language model about a text or the library.

question-ask = Запитати про цей текст
question-field = Ваше запитання
question-send = Запитати
question-requested = Відповідь пишеться. Ця сторінка покаже її, коли вона буде готова.
question-pending = Відповідь пишеться.
question-failed = Відповіді немає: { $reason }.
question-none = У тексті про це не сказано.
question-by = Відповіла мовна модель { $name }. Відповідь може містити помилки; цитати взято з тексту.
question-left-out = Пропущені речення, чиєї цитати немає в тексті: { $number }.
question-partial = З довгого тексту надіслано лише початок і уривки зі словами запитання.
question-omitted = Не прочитано: { $number }.
question-library = Запитати свою бібліотеку
question-library-words = Відповідь складено з текстів, які найкраще відповідають запитанню; їх щонайбільше { $count }. Кожне речення має цитату зі свого елемента.
question-library-none = У ваших текстах про це не сказано.
question-items = Прочитано елементів: { $number }.
question-gone = Елемент видалено.
question-follow-up = Уточнювальне запитання
question-earlier = Попередні запитання: { $count }
question-unanswered = У тексті немає відповіді.
question-complete = Кількість запитань у цій розмові: { $count }. Поставте нове запитання, щоб почати іншу.
