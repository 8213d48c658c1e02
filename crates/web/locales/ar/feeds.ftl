# List of subscriptions, and the form that follows a site.

feeds-subscriptions = الاشتراكات
feeds-status = حالة الخلاصات
feeds-all = الكل
feeds-none = لا تتابع أي خلاصة بعد.
feeds-none-in-status = لا خلاصات بهذه الحالة.
feeds-count =
    { $count ->
        [one] خلاصة واحدة ({ $amount })
        [two] خلاصتان ({ $amount })
        [few] { $amount } خلاصات
       *[other] { $amount } خلاصة
    }
feeds-more = المزيد من الخلاصات
feeds-rules = القواعد
feeds-statistics = الإحصاءات
feeds-unread-count = غير مقروءة: { $amount }
follow-words = أدخل عنوان أي صفحة من صفحاته. تظهر مقالاته الجديدة بعدها في خلاصاتك.
follow-address = عنوان الموقع أو خلاصته
follow-collection = المجموعة
follow-search = ابحث عن الخلاصات
follow-search-again = ابحث مجددًا
follow-several = عدة خلاصات دفعة واحدة: <1>استورد ملف OPML</1>.
follow-services = خدمات تُعرف صفحاتها
follow-found = الخلاصات التي عُثر عليها
follow-none = لا خلاصة في هذا العنوان، ولا تشير الصفحة إلى واحدة. يمكنك بدلًا من ذلك <1>مراقبة الصفحة</1> ليصلك إشعار عندما تتغير.
follow-unchecked = مذكورة في الصفحة، لم تُفحص بعد
follow-titled = تابع «{ $title }»
follow-list = تابع جديد هذه الصفحة
follow-list-words = في الصفحة قائمة عدد عناصرها { $count }. تبلغ المراقبة بالجديد كمقالات في خلاصاتك.
follow-list-watch = راقب الجديد
feed-request-words = إذا عيّنت وكيل مستخدم أو ترويسات، تُجلب الخلاصة لحسابك على حدة.
feed-request-headers-hint = واحدة في كل سطر، مثل ⁦X-Feed-Key: 1234⁩. تُخزن مشفرة ولا تُرسل إلا إلى موقع الخلاصة.
feed-request-stored = المخزن: { $names }. تحل الجديدة محلها.
feed-request-remove = أزل الترويسات المخزنة
