# Lists of entries and library items.

list-density = كثافة القائمة
select-titled = اختر «{ $title }»
actions-on-titled = إجراءات على «{ $title }»
action-on-titled = { $action }: «{ $title }»
action-to-titled = { $action }: «{ $title }»
done-read = عُلّمت مقروءة.
done-unread = عُلّمت غير مقروءة.
done-all = عُلّمت المقالات مقروءة.
done-many = عُلّمت المقالات مقروءة. التراجع يعيد أحدث 500.
done-all-unread = عُلّمت المقالات غير مقروءة.
done-undone = تم التراجع.
done-none = لم يُختر شيء. اختر مقالات ثم إجراءً.
done-starred = مُيّزت بنجمة وحُفظت في مكتبتك.
done-unstarred = أُزيلت النجمة. أُزيل العنصر المحفوظ بها من مكتبتك أيضًا، إلا إذا كنت قد عملت عليه.
done-followed = أنت تتابع هذه الخلاصة الآن. تظهر مقالاتها بعد لحظات.
done-already = أنت تتابع هذه الخلاصة بالفعل.
done-unfollowed = لم تعد تتابع هذه الخلاصة. ما حفظته منها يبقى في مكتبتك.
done-refreshed = تُجلب الخلاصات خلال دقيقتين.
done-refreshed-some = الخلاصات أكثر من أن تُجلب دفعة واحدة. تُجلب البقية في مواعيدها.
done-refreshed-none = جُلبت هذه الخلاصات قبل لحظات، أو يجري جلبها الآن.
done-items-late = حُذفت بعض العناصر نهائيًا من قبل.
done-item-saved = حُفظ. نصه جاهز أو سيجهز قريبًا.
done-item-known = موجود في مكتبتك.
done-items-moved = نُقلت العناصر.
done-items-tagged = أُضيف الوسم إلى العناصر.
done-items-deleted = حُذفت العناصر.
done-items-none = لم يُختر شيء. اختر عناصر ثم إجراءً.
done-items-read = عُلّمت العناصر مقروءة.
done-tag-renamed = أُعيدت تسمية الوسم في كل مكان.
done-tag-removed = أُزيل الوسم من كل العناصر.
entries-follow = تابع موقعًا
entries-filter = تصفية المقالات
entries-all-feeds = كل الخلاصات
entries-tab-unread = غير مقروءة { $amount }
entries-tab-all = الكل
entries-tab-read = المقروءة
entries-fetch-now = اجلب الآن
entries-tab-starred = بنجمة
entries-none-followed = لا تتابع أي خلاصة بعد. <1>تابع موقعًا</1> لترى مقالاته الجديدة هنا. أو <2>استورد قائمة من قارئ آخر</2>.
entries-heading = المقالات
entries-older = مقالات أقدم
entries-these = هذه المقالات
entries-search = ابحث في هذه المقالات
entries-mark-all = علّم الكل مقروءًا
entries-no-match = لا مقالات تطابق بحثك.
entries-none = لا مقالات بعد. تُجلب الخلاصة خلال دقيقة من متابعتها.
entries-none-unread = لا مقالات غير مقروءة. <1>اعرض كل المقالات</1>.
entries-none-starred = لا مقالات بنجمة. ضع نجمة على مقالة لتبقى في هذه القائمة وتُحفظ في مكتبتك.
entries-none-read = لا مقالات مقروءة بعد.
entries-feed-settings = إعدادات الخلاصة
entries-unfollow = إلغاء المتابعة…
entries-new = مقالات جديدة
entries-selected = المقالات المختارة
entries-mark-read = علّم مقروءة
entries-mark-unread = علّم غير مقروءة
entries-mark-above = علّم مقروءًا حتى هنا
entries-mark-story = علّم الموضوع كله مقروءًا
entries-star = ضع نجمة
entries-unstar = أزل النجمة
entries-unread-mark = غير مقروءة:
entries-starred-mark = بنجمة:
entries-also-in = أيضًا في:
entries-similar = مشابهة:
feeds-and-collections = الخلاصات والمجموعات
feeds-manage = إدارة الخلاصات
feeds-collections = المجموعات
feeds-import = استيراد أو تصدير
feeds-last-failed = فشل الجلب الأخير
feeds-unread = غير مقروءة
health-ok = تعمل
health-last-failed = ؛ فشل الجلب الأخير: { $reason }
health-failing = لا تستجيب
health-since = (آخر جلب { $time })
health-reason = : { $reason }
health-stale = خاملة
health-stale-words = : تستجيب، لكن لا جديد فيها منذ زمن
health-never = لم تُجلب بعد
health-left-out = ؛ فيها مقالات أكثر مما يُقرأ، لذا تنقص الأقدم
items-status = الحالة
items-search-label = ابحث في العناوين والنصوص والوسوم
items-search = ابحث هنا
items-heading = العناصر
items-older = عناصر أقدم
items-changed = تغيّر { $time }
items-results =
    { $count ->
        [one] نتيجة واحدة ({ $amount }) لـ«{ $query }».
        [two] نتيجتان ({ $amount }) لـ«{ $query }».
        [few] { $amount } نتائج لـ«{ $query }».
        [many] { $amount } نتيجة لـ«{ $query }».
       *[other] { $amount } نتيجة لـ«{ $query }».
    }
