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
review-send = أرسل إلى قنواتك
review-send-words = تُرسل التظليلات المستحقة في كل يوم فيه شيء منها، مع روابط إلى مواضعها.
review-send-to = تُرسل يوميًا عند { $time } إلى { $address }.
review-send-start = أرسل إلى { $address }
review-send-stop = أوقف الإرسال
review-send-at-hint = عندئذ تصل أيضًا رسائل المراقبات والخلاصات إلى هذه القناة مرة في اليوم، في هذه الرسالة.
review-send-none = <1>أضف قناة</1> لتصلك بالبريد أو في محادثة.
review-send-started = ستُرسل التظليلات المستحقة.
review-send-stopped = لن تُرسل التظليلات المستحقة بعد الآن.
review-themes = مراجعات حسب الموضوع
review-themes-words = تعرض كل منها عددًا خاصًا بها من التظليلات في اليوم، إضافة إلى المراجعة العامة.
review-themes-edit = أضف مراجعات حسب الموضوع أو غيّرها
review-theme-new = مراجعة جديدة حسب الموضوع
review-theme-name = الاسم
review-theme-choose = أي تظليلات
review-theme-tag = بالوسم
review-theme-item = من المصدر
review-theme-search = يجدها البحث المحفوظ
review-theme-same = المصدر الحالي
review-theme-add = أضف
review-theme-delete = احذف المراجعة
review-theme-stay = تبقى تظليلاتها.
review-theme-created = أُضيفت المراجعة.
review-theme-changed = غُيّرت المراجعة.
review-theme-deleted = حُذفت المراجعة.
review-theme-no-search = حُذف البحث المحفوظ. اختر تظليلات أخرى.
review-theme-no-item = حُذف المصدر.
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
