# Search in the library and in feeds, and search by meaning.

search-help = الكلمات و{ $phrase } و{ $without } و{ $tag } و{ $domain } تجد العناصر والملاحظات والتظليلات والمقالات. أدخل عنوانًا لفتح الصفحة.
search-whole-phrases = "عبارات كاملة"
search-without = -بدون
search-all-library = كل النتائج في المكتبة
search-similar = لا تطابق تام. هذه النتائج تحتوي كلمات مشابهة.
search-all-feeds = كل النتائج في خلاصاتك
search-again = ابحث من جديد
search-none = لا نتائج
search-more-than = أكثر من { $amount }
search-note = ملاحظة
search-highlight = تظليل
meaning-requested = البحث جارٍ. تعرض هذه الصفحة النتائج عندما تجهز.
meaning-words = صف ما تتذكره من نص. لا يلزم أن يحتوي هذه الكلمات.
meaning-form = ابحث في المكتبة بالمعنى
meaning-query = وصف النص
meaning-off = نموذج اللغة معطل. <1>الإعدادات</1>
meaning-searching = البحث عن { $query }. يستغرق البحث الأول وقتًا أطول لأن النصوص تُقارن لأول مرة.
meaning-failed = لا توجد نتائج: { $reason }.
meaning-results = نتائج { $query }
meaning-none = لا عنصر مطابق.
meaning-compared = قورنت نصوص { $number } من العناصر { $time }.
meaning-unindexed = لم تُقارن بعد: { $number }. ابحث من جديد للمتابعة.
meaning-request-failed = فشل طلب: { $reason }.