items-results-partial =
    { $count ->
        [one] { $amount } نتيجة أو أكثر لـ«{ $query }».
        [two] { $amount } نتيجة أو أكثر لـ«{ $query }».
        [few] { $amount } نتائج أو أكثر لـ«{ $query }».
        [many] { $amount } نتيجة أو أكثر لـ«{ $query }».
       *[other] { $amount } نتيجة أو أكثر لـ«{ $query }».
    }
items-similar = تحتوي على كلمات مشابهة.
items-search-all = ابحث في المكتبة كلها
items-clear = مسح
items-all = الكل
items-kinds-and-tags = الأنواع والوسوم
items-kinds = الأنواع
items-everything = الكل
items-tags = الوسوم
items-manage-tags = إدارة الوسوم
items-import = استيراد
items-export = تصدير
items-save = احفظ
items-selected = العناصر المختارة
items-tag-label = وسم للعناصر المختارة
items-tag-example = وسم
items-tag = أضف الوسم
items-to-inbox = إلى الوارد
items-archive = أرشفة
items-mark-read = علّم مقروءًا
items-delete = حذف…
items-empty = مكتبتك فارغة. احفظ صفحة بالحقل أعلاه، أو <1>بإشارة مرجعية في متصفحك</1>، أو من أي صفحة قراءة، أو <2>استورد</2> عناصرك من خدمة أخرى.
items-none = لا شيء هنا.
items-no-match = لا شيء يطابق بحثك. جرّب كلمات أقل، أو بداية كلمة مع نجمة: { $example }.
items-saved = حُفظ { $time }
items-read = مقروء
items-with-file = مع ملف
items-progress = قُرئ: { $percent } بالمئة
status-inbox = الوارد
status-later = لاحقًا
status-archive = الأرشيف
kind-article = مقالة
kinds-article = مقالات
kind-website = صفحة ويب
kinds-website = صفحات ويب
kind-book = كتاب
kinds-book = كتب
kind-email = رسالة
kinds-email = رسائل
kind-pdf = PDF
kinds-pdf = ملفات PDF
kind-social-post = منشور
kinds-social-post = منشورات
kind-video = فيديو
kinds-video = فيديوهات
kind-podcast-episode = حلقة بودكاست
kinds-podcast-episode = حلقات بودكاست
kind-document = مستند
kinds-document = مستندات
kind-unknown = غير ذلك
kinds-unknown = غير ذلك
text-fetching = يُجلب النص
text-none = لا نص: { $reason }
text-unreadable = تعذرت قراءة النص
text-awaited = لم يصل الملف بعد
items-shared = مُشارَك معي
items-by-meaning = ابحث بالمعنى
entries-briefing = موجز المقالات غير المقروءة
