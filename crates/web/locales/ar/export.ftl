# Export of the library.

export-everything = كل شيء
export-everything-words = النصوص والملفات والوسوم والملاحظات والتظليلات، وخلاصاتك ونجومك وقواعدك ومراقباتك وتغييراتها. يمكن استيراده من جديد.
export-bookmarks = إشارات مرجعية
export-bookmarks-words = العناوين والأسماء والوسوم، لأي متصفح.
export-table = جدول
export-table-words = سطر لكل عنصر، لجدول حسابي.
export-cards = بطاقات
export-cards-words = فراغات تظليلاتك وأسئلتها، نصًّا لبرنامج Anki.
export-create = أنشئ التصدير
export-feeds = صدّر خلاصاتك <1>بصيغة OPML</1>.
export-creating = جارٍ إنشاء التصدير
export-reloads = يُعاد تحميل هذه الصفحة حتى يجهز التصدير. يمكنك مغادرتها والعودة.
export-written = العناصر المكتوبة
export-progress = { $done } من { $total }
export-failed = فشل التصدير
export-failed-words = تعذر إنشاء التصدير. <1>أعد المحاولة</1>.
export-yours = تصديرك
export-expires = تُحذف الملفات { $time }.
export-delete = احذف التصدير
export-part = نزّل الجزء { $number }
export-kilobytes = { $amount } ك.ب
