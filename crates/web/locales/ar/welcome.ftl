# First steps of a new account.

welcome-followed = أنت تتابع هذه الخلاصات الآن. تظهر مقالاتها خلال دقائق.
welcome-none = لم يُختر شيء. اختر خلاصات ثم تابعها.
welcome-follow-words = تصل المقالات الجديدة للمواقع التي تتابعها في قائمة واحدة.
welcome-site = عنوان موقع
welcome-bring = من قارئ آخر: <1>أحضر خلاصاتك (OPML)</1>. من متصفح: <2>أحضر إشاراتك المرجعية</2>.
welcome-save-words = تحفظ مكتبتك النص الكامل. يمكنك تظليله وإضافة ملاحظات والعثور على كل كلمة من جديد.
welcome-page = عنوان صفحة
welcome-ways = <1>احفظ من أي صفحة بنقرة واحدة</1>.
welcome-watch-words = يفحص Carrel الصفحة نيابةً عنك ويُعلمك عندما ينخفض السعر أو يتغير أي شيء آخر.
welcome-watched = عنوان منتج أو صفحة
welcome-today = إلى «اليوم»
welcome-skip = تخطَّ الخطوات
welcome-suggested = أو اختر من هذه الخلاصات
welcome-follow-selected = تابع المختارة
topic-news = أخبار
topic-science = علوم
topic-technology = تقنية
topic-programming = برمجة
topic-culture = أفكار وثقافة
topic-comics = قصص مصورة وطعام
