# Daily review of highlights.

review = مراجعة التظليلات
review-due =
    { $count ->
        [one] تظليل واحد للمراجعة اليوم ({ $count }).
        [two] تظليلان للمراجعة اليوم ({ $count }).
        [few] { $count } تظليلات للمراجعة اليوم.
        [many] { $count } تظليلًا للمراجعة اليوم.
       *[other] { $count } تظليل للمراجعة اليوم.
    }
review-start = راجع الآن
review-left =
    { $count ->
        [one] بقي { $count } لليوم
        [two] بقي { $count } لليوم
        [few] بقي { $count } لليوم
        [many] بقي { $count } لليوم
       *[other] بقي { $count } لليوم
    }
review-soon = قريبًا
review-later = لاحقًا
review-never = لا تُظهره مجددًا
review-rule =
    { $count ->
        [one] «قريبًا» يعيده غدًا، و«لاحقًا» بعد يوم واحد ({ $count })، ثم على فترات أطول فأطول.
        [two] «قريبًا» يعيده غدًا، و«لاحقًا» بعد يومين ({ $count })، ثم على فترات أطول فأطول.
        [few] «قريبًا» يعيده غدًا، و«لاحقًا» بعد { $count } أيام، ثم على فترات أطول فأطول.
        [many] «قريبًا» يعيده غدًا، و«لاحقًا» بعد { $count } يومًا، ثم على فترات أطول فأطول.
       *[other] «قريبًا» يعيده غدًا، و«لاحقًا» بعد { $count } يوم، ثم على فترات أطول فأطول.
    }
review-none = لا شيء للمراجعة اليوم.
review-none-words = يظهر التظليل الجديد في اليوم التالي، ثم يعود على فترات متزايدة.
review-removed = لن يُراجَع هذا التظليل بعد الآن. يمكنك إعادته من صفحة عنصره.
highlight-review-again = راجعه مجددًا
item-highlight-resumed = سيُراجَع هذا التظليل من جديد.
review-frequency = وتيرة عودة هذا المصدر
review-frequency-more = أكثر
review-frequency-normal = عادية
review-frequency-less = أقل
review-frequency-never = أبدًا
review-frequency-saved = حُفظت الوتيرة.
review-per-day = التظليلات في اليوم
review-per-day-saved = حُفظ العدد.
review-sources = مصادر تعود أكثر أو أقل
review-sources-more = تُعرض أحدث { $count } فقط.
review-mail = بالبريد
review-mail-words = تُرسل التظليلات المستحقة في كل يوم فيه شيء منها، مع روابط إلى مواضعها.
review-mail-to = تُرسل يوميًا عند { $time } إلى { $address }.
review-mail-start = أرسل إلى { $address }
review-mail-stop = أوقف الإرسال
review-mail-at-hint = عندئذ تصل أيضًا التغيّرات التي تبلّغ بها المراقبات هذا العنوان مع هذه الرسالة، مرة في اليوم.
review-mail-none = <1>أضف قناة بريد</1> لتصلك بالبريد.
review-mail-started = ستُرسل التظليلات المستحقة بالبريد.
review-mail-stopped = لن تُرسل التظليلات المستحقة بالبريد بعد الآن.
card = بطاقة المراجعة
card-make = أنشئ بطاقة
card-change = غيّر البطاقة
card-words = في المراجعة تسأل البطاقة أولًا، وضغطة واحدة تُظهر الجواب. لكل تظليل بطاقة واحدة، والحفظ يستبدلها.
card-gaps = أخفِ كلمات
card-gaps-rule = الكلمات المراد إخفاؤها
card-gaps-first = تُعرض الكلمات الأولى فقط، وعددها { $count }.
card-gaps-written = أجزاء أخرى للإخفاء، جزء في كل سطر
card-gaps-save = احفظ الفراغات
card-question = اطرح سؤالًا
card-question-label = السؤال
card-answer = الجواب
card-question-save = احفظ السؤال
card-delete = احذف البطاقة
card-saved = حُفظت البطاقة.
card-deleted = حُذفت البطاقة.
card-unfit = لا تطابق البطاقة كلمات التظليل، لذلك لا تُخفي شيئًا. اختر فراغاتها من جديد.
card-show-answer = أظهر الجواب
