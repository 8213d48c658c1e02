# Import of files into the library.

import-words = يمكنك استيراد الإشارات المرجعية وصادرات خدمات القراءة لاحقًا وتظليلات القارئات والمراجع وقوائم العناوين وصادرات Carrel نفسه.
import-checked-first = يُفحص الملف أولًا. ترى ما سيُستورد ثم تقرر.
import-file = الملف
import-format = التنسيق
import-detect = اكتشاف تلقائي
import-include = استورد أيضًا من تصدير Carrel الخلاصات والمراقبات والإعدادات والقواعد والمواضع
import-check = افحص الملف
import-fields = ما يُستورد من كل تنسيق
import-servers = <1>استورد من خادم</1> Karakeep أو wallabag أو linkding أو Readeck أو Miniflux أو FreshRSS أو Readwise أو Raindrop أو Pinboard.
import-opml = استورد الخلاصات <1>بصيغة OPML</1>.
import-folders = المجلدات
import-folders-path = وسم واحد بالمسار
import-folders-tags = وسم لكل مجلد
import-folders-none = بلا وسوم
import-undone = تُراجع عن الاستيراد.
import-no-rows = لا يوجد صف يمكن إعادة محاولته.
import-no-file = لم يعد الملف أو قائمة صفوفه محفوظًا. استورد الملف مجددًا: الموجود لا يُضاف مرتين.
import-reloads = يُعاد تحميل هذه الصفحة حتى الانتهاء. يمكنك مغادرتها والعودة.
import-rows-checked = الصفوف المفحوصة
import-removed = أُزيل كل ما أضافه الاستيراد، عدا العناصر التي غيّرتها منذ ذلك الحين.
import-can-undo = يمكنك التراجع عن هذا الاستيراد. ينتهي الخيار { $time }. تبقى العناصر التي غيّرتها وكذلك الإضافات إلى عناصر كانت لديك.
import-heading-undoing = جارٍ التراجع عن الاستيراد
import-heading-checking = جارٍ فحص الملف
import-heading-running = جارٍ الاستيراد
import-heading-preview = معاينة الاستيراد
import-heading-undone = تم التراجع عن الاستيراد
import-heading-finished = اكتمل الاستيراد
import-heading-stopped = أُوقف الاستيراد
import-heading-failed = فشل الاستيراد
import-you-stopped = أوقفت الاستيراد قبل اكتماله.
import-unknown-format = لا يحتوي الملف بيانات بهذا التنسيق. اختر تنسيقًا آخر أو الاكتشاف التلقائي.
import-damaged = الملف تالف أو ليس من النوع الذي يدّعيه.
import-too-large = الملف كبير جدًا أو صفوفه كثيرة جدًا أو فيه صف يستهلك ذاكرة كبيرة.
import-incomplete = تعذر إكمال الاستيراد.
import-rows = الصفوف
import-would-be-new = ستكون جديدة
import-new = جديدة
import-existing = موجودة
import-skipped = متخطاة
import-failed = فاشلة
import-annotations = الملاحظات والتظليلات
import-part-feed-settings = إعدادات الخلاصات
import-part-rules = القواعد
import-part-templates = قوالب الرسائل
import-part-account-settings = إعدادات الحساب
import-part-positions = المواضع
import-parts-uncounted = ستُستورد أيضًا الخلاصات والمراقبات والإعدادات والقواعد والمواضع. تُحتسب أعدادها عند تشغيل الاستيراد.
import-problems =
    { $count ->
        [one] مشكلة واحدة
        [two] مشكلتان
        [few] { $count } مشكلات
       *[other] { $count } مشكلة
    }
import-problems-first =
    { $count ->
        [one] أول مشكلة
        [two] أول مشكلتين
        [few] أول { $count } مشكلات
       *[other] أول { $count } مشكلة
    }
import-row-reason = الصف { $row }: { $reason }
import-stop = أوقف
import-to-library = إلى المكتبة
import-retry = أعد المحاولة
import-from-server = استورد من خادم
import-continue = تابع الاستيراد
import-other-file = اختر ملفًا آخر
import-undo = تراجع عن الاستيراد
import-rows-gone = لم تعد الصفوف معروضة لأن استيرادات أحدث تحتاج المساحة.
import-no-match = لا صفوف مطابقة.
import-more-rows = صفوف أخرى
import-download-rows = نزّل كل الصفوف بصيغة CSV
import-with-problems = بها مشكلات
import-annotation = ملاحظة أو تظليل
import-untitled = بلا عنوان
import-row = الصف { $row }
import-columns = الأعمدة
import-columns-words = هذا ما يقترحه Carrel لكل عمود في الملف. إن غيّرت حقلًا فافحص الملف مجددًا قبل استيراده.
import-check-again = افحص مجددًا
