# Pages of jobs for administrators.

job-extraction = قراءة صفحة
job-render = عرض صفحة
job-read-job = القراءة في الخلفية
job-feed-discovery = اكتشاف الخلاصات
job-feed-sample = معاينة المقالات المعاد كتابتها
job-monitor-preview = معاينة مراقبة
job-oauth-client = جلب تفاصيل تطبيق
job-address-check = فحص عنوان الخدمة
job-picture = جلب صورة
job-smaller-picture = إنشاء نسخة أصغر من صورة
job-feed-follow = متابعة خلاصات جديدة
job-feed-poll = جلب الخلاصات
job-entry-notices = إرسال رسائل عن المقالات الجديدة
job-feed-rule = حفظ المقالات التي تطابق القواعد
job-monitor-run = تشغيل مراقبة
job-monitor-render = تشغيل مراقبة في متصفح
job-monitor-render-preview = معاينة مراقبة في متصفح
job-library-text = إنشاء نصوص المكتبة
job-library-page-copy = نسخ صفحة عنصر
job-imported-copies = اختيار العناصر المستوردة لنسخها
job-inbox-message = حفظ البريد المستلم
job-inbox-unsubscribe = إلغاء النشرات البريدية
job-summary = تلخيص العناصر
job-briefing = كتابة الموجزات
job-meaning-search = البحث بالمعنى
job-item-index = فهرسة العناصر للبحث بالمعنى
job-question = الإجابة عن الأسئلة
job-passage = العمل على المقاطع
job-feed-hub = الاشتراك في المحاور
job-library-import = الاستيراد إلى مكتبة
job-library-server = الاستيراد من خادم
job-library-export = تصدير مكتبة
job-library-index = إعادة بناء فهرس مكتبة
job-library-tag = تغيير وسم في كل مكان
job-account-files = حذف ملفات الحسابات
job-mail = إرسال البريد
job-notice = إرسال إشعار
state-ready = في الانتظار
state-running = قيد التشغيل
state-complete = مكتمل
state-failed = فاشل
state-dead = متروك
admin-kind-paused = أُوقف النوع مؤقتًا. لن تبدأ مهام جديدة منه، ويمكن للجارية أن تنتهي.
admin-kind-resumed = استؤنف النوع.
admin-as-of = حتى { $time }.
admin-refresh = تحديث
admin-renderer = متصفح الصفحات التي تحتاج إلى نصوص برمجية: { $state }.
admin-by-kind = المهام حسب النوع
admin-kind = النوع
admin-oldest-wait = أطول انتظار
admin-done-per-minute = المنجز في الدقيقة
admin-failed-today = الفاشلة اليوم
admin-last-hour = آخر ساعة
admin-actions = إجراءات
admin-oldest = الأطول { $time }
admin-limited = محدود: { $limits }
admin-scheduled = مجدولة: { $count }
admin-none = لا شيء
admin-paused = موقوف مؤقتًا
admin-paused-by = { $time } بواسطة { $name }
admin-stopped = متوقف
admin-behind = متأخر
admin-keeping-up = مواكب
admin-idle = خامل
admin-pause-named = أوقف «{ $name }» مؤقتًا
admin-resume-named = استأنف «{ $name }»
admin-limits = الحدود
admin-limits-of = حدود «{ $name }»
admin-spark = { $name }، المنجز في آخر ساعة: من { $first } إلى { $last } في الدقيقة، { $most } على الأكثر
admin-not-updated = لم تُحدَّث لأنها انتهت أو عادت نشطة: { $count }.
admin-no-job = لا توجد مهمة مطابقة.
admin-older-jobs = مهام أقدم
admin-all-kinds = كل الأنواع
admin-state = الحالة
admin-all-states = كل الحالات
admin-retry-selected = إعادة المحدد
admin-cancel-selected = إلغاء المحدد…
admin-retry-all = إعادة الكل…
admin-cancel-all = إلغاء الكل…
admin-job = المهمة
admin-attempts = المحاولات
admin-due = الموعد
admin-last-error = آخر خطأ
admin-select-job = تحديد { $name }
admin-all-of-kind = كل مهام هذا النوع
admin-errors = الأخطاء
admin-id = المعرّف
admin-about = الموضوع
admin-payload = البيانات
admin-submitted = وقت الإرسال
admin-last-started = آخر بدء
admin-ended = الانتهاء
admin-worker = العامل
admin-request = الطلب
admin-never = أبدًا
admin-not-yet = ليس بعد
admin-retry = إعادة المحاولة
admin-cancel = إلغاء…
admin-no-errors = لم تُسجَّل أخطاء.
admin-attempt = المحاولة
admin-when = متى
admin-code = الرمز
admin-message = الرسالة
admin-cancel-title = إلغاء المهام؟
admin-cancel-effect = تُعلَّم بأنها فاشلة ولا تُشغَّل. ويُبلَّغ من ينتظرها بالفشل.
admin-retry-title = إعادة المهام؟
admin-retry-effect = تبدأ من جديد فورًا بكل محاولاتها.
admin-cancel-jobs = إلغاء المهام
admin-retry-jobs = إعادة المهام
admin-which-all = كل المهام، أحدث { $most } على الأكثر.
admin-which-kind = النوع: { $name }.
admin-which-state = الحالة: { $name }.
admin-limits-set = حُددت الحدود. تُطبَّق خلال ثوانٍ.
admin-limits-none = لا حدود محددة: يتبع النوع قواعده.
admin-running-all = قيد التشغيل معًا في كل العمليات
admin-running-hint = اتركه فارغًا لتطبيق حد كل عملية فقط، وهو عادة { $count }.
admin-starts = مرات البدء في الدقيقة في كل العمليات
admin-starts-hint = تُوزَّع مرات البدء على الدقيقة. اتركه فارغًا لعدم التحديد.
admin-seconds = أقصى ثوانٍ لكل تشغيل
admin-seconds-hint = اتركه فارغًا للقيمة الافتراضية، { $count } ث.
admin-set-limits = تعيين الحدود
admin-updated =
    { $count ->
        [one] حُدّثت مهمة واحدة.
        [two] حُدّثت مهمتان.
        [few] حُدّثت { $count } مهام.
       *[other] حُدّثت { $count } مهمة.
    }
admin-which-selected =
    { $count ->
        [one] مهمة واحدة.
        [two] مهمتان.
        [few] { $count } مهام.
       *[other] { $count } مهمة.
    }
admin-limit-running = { $count } معًا على الأكثر
admin-limit-starts = { $count } بدءًا في الدقيقة على الأكثر
admin-limit-seconds = { $count } ث لكل تشغيل على الأكثر
admin-renderer-off = متوقف (CARREL_RENDERER=off)
admin-renderer-workers = في عمّال على أجهزة أخرى
admin-renderer-none = لم يُعثر على Chromium: لا نص للصفحات التي تحتاج إلى نصوص برمجية
job-item-rules = تطبيق القواعد على العناصر المحفوظة
job-model-tags = إزالة وسوم النموذج اللغوي
job-change-explanation = شرح التغييرات
