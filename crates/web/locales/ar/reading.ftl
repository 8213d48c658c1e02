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
quotation = الاقتباس
quotation-check = تحقق
look-save = احفظ الإعدادات
look-theme = الألوان
look-theme-auto = مثل الجهاز
look-theme-light = فاتح
look-theme-sepia = بني داكن
look-theme-dark = داكن
look-size = حجم النص
look-size-m = متوسط
look-size-s = صغير
look-size-l = كبير
look-size-xl = كبير جدًا
look-width = عرض النص
look-width-medium = متوسط
look-width-narrow = ضيق
look-width-wide = واسع
look-face = الخط
look-face-serif = مذيّل
look-face-sans = غير مذيّل
look-scroll = علّم المقالات مقروءة
look-scroll-open = عندما أفتحها
look-scroll-pass = وعندما أمرّ عليها أيضًا (يحتاج إلى برامج نصية)
look-pictures = الصور
look-pictures-show = اعرضها
look-pictures-hide = أوصافها فقط مع روابط
look-spacing = تباعد الأسطر
look-spacing-normal = عادي
look-spacing-tight = ضيق
look-spacing-loose = واسع
look-density = القوائم
look-density-cosy = مريحة
look-density-compact = مضغوطة
look-density-magazine = مجلة
