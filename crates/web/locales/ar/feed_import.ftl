# Import and export of lists of feeds.

opml-title = استيراد وتصدير
opml-heading = استيراد الخلاصات وتصديرها
opml-words = ملف OPML يستطيع كل قارئ خلاصات تصديره. تصبح المجلدات مجموعات. تبقى الخلاصات التي تتابعها كما هي.
opml-download = نزّل خلاصاتك بصيغة OPML
opml-running = <1>يجري استيراد الآن</1>.
opml-last = نتيجة آخر استيراد
feed-import-running = جارٍ استيراد خلاصاتك
feed-import-finished = استُوردت خلاصاتك
feed-import-reloads = يُعاد تحميل هذه الصفحة حتى ينتهي الاستيراد. يمكنك مغادرتها والعودة.
feed-import-checked = الخلاصات المفحوصة
feed-import-empty = لا يحتوي الملف خلاصات.
feed-import-to-feeds = إلى خلاصاتك
feed-import-stopped-words = تبقى الخلاصات التي استُوردت.
feed-import-unknown = الملف ليس قائمة خلاصات بصيغة OPML أو أنه تالف. صدّره مجددًا من قارئك. تُستورد الإشارات المرجعية والصفحات المحفوظة في صفحة المكتبة › استيراد.
feed-import-too-large = تتطلب قراءة الملف وقتًا أو ذاكرة كبيرة. لم يُستورد شيء.
feed-import-again = استورد الملف مجددًا. الخلاصات المستوردة لا تُضاف مرتين.
feed-import-in-file = الخلاصات في الملف
feed-import-known = متابَعة من قبل
feed-import-refused = لم تُستورد
feed-import-collections = المجموعات المنشأة
feed-import-no-collection = بلا مجموعة لأن خطتك لا تسمح بالمزيد
feed-import-problems = ما لم يُستورد كما في الملف، والسبب
feed-import-problem = الخلاصة { $row }: { $reason }
feed-import-more = و{ $amount } أخرى.
