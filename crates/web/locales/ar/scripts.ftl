# Texts of scripts: the list of keys, the notice of new entries, and buttons of reading pages.

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
