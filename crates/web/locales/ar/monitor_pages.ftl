# Groups, lists, and changes of monitors, and the forms that edit, copy, and delete one.

groups-heading = مجموعات المراقبة
groups-deleted = حُذفت المجموعة. تحتفظ مراقباتها بإعداداتها.
groups-words = تتشارك مراقبات المجموعة إعدادات مثل الفاصل وساعات الصمت والقنوات. يمكن أن تكون للمجموعة صفحة وخلاصة عامتان.
groups-public = عامة
groups-new = مجموعة جديدة
groups-create = أنشئ المجموعة
groups-count =
    { $count ->
        [one] مراقبة واحدة
        [two] مراقبتان
        [few] { $count } مراقبات
       *[other] { $count } مراقبة
    }
groups-in-group = { $link } في هذه المجموعة.
group-made = أُنشئت المجموعة. اخترها في نموذج مراقبة، أو لمراقبات مختارة في القائمة.
group-saved = حُفظت المجموعة.
group-title = مجموعة
group-publish = صفحة وخلاصة عامتان
group-publish-words = يستطيع كل من لديه الرابط قراءة أسماء المراقبات وتغيّراتها. بعد التعطيل تتوقف الروابط نهائيًا.
group-new-monitor = مراقبة جديدة هنا
group-shared-words = تسري الإعدادات المشتركة على كل مراقبة في المجموعة ما لم تكن لها إعداداتها. إن أوقفت مشاركة إعداد احتفظت كل مراقبة بقيمته.
group-check = الفحص
group-own-interval = إعداد كل مراقبة
group-share-days = شارك هذه الأيام والأوقات
group-share-channels = شارك هذه القنوات
group-page = الصفحة العامة
group-page-words = يستطيع كل من لديه هذا الرابط قراءة الصفحة. إن كانت خاصة فعامل الرابط ككلمة مرور.
group-page-link = رابط الصفحة
group-delete-question = حذف المجموعة { $name }؟
group-delete-words = تبقى مراقباتها بإعداداتها الحالية. تتوقف صفحتها وخلاصتها العامتان نهائيًا.
group-delete = احذف المجموعة
duplicate-name = { $name } (نسخة)
duplicate-heading = تكرار { $name }
duplicate-words = للنسخة كل إعدادات هذه المراقبة وتراقب عنوانًا آخر. يمكنك تعديلها لاحقًا.
duplicate-create = أنشئ النسخة
lists-heading = استيراد المراقبات وتصديرها
lists-words = نسخة احتياطية من changedetection.io (ZIP) أو قائمة urlwatch (urls.yaml) أو تصدير من هذه الخدمة. تبقى مراقباتك الحالية كما هي.
lists-download = نزّل مراقباتك (JSON)
lists-imported = استُوردت مراقباتك
lists-program = الملف قائمة من { $program }.
lists-new = جديدة
lists-existing = موجودة
lists-refused = لم تُستورد
lists-not-read = لم تُقرأ
lists-not-read-words = لم تُقرأ بعض المراقبات: هي معطوبة أو تزيد القائمة على 1000.
lists-show = اعرض المراقبات
lists-line-new = { $monitor }: جديدة
lists-line-existing = { $monitor }: موجودة من قبل
lists-line-refused = { $monitor }: لم تُستورد. { $reason }
lists-without = دون: { $settings }
changes-search = ابحث في التغيّرات
changes-no-match-newest = لا تطابق بين أحدث التغيّرات.
changes-no-match = لا تغيّرات مطابقة.
changes-older = تغيّرات أقدم
monitor-edit-heading = تعديل { $name }
monitor-edit-preview-empty = تُظهر المعاينة أي تغيّرات سابقة كان سيُبلّغ عنها بهذه الإعدادات.
monitor-edit-baseline = إن غيّرت العنوان أو ما يُراقب فيه صار الفحص التالي الأساس الجديد.
monitor-edit-preview = عاين على السابق
monitor-edit-replayed =
    { $count ->
        [one] بهذه الإعدادات كان سيُبلّغ عن { $left } من آخر تغيّر.
        [two] بهذه الإعدادات كان سيُبلّغ عن { $left } من آخر تغيّرين.
        [few] بهذه الإعدادات كان سيُبلّغ عن { $left } من آخر { $count } تغيّرات.
       *[other] بهذه الإعدادات كان سيُبلّغ عن { $left } من آخر { $count } تغيّرًا.
    }
monitor-edit-reported = مبلّغ عنه: { $change }
monitor-edit-not-reported = غير مبلّغ عنه: { $change }
monitor-edit-unknown = غير معروف: { $change }
monitor-edit-past = التغيّرات السابقة
monitor-rotate-question = استبدال رابط خلاصة { $name }؟
monitor-rotate-words = يتوقف رابط الخلاصة الحالي وكل روابط التغيّرات فورًا. تحتاج قارئات الخلاصات إلى الرابط الجديد. تبقى المراقبة وصفحتها كما هما.
monitor-rotate = استبدل الرابط
monitor-delete-question = حذف { $name }؟
monitor-delete-words = تُحذف فحوصها وتغيّراتها وتجيب خلاصتها 410 Gone. لا يمكن التراجع.
monitor-delete-button = احذف المراقبة
