# Rules for new entries.

rules-made = أُنشئت القاعدة. تفحص كل مقالة جديدة.
rules-applied = أُنشئت القاعدة وطُبقت على مقالاتك غير المقروءة.
rules-deleted = حُذفت القاعدة. عادت المقالات التي كتمتها إلى قوائمك. لا يمكن استعادة المقالات المستبعدة.
rules-of = قواعد { $feed }
rules-for-all = قواعد لكل الخلاصات
rules-words = تفحص القاعدة كل مقالة جديدة. يمكنها استبعادها أو كتمها أو تعليمها كمقروءة أو حمايتها من القواعد الأخرى أو وضع نجمة عليها أو حفظها في مكتبتك أو إرسالها إلى القنوات.
rules-also-for-all = توجد أيضًا <1>قواعد لكل الخلاصات</1>.
rules-single-feed = قواعد خلاصة واحدة موجودة في صفحة تلك الخلاصة.
rules-active = القواعد الفعالة
rules-new = قاعدة جديدة
rules-muted-count = كُتم { $number }
rules-dropped-count = استُبعد { $number }
rules-starred-count = بنجمة: { $number }
rules-saved-count = حُفظ { $number }
rules-unsaved-count = لم يُحفظ { $number }، آخرها { $time }: { $reason }
rules-unsaved-daily-limit = الحد اليومي لما تحفظه القواعد: { $most }
rules-unsaved-storage-limit = مساحة التخزين ممتلئة
rules-unsaved-deleted = حذفت هذا العنصر
rules-unsaved-unavailable = لا يمكن حفظ المقالة
rules-unsaved-failed = فشل الحفظ عدة مرات
rules-since = أُنشئت { $time }
rules-off = معطلة
rules-off-words = { $off } { $time }: استغرقت وقتًا طويلًا
rules-matches = المقالات التي تطابق هذه القاعدة
rules-nothing-to-test = لا توجد مقالات لتجربتها بعد.
rules-match-count = من أحدث { $examined } مقالة، تطابق { $matched }.
rules-nothing-changed = لم يتغير شيء.
rules-would-drop = ستُستبعد: تُعد فقط ولا تظهر في قوائمك أبدًا، حتى لو حذفت القاعدة. لم يتغير شيء بعد.
rules-would-mute = ستُكتم: مخفية من القوائم والعدادات والتطبيقات. لم يتغير شيء بعد.
rules-would-read = ستُعلَّم كمقروءة. لم يتغير شيء بعد.
rules-would-keep = ستُبقى حتى لو طابقتها قاعدة أخرى. لم يتغير شيء بعد.
rules-would-star = ستوضع عليها نجمة وتُحفظ في مكتبتك. الحد اليومي لكل القواعد: { $most }. لم يتغير شيء بعد.
rules-would-save = ستُحفظ في مكتبتك. الحد اليومي لكل القواعد: { $most }. لم يتغير شيء بعد.
rules-would-notify = ستُرسل المقالات الجديدة المشابهة إلى القنوات. لا تُرسل المقالات الموجودة. لم يتغير شيء بعد.
rules-more = و{ $number } أخرى.
rules-delete-question = حذف هذه القاعدة؟
rules-too-slow = عُطلت هذه القاعدة لأنها استغرقت وقتًا طويلًا على المقالات الجديدة. احذفها وأنشئ قاعدة أبسط.
rules-has-dropped =
    { $count ->
        [one] استبعدت مقالة واحدة. لا يمكن استعادة المقالات المستبعدة.
        [two] استبعدت مقالتين. لا يمكن استعادة المقالات المستبعدة.
        [few] استبعدت { $count } مقالات. لا يمكن استعادة المقالات المستبعدة.
       *[other] استبعدت { $count } مقالة. لا يمكن استعادة المقالات المستبعدة.
    }
rules-has-muted-none = لم تكتم أي مقالة بعد.
rules-has-muted =
    { $count ->
        [one] كتمت مقالة واحدة. إن حذفت القاعدة عادت إلى قوائمك.
        [two] كتمت مقالتين. إن حذفت القاعدة عادتا إلى قوائمك.
        [few] كتمت { $count } مقالات. إن حذفت القاعدة عادت إلى قوائمك.
       *[other] كتمت { $count } مقالة. إن حذفت القاعدة عادت إلى قوائمك.
    }
rules-stay-changed = تبقى المقالات التي غيّرتها كما هي.
rules-delete = احذف القاعدة
rules-pattern = كلمات أو تعبير أو تاريخ
rules-pattern-hint = لا فرق بين الأحرف الكبيرة والصغيرة. التعبير تعبير نمطي، مثل \bsale\b أو ^(Ad|Sponsored):. للملفات أدخل نوع وسائط أو عنوانًا، مثل audio. للتواريخ أدخل 7d (آخر 7 أيام) أو >7d (أقدم) أو before:2026-01-31 أو after:2026 أو between:2026-01,2026-03 أو future.
rules-tags-hint = للحفظ فقط. اختياري، مفصولة بفواصل. إذا حفظت عدة قواعد المقالة نفسها، تُطبَّق الأقدم منها فقط (بحد أقصى { $rules })، والحد الأقصى للوسوم { $tags }.
rules-channels = القنوات
rules-channels-hint = للإرسال إلى القنوات فقط. لا تُرسل المقالات التي تستبعدها قاعدة أو تكتمها أو تعلّمها كمقروءة.
rules-channels-none = لا شيء: حُذفت
rules-action = الإجراء
rules-part = طابق في
rules-kind = المطابقة
rules-unread-too = طبّقها أيضًا على المقالات غير المقروءة (أحدث 500)
rules-preview = عاين النتائج
rules-create = أنشئ القاعدة
rules-drop = استبعاد
rules-mute = كتم
rules-keep = إبقاء
rules-save = حفظ
rules-notify = أرسل إلى القنوات
rules-drop-note = لا تُحفظ لك بل تُعد فقط
rules-mute-note = مخفية من كل القوائم حتى تحذف القاعدة
rules-read-note = في قائمة كل المقالات فقط
rules-keep-note = لا تكتمها أو تعلّمها قاعدة أخرى
rules-star-note = توضع عليها نجمة وتُحفظ في مكتبتك
rules-save-note = تُحفظ في مكتبتك بالوسوم أدناه
rules-notify-note = تُرسل إلى القنوات أدناه، حتى لو لم تكن للخلاصة قنوات
rules-part-any = العنوان أو المؤلف أو النص
rules-part-title = العنوان
rules-part-author = المؤلف
rules-part-text = النص من الخلاصة
rules-part-url = العنوان على الويب
rules-part-published = تاريخ النشر
rules-part-media = الملفات المرفقة
rules-part-category = التصنيفات
rules-kind-words = هذه الكلمات بعينها
rules-kind-expression = تعبير نمطي
rules-summary-words = { $action }: «{ $pattern }» في { $part }
rules-summary-expression = { $action }: { $pattern } في { $part }
