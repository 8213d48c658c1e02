# Messages to the channels of an account.

credits-most-title = استُهلك 80 % من رصيد المراقبة لهذا الشهر
credits-most-text = استُهلك { $used } من { $limit } من الرصيد. وإذا نفد، تنتظر المراقبات الشهر التالي.
credits-none-title = نفد رصيد المراقبة لهذا الشهر
credits-none-text = المراقبات التي لا يكفيها الرصيد تعمل من جديد في الساعة الأولى من الشهر التالي.
sign-in-title = تسجيل دخول جديد إلى حسابك
sign-in-text = سُجّل الدخول من { $network } بمتصفح لم يُستعمل مع هذا الحساب من قبل: { $time }. إن كنت أنت، فلا حاجة إلى شيء. وإلا فعيّن كلمة مرور جديدة.
factor-added-title = أُضيف عامل ثانٍ إلى حسابك
passkey-added-title = أُضيف مفتاح مرور إلى حسابك
single-sign-on-added-title = رُبط الدخول الموحد بحسابك
single-sign-on-removed-title = فُصل الدخول الموحد عن حسابك
factor-removed-title = أُزيل العامل الثاني من حسابك
sign-in-changed-text = الوقت: { $time }. إن كنت أنت، فلا حاجة إلى شيء. وإلا فعيّن كلمة مرور جديدة.
key-title = أُنشئ مفتاح API
key-text = اسمه «{ $name }». إن لم تنشئه أنت، فألغِه وعيّن كلمة مرور جديدة.
app-title = رُبط تطبيق بحسابك
app-text = يسمّي نفسه «{ $app }»، وهذا الاسم غير موثّق. إن لم تسمح به، فألغِ وصوله وعيّن كلمة مرور جديدة.
off-title = أُوقفت القناة «{ $name }»
off-gone = أجابت بأنها لا تريد رسائل أخرى (410).
off-refused = يقول خادم البريد إن هذا العنوان غير موجود.
off-failing = تعذّر تسليم أي رسالة مدة ثلاثة أيام.
off-text = { $why } تُحفظ الرسائل سبعة أيام، وتُرسل عند تشغيل القناة من جديد.
plan-title =
    { $count ->
        [one] أُوقفت قناة واحدة ({ $count })
        [two] أُوقفت قناتان ({ $count })
        [few] أُوقفت { $count } قنوات
       *[other] أُوقفت { $count } قناة
    }
plan-text = عدد القنوات النشطة المسموح به في خطتك: { $limit }. أُوقفت أحدث القنوات: { $names }. تُحفظ رسائلها سبعة أيام.
quoted = «{ $name }»
test-title = تجربة هذه القناة
test-text = هكذا تصل الرسائل من Carrel.
digest-title = ما حدث حتى { $date }
today-unread = غير مقروءة
today-changes = التغيّرات
today-started = تابع القراءة
today-saved = حُفظ مؤخرًا
today-waiting = حُفظ منذ زمن
today-this-day = في مثل هذا اليوم
today-attention = يحتاج إلى انتباهك
today-highlights = تظليلات للمراجعة
today-review =
    { $count ->
        [one] تظليل واحد للمراجعة اليوم ({ $count }).
        [two] تظليلان للمراجعة اليوم ({ $count }).
        [few] { $count } تظليلات للمراجعة اليوم.
        [many] { $count } تظليلًا للمراجعة اليوم.
       *[other] { $count } تظليل للمراجعة اليوم.
    }
stop-link = ألغِ الاشتراك
several-title = عدة تغيّرات
entries-title =
    { $count ->
        [one] مقالة جديدة واحدة
        [two] مقالتان جديدتان
        [few] { $count } مقالات جديدة
       *[other] { $count } مقالة جديدة
    }
item-saved-title = تم الحفظ: { $title }
items-saved-title =
    { $count ->
        [one] حُفظ عنصر واحد
        [two] حُفظ عنصران
        [few] حُفظت { $count } عناصر
       *[other] حُفظ { $count } عنصر
    }
missed-title = ما فات هذه القناة
collected-count =
    { $count ->
        [one] رسالة واحدة:
        [two] رسالتان:
        [few] { $count } رسائل:
       *[other] { $count } رسالة:
    }
more = والمزيد: { $count }.
more-short = والمزيد: { $count }
snooze = أجّل رسائل هذه المراقبة أو اكتمها: { $link }
snooze-short = أجّل أو اكتم: { $link }
template-failed = (فشل قالب هذه القناة. { $error }.)
stop = لإيقاف هذه الرسائل: { $link }
confirm-subject = أكّد هذا العنوان لرسائل Carrel
confirm-body =
    يريد شخص لديه حساب في { $origin } إرسال رسائل ذلك الحساب إلى هذا العنوان.

    إن كنت أنت، فافتح هذا الرابط واضغط الزر:

    { $link }

    وإلا فلا تفعل شيئًا: عندها لا يُرسل إليك شيء.
