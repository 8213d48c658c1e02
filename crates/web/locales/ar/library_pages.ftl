# Details, notes, tags, copies, and deletion of library items.

edit-author = المؤلف
edit-tags-hint = مفصولة بفواصل؛ 12 على الأكثر.
edit-kind = النوع
note-item-deleted = حُذف عنصره.
note-item-deleted-titled = حُذف عنصره: { $title }.
note-delete-highlight = احذف التظليل
note-back = عودة إلى العنصر
note-delete = احذف الملاحظة
quote-share = شارك هذا الاقتباس
quote-title = مشاركة اقتباس
quote-back = عودة إلى التظليل
quote-text = الاقتباس مع مصدره
quote-original = الاقتباس في الصفحة الأصلية
quote-original-words = { $link }. يعلّم الرابط الاقتباس في معظم المتصفحات.
quote-own = <1>التظليل في مكتبتك</1>. لا يفتح هذا الرابط غيرك.
public-tag-published = أصبح الوسم عامًا. شارك رابطه.
public-tag-private = عاد الوسم خاصًا. لم يعد رابطه القديم يعمل.
public-tag-name = الوسم
public-tag-hint = تظهر في الصفحة عناصره ذات العنوان العام: الاسم والعنوان ووقت الحفظ وبداية النص إن جُلب من العنوان. لا تظهر أبدًا ملاحظاتك وتظليلاتك ووسومك الأخرى وملفاتك.
public-tags = الوسوم العامة
public-tags-words = للوسم العام صفحة وخلاصة يستطيع كل من لديه الرابط قراءتهما دون حساب.
public-tags-yours = وسومك العامة
public-tags-publish-heading = انشر وسمًا
public-tags-publish = انشر
public-tag-link = رابط «{ $tag }»
public-tag-feeds = <1>افتح الصفحة</1>. خلاصتها متاحة بصيغ <2>RSS</2> و<3>Atom</3> و<4>JSON Feed</4>.
public-tag-hide-named = اجعل «{ $tag }» خاصًا
public-tag-hide = اجعله خاصًا
shared-added = أُضيفت الصفحة.
shared-removed = أُزيلت الصفحة من هذا الوسم. ما زالت عند مالكها.
shared-joined = انضممت إلى الفريق.
shared-none = لا شيء بعد. عندما يدعوك أحد إلى فريق تظهر وسومه ومراقباته هنا.
shared-teams = فِرقك
shared-can-add = يمكنك إضافة صفحات
shared-no-changes = لا تغيّرات بعد
shared-no-pages = لا صفحات بعد.
shared-pages = الصفحات
shared-older = صفحات أقدم
shared-tag = وسم مشترك
shared-save = احفظ في مكتبتي
shared-add-page = أضف صفحة
shared-add-hint = تُحفظ في مكتبة المالك.
shared-add = أضف
shared-remove = أزل
shared-remove-named = أزل «{ $name }»
shared-changes = آخر التغيّرات
shared-monitor = مراقبة مشتركة
copy-requested = تُنسخ الصفحة الآن. يُعاد تحميل هذه الصفحة حتى تجهز النسخة.
copy-deleted = حُذفت النسخة.
copy-page = صفحة
copy-page-words = ملف واحد بالنص والأنماط والصور دون برامج نصية. يُفتح في أي متصفح.
copy-picture = صورة
copy-picture-words = الصفحة كاملة بصيغة PNG.
copy-pdf-words = الصفحة كما تُطبع.
copy-words = تُحسب النسخة من مساحتك وتكلف خمسة استخراجات جديدة. وهي جزء من تصديرك.
copy-open = افتح النسخة
copy-from = { $time }، { $size } ك.ب
copy-waiting = تُنسخ الآن.
copy-fault-storage = تعذر نسخ الصفحة: نفدت مساحتك. احذف ملفات أو عناصر.
copy-fault-robots = تعذر نسخ الصفحة: لا يسمح موقعها للبرامج بقراءتها.
copy-fault-content = تعذر نسخ الصفحة: كبيرة جدًا أو معقدة جدًا للمتصفح.
copy-fault-browser = تعذر نسخ الصفحة: لم يستجب المتصفح. أعد المحاولة.
copy-fault-queue = لم تُنسخ الصفحة: كان عدد النسخ المنتظرة كبيرًا جدًا. أعد المحاولة.
copy-fault-limit = لم تُنسخ الصفحة: نفدت الاستخراجات الجديدة المخصصة للنسخ التلقائي اليوم. أعد المحاولة الآن أو غدًا.
copy-fault-address = تعذر نسخ الصفحة: تعذر فتحها. تحقق من العنوان وأعد المحاولة.
copy-replace = استبدل
copy-create = انسخ
copies-automatic = نسخ الصفحات تلقائيًا
copies-saved = حُفظ إعداد النسخ التلقائي.
copies-words = يمكن لـ Carrel نسخ صفحة كل عنصر جديد تحفظه بعنوانه كما يعرضها المتصفح. إذا لم تختر أي صيغة فلن تُنسخ أي صفحة. لا تُنسخ الصفحات التي أرسلتها الإضافة أو رسالة بريد.
copies-formats = الصيغ
copies-imports = انسخ صفحات العناصر المستوردة أيضًا، الأحدث أولًا، { $count } نسخة على الأكثر يوميًا
copies-limits = تُحسب النسخة من مساحتك وتكلف خمسة استخراجات جديدة. لا تستهلك النسخ التلقائية أكثر من نصف الاستخراجات الجديدة في اليوم. إذا بُلغ حدّ، فسيذكر العنصر ذلك.
delete-items-question =
    { $count ->
        [one] حذف هذا العنصر؟
        [two] حذف هذين العنصرين؟
        [few] حذف هذه العناصر ({ $count })؟
       *[other] حذف هذه العناصر ({ $count })؟
    }
delete-items-words = يصبح الحذف نهائيًا بعد دقيقة مع الملفات. حتى ذلك الحين يمكنك التراجع.
delete-items-annotations = احذف أيضًا ملاحظاتها وتظليلاتها. وإلا بقيت ويمكنك إيجادها بالبحث.
delete-items-title = حذف
tags-none = لا وسوم بعد. أضف وسمًا في صفحة عنصر، أو لعدة عناصر في القائمة.
tags-words = إن سمّيت وسمًا باسم وسم آخر دُمج الاثنان. وإن كان ذلك الوسم عامًا أو مشتركًا مع فريق صارت عناصر الاثنين كذلك. يمكن أن يكون للوسم <1>صفحة عامة</1>.
tags-more = المزيد من الوسوم
tags-yours = وسومك
tags-count =
    { $count ->
        [one] عنصر واحد
        [two] عنصران
        [few] { $count } عناصر
       *[other] { $count } عنصرًا
    }
tags-remove-named = أزل «{ $name }» من كل مكان
copy-left-out = حُذف: { $parts }.
copy-pictures = الصور: { $count }
copy-fonts = الخطوط: { $count }
copy-styles = أوراق الأنماط: { $count }
copy-media = الصوت أو الفيديو: { $count }
copy-frames = الإطارات أو الكائنات: { $count }
copy-cut = قد تكون الصفحة ناقصة لأنها بلغت حدًا.
