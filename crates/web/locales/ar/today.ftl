# Today page and first steps.

today-unread =
    { $count ->
        [one] مقالة واحدة غير مقروءة ({ $amount })
        [two] مقالتان غير مقروءتين ({ $amount })
        [few] { $amount } مقالات غير مقروءة
        [many] { $amount } مقالة غير مقروءة
       *[other] { $amount } مقالة غير مقروءة
    }
today-unread-partial =
    { $count ->
        [one] { $amount } أو أكثر غير مقروءة
        [two] { $amount } أو أكثر غير مقروءة
        [few] { $amount } مقالات أو أكثر غير مقروءة
        [many] { $amount } مقالة أو أكثر غير مقروءة
       *[other] { $amount } مقالة أو أكثر غير مقروءة
    }
today-unread-heading = غير مقروءة
today-all-unread = كل غير المقروء
today-order = أولًا الخلاصات التي تقرؤها وتميّزها أكثر.
today-search-or-open = ابحث أو افتح
today-search-label = ابحث في كل شيء أو افتح صفحة
today-search-hint = يبحث في خلاصاتك ومكتبتك. أدخل عنوانًا لفتح الصفحة.
today-search-example = ميناء، أو https://…
today-go = انطلق
today-changes = التغيّرات
today-all-changes = كل التغيّرات
today-started = تابع القراءة
today-saved = حُفظ مؤخرًا
today-waiting = حُفظ منذ زمن
today-this-day = في مثل هذا اليوم
today-attention = يحتاج إلى انتباهك
today-all-failing = كل الخلاصات التي لا تستجيب
begin = ابدأ
begin-progress = اكتمل { $completed } من { $count }
begin-done = تم
begin-follow = تابع موقعًا
begin-follow-words = لترى مقالاته الجديدة هنا وفي الخلاصات.
begin-save = احفظ صفحة
begin-save-words = لتقرأها لاحقًا مع تظليلاتك وملاحظاتك.
begin-watch = راقب سعرًا
begin-watch-words = أو أي جزء آخر من صفحة، لترى تغيّراته هنا.
begin-continue = متابعة
begin-close = لا تعرض هذا مجددًا
nothing-new = لا جديد
nothing-feeds = <1>اعثر على مواقع أخرى</1>، أو <2>انقل خلاصاتك</2> من قارئ آخر.
nothing-library = <1>تصفّح مكتبتك</1>، أو <2>انقل صفحاتك المحفوظة</2>.
nothing-monitors = <1>راقب صفحة</1> لترى تغيّراتها هنا.
