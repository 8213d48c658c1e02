# Texts of scripts: the list of keys, the notice of new entries, buttons of reading pages, listening, offline reading,
# passkeys, and pictures of quotes.

keys-title = المفاتيح
script-close = أغلق
key-next = المقالة أو النص التالي
key-previous = المقالة أو النص السابق
key-open = افتح
key-next-page = الصفحة التالية من القائمة
key-back = رجوع
key-mark = علّم مقروءًا أو غير مقروء
key-mark-previous = علّم مقروءًا أو غير مقروء وانتقل إلى السابق
key-mark-all = علّم الكل مقروءًا
key-star = ضع نجمة أو احفظ
key-archive = أرشِف
key-next-paragraph = الفقرة التالية
key-previous-paragraph = الفقرة السابقة
key-highlight = ظلّل الكلمات المحددة أو الفقرة
key-highlight-note = ظلّل مع ملاحظة
key-passage = استخدم النموذج اللغوي على الكلمات المحددة أو الفقرة
key-full = الصفحة الكاملة
key-original-tab = الأصل في تبويب جديد
key-original = الأصل
key-attachment = شغّل التسجيل أو افتح الملف
key-feed = مقالات الخلاصة
key-refresh = اجلب خلاصات القائمة الآن
key-follow = تابع موقعًا
key-unfollow = ألغِ متابعة الخلاصة
key-select = اختر؛ مع Shift ونقرة: مجموعة متتالية
key-undo = تراجع
key-search = ابحث
key-today = اليوم
key-unread = المقالات غير المقروءة
key-all = كل المقالات
key-read = المقالات المقروءة
key-starred = المقالات بنجمة
key-feeds = الخلاصات
key-collections = المجموعات
key-library = المكتبة
key-monitors = المراقبة
key-settings = الإعدادات
key-top = أعلى الصفحة
key-close = أغلق
key-help = هذه المفاتيح
copy-markdown = انسخ بصيغة Markdown
copy-markdown-done = نُسخ.
copy-markdown-failed = فشل النسخ. نزّل النص بدلًا من ذلك.
script-copy = انسخ
copy-done = نُسخ
copy-failed = فشل النسخ
copy-failed-selected = فشل النسخ. النص محدد.
script-share = شارك…
note-jump = انتقل إلى الحاشية
entries-new-count =
    { $count ->
        [one] مقالة جديدة واحدة
        [two] مقالتان جديدتان
        [few] { $count } مقالات جديدة
       *[other] { $count } مقالة جديدة
    }
entries-new-most = { $count } مقالة جديدة أو أكثر
minutes-left =
    { $count ->
        [one] بقيت دقيقة واحدة
        [two] بقيت دقيقتان
        [few] بقيت { $count } دقائق
       *[other] بقيت { $count } دقيقة
    }
listen-pause = إيقاف مؤقت
listen-continue = متابعة
listen-previous = الفقرة السابقة
listen-next = الفقرة التالية
listen-next-text = النص التالي
listen-all = استمع إلى الكل
listen-voice = الصوت
listen-voice-any = تلقائي
listen-failed = تعذّر على هذا المتصفح قراءة النص بصوت مسموع.
stored-not-possible = لا يستطيع هذا المتصفح تخزين النصوص. يلزم اتصال آمن (https) بهذا الخادم.
stored-not-allowed = لا يسمح هذا المتصفح بتخزين النصوص.
stored-count = النصوص المخزنة في هذا المتصفح: { $stored } من { $count } ({ $size }).
queued-text = نص
queued-waiting = في انتظار الاتصال.
queued-remove = أزل
queued-removed = أُزيل.
queued-stored = خُزّن. سيُرسل عند توفر اتصال.
queued-highlight-stored = خُزّن التظليل. سيُرسل عند توفر اتصال.
queued-not-stored = تعذّر التخزين. اتصل بالشبكة لإرسال ما ينتظر.
queued-failed = لم يُنفَّذ: { $reason }
queued-show = اعرضها
queued-reload = أعد التحميل
queued-sent-count =
    { $count ->
        [one] أُرسل تغيير واحد أُجري دون اتصال.
        [two] أُرسل تغييران أُجريا دون اتصال.
        [few] أُرسلت { $count } تغييرات أُجريت دون اتصال.
       *[other] أُرسل { $count } تغييرًا أُجري دون اتصال.
    }
queued-failed-count =
    { $count ->
        [one] تعذّر تنفيذ تغيير واحد أُجري دون اتصال.
        [two] تعذّر تنفيذ تغييرين أُجريا دون اتصال.
        [few] تعذّر تنفيذ { $count } تغييرات أُجريت دون اتصال.
       *[other] تعذّر تنفيذ { $count } تغييرًا أُجري دون اتصال.
    }
passkey-unsupported = لا يدعم هذا المتصفح مفاتيح المرور.
passkey-exists = يوجد على هذا الجهاز مفتاح مرور لحسابك بالفعل.
passkey-not-given = لم يقدّم المتصفح مفتاح مرور. حاول مرة أخرى.
picture-of-quote = كصورة
picture-description = الاقتباس مع مصدره
picture-failed = تعذّر إنشاء الصورة.
picture-download = نزّل الصورة
picture-share = شارك الصورة…
picture-share-failed = فشلت المشاركة. نزّل الصورة بدلًا من ذلك.
picture-shortened = الاقتباس أطول من أن تتسع له صورة، لذلك لا تحتوي الصورة إلا على بدايته.
