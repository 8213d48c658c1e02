# Reading pages and reading settings.

reading-source = المصدر
reading-minutes =
    { $count ->
        [0] أقل من دقيقة
        [one] دقيقة واحدة
        [two] دقيقتان
        [few] { $count } دقائق
        [many] { $count } دقيقة
       *[other] { $count } دقيقة
    }
reading-printed = المصدر: { $address }، قُرئ في { $day } الساعة { $time } UTC.
reading-truncated = جزء من المصدر ناقص. هو طويل جدًا أو لا يمكن تحويله إلى نص.
reading-paywall = يعرض المصدر مقتطفًا فقط لمن ليس لديهم اشتراك.
reading-scripts = يعرض المصدر جزءًا من نصه فقط في المتصفحات التي تشغّل البرامج النصية.
reading-passages = مقاطع تطابق بحثك. <1>اعرض النص كاملًا</1>
reading-no-match = لا شيء في هذا النص يطابق «{ $query }».
reading-next = الصفحة التالية
reading-formats = بصيغة <1>نص</1> أو <2>Markdown</2> أو <3>JSON</3>.
reading-save = احفظ
reading-listen = استمع
reading-stop = أوقف
reading-aa = : إعدادات القراءة
reading-more = المزيد
reading-outline = الفهرس
reading-check = تحقق من اقتباس
reading-watch = راقب هذه الصفحة
reading-follow = تابع هذا الموقع
reading-original = افتح الأصل
reading-epub = نزّل بصيغة EPUB
reading-markdown = نزّل بصيغة Markdown
reading-another = اقرأ صفحة أخرى
reading-fetched = جُلب { $age }
reading-fetch-again = اجلب من جديد
reading-find-label = ابحث في هذا النص
reading-find = ابحث
video-play = شغّل الفيديو هنا
video-service = يُحمَّل مشغّل { $service }
quotation = الاقتباس
quotation-check = تحقق
appearance-save = احفظ الإعدادات
appearance-theme = الألوان
appearance-theme-auto = مثل الجهاز
appearance-theme-light = فاتح
appearance-theme-sepia = بني داكن
appearance-theme-dark = داكن
appearance-size = حجم النص
appearance-width = عرض النص
appearance-face = الخط
appearance-face-serif = مذيّل
appearance-face-sans = غير مذيّل
appearance-face-legible = ملائم لعسر القراءة
appearance-face-mono = ثابت العرض
appearance-face-own = خط من هذا الجهاز
appearance-face-name = اسم الخط
appearance-face-name-hint = الاسم الإنجليزي لخط مثبّت على هذا الجهاز: أحرف A–Z وأرقام ومسافات وشرطات. على الأجهزة التي ليس فيها هذا الخط يظهر النص بخط مذيّل.
appearance-scroll = علّم المقالات مقروءة
appearance-scroll-open = عندما أفتحها
appearance-scroll-pass = وعندما أمرّ عليها أيضًا (يحتاج إلى برامج نصية)
appearance-pictures = الصور
appearance-pictures-show = اعرضها
appearance-pictures-hide = أوصافها فقط مع روابط
appearance-spacing = تباعد الأسطر
appearance-density = القوائم
appearance-density-cosy = مريحة
appearance-density-compact = مضغوطة
appearance-density-magazine = مجلة
appearance-paged = التمرير بالصفحات
appearance-paged-off = إيقاف
appearance-paged-on = مفاتيح المسافة وPage Up وPage Down، والنقر فوق وسط النص وتحته (يحتاج إلى برامج نصية)
appearance-less = أقل
appearance-more = أكثر
paragraph-link = رابط الفقرة { $number }
paragraph-original = الأصل
picture-unnamed = صورة
quotation-text = النص
quotation-wrong = أدخل اقتباسًا من 8 إلى 1000 حرف و200 كلمة على الأكثر.
quotation-paragraph = الفقرة { $number } من النص
quotation-exact = يحتوي النص على هذا الاقتباس حرفيًا.
quotation-close = يحتوي النص على مقطع مشابه.
quotation-close-share = نسبة الكلمات المتطابقة { $share }.
quotation-differences = الفروق
quotation-legend = المشطوب: في الاقتباس فقط. المسطّر: في النص فقط.
quotation-absent = لا يحتوي النص على هذا الاقتباس.
quotation-absent-words = أقرب مقطع في النص مشابه بنسبة { $share }. ربما تغيّرت الصفحة أو أن الاقتباس من صفحة أخرى.
quotation-only-quoted = في الاقتباس فقط:
quotation-only-text = في النص فقط:
quotation-context = السياق
reader-limited = فتحت صفحات كثيرة في وقت قصير.
reader-what-to-do = ما العمل:
reader-wait = انتظر { $count } ث ثم حاول مرة أخرى.
reader-another = اقرأ صفحة أخرى
reader-about = عن { $code }
reader-original = افتح الأصل
reader-try-http = جرّب http://
reader-no-page = الصفحة غير موجودة
reader-no-page-step = تحقق من خلو العنوان من الأخطاء. لقراءة صفحة من موقع آخر أدخل عنوانها أدناه.
reader-gone = لا توجد هذه الصفحة في الموقع
reader-gone-step = افتح الأصل للتحقق من العنوان. ربما نُقلت الصفحة أو حُذفت.
reader-no-address = أدخل عنوانًا
reader-no-address-step = الصق عنوان الصفحة التي تريد قراءتها.
reader-address = أدخل عنوانًا كاملًا
reader-address-step = يبدأ العنوان الكامل بـ https:// أو http:// دون اسم مستخدم أو كلمة مرور.
