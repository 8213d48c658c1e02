# Shell of every page: navigation, footer, times, forms, and messages.

skip = انتقل إلى المحتوى
nav-main = التنقل الرئيسي
nav-today = اليوم
nav-feeds = الخلاصات
nav-library = المكتبة
nav-monitors = المراقبة
nav-settings = الإعدادات
nav-read = اقرأ
nav-api = واجهة API
nav-about = حول
nav-account = الحساب
nav-sign-in = دخول
nav-stored-texts = النصوص المخزنة
find = بحث
find-everything = كل شيء
find-feeds-and-library = ابحث في الخلاصات والمكتبة
signed-in-as = الحساب الحالي:
foot-texts = النصوص في صفحات القراءة ملك لمؤلفيها. يعرضها Carrel مع رابط إلى مصدرها.
foot-documents = المستندات
foot-read = اقرأ صفحة
foot-handbook = الدليل
foot-reader-api = واجهة القارئ
foot-developer-api = واجهة المطورين
foot-agents = الوكلاء
foot-problems = الأخطاء
foot-reading-settings = إعدادات القراءة
foot-llms = llms.txt
description = يعرض Carrel صفحات الويب نصًا صافيًا، ويتابع الخلاصات، ويحفظ مكتبة، ويراقب تغيّر الصفحات، للناس ولمساعدي الذكاء الاصطناعي.
error-title = خطأ: { $title }
form-problems =
    { $count ->
        [one] توجد مشكلة
        [two] توجد مشكلتان
        [few] توجد { $count } مشكلات
        [many] توجد { $count } مشكلة
       *[other] توجد { $count } مشكلة
    }
field-email = البريد الإلكتروني
field-password = كلمة المرور
field-new-password = كلمة مرور جديدة
field-current-password = كلمة المرور الحالية
password-hint = 10 أحرف على الأقل. عدة كلمات أفضل من كلمة واحدة غريبة.
undo = تراجع
sample-notice = يحتوي هذا الحساب على بيانات تجريبية للاطلاع. أزله بعد أن ترى ما يكفي.
sample-remove = أزل هذا الحساب التجريبي
language = اللغة
language-hint = لغة صفحاتك. بعض الصفحات متاحة بالإنجليزية فقط.
language-of-browser = لغة المتصفح
language-save = احفظ اللغة
language-saved = حُفظت اللغة.
time-now = الآن
time-in-seconds =
    { $count ->
        [one] بعد ثانية
        [two] بعد ثانيتين
        [few] بعد { $count } ثوانٍ
        [many] بعد { $count } ثانية
       *[other] بعد { $count } ثانية
    }
time-in-minutes =
    { $count ->
        [one] بعد دقيقة
        [two] بعد دقيقتين
        [few] بعد { $count } دقائق
        [many] بعد { $count } دقيقة
       *[other] بعد { $count } دقيقة
    }
time-in-hours =
    { $count ->
        [one] بعد ساعة
        [two] بعد ساعتين
        [few] بعد { $count } ساعات
        [many] بعد { $count } ساعة
       *[other] بعد { $count } ساعة
    }
time-in-days =
    { $count ->
        [one] بعد يوم
        [two] بعد يومين
        [few] بعد { $count } أيام
        [many] بعد { $count } يومًا
       *[other] بعد { $count } يوم
    }
time-seconds-ago =
    { $count ->
        [one] قبل ثانية
        [two] قبل ثانيتين
        [few] قبل { $count } ثوانٍ
        [many] قبل { $count } ثانية
       *[other] قبل { $count } ثانية
    }
time-minutes-ago =
    { $count ->
        [one] قبل دقيقة
        [two] قبل دقيقتين
        [few] قبل { $count } دقائق
        [many] قبل { $count } دقيقة
       *[other] قبل { $count } دقيقة
    }
time-hours-ago =
    { $count ->
        [one] قبل ساعة
        [two] قبل ساعتين
        [few] قبل { $count } ساعات
        [many] قبل { $count } ساعة
       *[other] قبل { $count } ساعة
    }
time-days-ago =
    { $count ->
        [one] قبل يوم
        [two] قبل يومين
        [few] قبل { $count } أيام
        [many] قبل { $count } يومًا
       *[other] قبل { $count } يوم
    }
manifest-description = خلاصات ومكتبة ومراقبة وأي صفحة نصًا صافيًا.
search-description = ابحث في خلاصاتك ومكتبتك أو افتح صفحة بعنوانها.
