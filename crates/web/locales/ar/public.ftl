# Pages that anyone with their link may read: groups, tags, and changes of monitors.

public-not-found = الصفحة غير موجودة
public-not-found-words = الرابط خاطئ. تأكد من أنه كامل.
public-gone = لم تعد هذه الصفحة عامة
public-gone-words = حذفها مالكها أو أعطاها رابطًا جديدًا.
public-gone-title = لم تعد عامة
public-unavailable = غير متاح مؤقتًا
public-unavailable-words = أعد المحاولة بعد ثوانٍ.
public-group-follow = تابع التغيّرات في قارئ خلاصات: <1>RSS</1>، <2>Atom</2>، <3>JSON Feed</3>.
public-no-monitors = لا مراقبات بعد.
public-tag-not-found = الرابط خاطئ أو أوقف مالكها مشاركة هذه الصفحة.
public-tag-follow = تابع هذه القائمة في قارئ خلاصات: <1>RSS</1>، <2>Atom</2>، <3>JSON Feed</3>.
public-no-items = لا عناصر بعد.
public-newest = تُعرض أحدث العناصر: { $number }.
change-not-found = التغيّر غير موجود
change-not-found-words = الرابط خاطئ أو حُذف التغيّر.
change-gone = لم يعد هذا الرابط صالحًا
change-gone-words = لخلاصته رابط جديد أو لم تعد عامة.
change-gone-title = الرابط غير صالح
change-of = تغيّر في { $monitor }
change-detected = رُصد
change-address = العنوان
change-differences = الفروق
change-views = طرق العرض
change-sides = جنبًا إلى جنب
change-inline = ضمن النص
change-before = قبل
change-after = بعد
change-rest =
    { $count ->
        [one] لا يُعرض فرق واحد آخر.
        [two] لا يُعرض فرقان آخران.
        [few] لا تُعرض { $count } فروق أخرى.
       *[other] لا يُعرض { $count } فرقًا آخر.
    }
change-legend = النص المحذوف مشطوب والمضاف تحته خط.
change-unknown-size = حجم غير معروف
change-no-screenshot = هذه اللقطة غير محفوظة: كبيرة جدًا أو قديمة جدًا أو نفدت مساحة اللقطات.
change-earlier = التغيّر الأسبق
change-later = التغيّر اللاحق
change-count-added = أُضيف { $count }
change-count-removed = حُذف { $count }
change-count-changed = تغيّر { $count }
change-count-moved = نُقل { $count }
change-unchanged =
    { $count ->
        [one] سطر واحد بلا تغيّر
        [two] سطران بلا تغيّر
        [few] { $count } أسطر بلا تغيّر
       *[other] { $count } سطرًا بلا تغيّر
    }
change-whole = تغيّر المصدر كثيرًا فلا يمكن مقارنته سطرًا بسطر.
change-before-value = قبل:
change-after-value = بعد:
change-link = الرابط: { $link }
change-fell = انخفض بمقدار { $amount }
change-rose = ارتفع بمقدار { $amount }
change-new = جديد
change-removed = محذوف
change-changed = متغيّر
change-moved = منقول
change-removed-part = محذوف:
change-added-part = مضاف:
change-explanation-pending = يشرح النموذج اللغوي التغيير.
change-explanation-none = لم يشرح النموذج اللغوي التغيير: { $reason }.
change-explanation-by = كتبه النموذج اللغوي { $name }. قد يكون خاطئًا.
change-explanation-irrelevant = رأى أن التغيير لا يهم الرغبة.
change-explanation-withheld = رأى أن التغيير لا يهم الرغبة، فلم تُرسل رسالة.
