# Questions to the language model about a text or the library.

question-ask = اسأل عن هذا النص
question-field = سؤالك
question-send = اسأل
question-requested = تُكتب الإجابة. ستعرضها هذه الصفحة عندما تجهز.
question-pending = تُكتب الإجابة.
question-failed = لا إجابة: { $reason }.
question-none = لا يذكر النص ذلك.
question-by = أجاب النموذج اللغوي { $name }. قد تكون الإجابة خاطئة؛ والاقتباسات من النص.
question-left-out = جمل حُذفت لأن اقتباسها ليس في النص: { $number }.
question-partial = من النص الطويل أُرسلت بدايته والمقاطع التي فيها كلمات السؤال فقط.
question-omitted = لم تُقرأ: { $number }.
question-library = اسأل مكتبتك
question-library-words = تأتي الإجابة من نصوص العناصر الأنسب للسؤال، وعددها { $count } على الأكثر. لكل جملة اقتباس من عنصرها.
question-library-none = لا تذكر نصوصك ذلك.
question-items = العناصر المقروءة: { $number }.
question-gone = حُذف العنصر.
question-follow-up = سؤال متابعة
question-earlier = الأسئلة السابقة: { $count }
question-unanswered = لا إجابة في النص.
question-complete = عدد أسئلة هذه المحادثة { $count }. اطرح سؤالًا جديدًا لبدء محادثة أخرى.
