# Offline reading: its settings, the list of stored texts, and stored pages.

offline-heading = القراءة دون اتصال
offline-words = يستطيع هذا المتصفح حفظ النصوص: ما أجّلته أو بدأت قراءته والمقالات غير المقروءة. يمكنك عندئذ قراءتها هنا دون اتصال.
offline-own-browser = اختر هذا في متصفحك الخاص فقط. ما تعلّمه كمقروء أو تضع له نجمة أو تؤرشفه أو تظلله دون اتصال يُرسل لاحقًا. تسجيل الخروج يحذف النصوص وما لم يُرسل ويعطل القراءة دون اتصال، وهي تحتاج برامج نصية.
offline-save-amount = احفظ الكمية
offline-switch-on = احفظ النصوص هنا
offline-stored = النصوص المحفوظة
offline-switch-off = احذف وعطّل
offline-amount = الكمية
offline-size = حتى { $texts } نصًا، { $size } م.ب على الأكثر مع الصور
offline-all-pictures = كل صور النصوص، لا ما رأيته فقط
offline-storing = تُحفظ النصوص الآن.
offline-list-words = يمكنك قراءة هذه النصوص دون اتصال. ما تعلّمه كمقروء أو تضع له نجمة أو تؤرشفه أو تظلله دونه يُرسل عند توفره. التغييرات الأخرى تحتاج اتصالًا.
offline-queue = تغييرات لم تُرسل بعد
offline-nothing = لا شيء للحفظ بعد: لا عنصر مؤجل أو مبدوء ولا مقالة غير مقروءة.
offline-settings = إعدادات القراءة دون اتصال
offline-off = القراءة دون اتصال معطلة
offline-off-words = لا يحفظ هذا المتصفح نصوصًا. <1>فعّلها</1> لتقرأ دون اتصال.
offline-refused = أنت دون اتصال
offline-refused-words = لم يتغير شيء. ارجع وكرر الإجراء عند توفر اتصال.
offline-text-words = أنت دون اتصال. هذا هو النص المحفوظ. تُرسل علاماتك ونجومك وتظليلاتك عند توفر اتصال.
