# Form of a new monitor, and its preview.

monitor-new = مراقبة جديدة
monitor-new-words = يفحص Carrel صفحة بانتظام ويبلغك عندما يتغير الجزء الذي يهمك.
monitor-full = لا تسمح خطتك بمزيد من المراقبة.
monitor-full-used = المستخدم { $used } من { $limit }.
monitor-full-words = احذف ما لم تعد تحتاج إليه، أو عدّل واحدة لتراقب شيئًا آخر.
monitor-full-list = إلى مراقباتك
monitor-full-plan = الخطة والاستخدام
monitor-examples = جرّب مثالًا
monitor-example-change = أي تغيّر في صفحة
monitor-example-word = ظهور كلمة
monitor-example-list = الجديد في قائمة
monitor-preview = معاينة
monitor-preview-again = معاينة جديدة
monitor-preview-empty = اضغط «معاينة» لترى ما ستراقبه. لا تستهلك رصيدًا.
monitor-start = ابدأ المراقبة
monitor-cancel = إلغاء
step-1 = 1. ماذا تراقب
step-2 = 2. متى
step-3 = 3. كيف تُبلَّغ
monitor-address = عنوان الصفحة
monitor-address-hint = الصفحة العامة أو خريطة الموقع أو مستند JSON المراد مراقبته.
monitor-type = النوع
target-page = صفحة
target-page-words = نصها أو جزء منه؛ رصيد 1 لكل فحص
target-sitemap = خريطة موقع
target-sitemap-words = العناوين المضافة والمحذوفة؛ رصيد 2 لكل فحص
target-product = منتج
target-product-words = اسمه وسعره وتوفره؛ رصيد 3 لكل فحص
target-calendar = تقويم
target-calendar-words = أحداث ملف iCalendar؛ رصيد 2 لكل فحص
target-file = ملف
target-file-words = من أي صيغة، بحجمه وبصمته؛ رصيد 1 لكل فحص
target-image = صورة
target-image-words = بمظهرها، مثل كاميرا ويب؛ رصيد 2 لكل فحص
target-headers = الترويسات
target-headers-words = حالة الرد وترويساته؛ رصيد 1 لكل فحص
target-extract = قيم
target-extract-words = مثل الأسعار، بمحدِّد؛ رصيد 3 لكل فحص
monitor-part = جزء من الصفحة فقط
monitor-selector = المحدِّد
monitor-selector-hint = CSS مثل ⁦#price⁩ أو ⁦li:contains("Tickets")⁩، أو XPath مثل ⁦//table[2]//tr⁩، أو JSONPath مثل ⁦$.version⁩، أو jq مثل ⁦jq:.items[] | select(.free) | .name⁩. في الصفحات يقرأ JSONPath وjq بيانات برامجها النصية: ⁦$['ld+json'][0].offers.price⁩ أو ⁦$.__NEXT_DATA__.props⁩. إن تعددت، واحد في كل سطر، يُبلَّغ أيضًا عن ظهور كل منها واختفائه. للمظهر: محدِّد CSS واحد.
monitor-filters = المرشحات
monitor-filters-hint = واحد في كل سطر، تُطبَّق بالترتيب على أسطر الصفحة: keep أو drop مع تعبير نمطي، مثل ⁦drop ^Advert⁩؛ أو replace مثل ⁦replace \d+ views => views⁩؛ أو sort؛ أو unique. تعرض المعاينة الأسطر بعد كل منها.
monitor-sitemap = مرشحات خريطة الموقع
monitor-include = عناوين تُضمَّن
monitor-include-hint = نمط واحد في كل سطر، مثل ⁦/blog/*⁩.
monitor-exclude = عناوين تُستبعد
monitor-exclude-hint = نمط واحد في كل سطر.
monitor-values = القيم
monitor-values-hint = واحدة في كل سطر، مثل ⁦price = .price⁩. النجمة بعد الاسم تعيّن المفتاح الذي يميّز العنصر. إن كان في القيمة عدة أرقام فاختر واحدًا بكلمة first أو last أو least أو greatest بين قوسين، مثل ⁦price (least) = .price⁩. من الترويسات سمِّ ما يُقرأ، مثل ⁦etag = ETag⁩.
monitor-items = العنصر المتكرر
monitor-items-hint = محدِّد CSS أو XPath للعنصر المتكرر، مثل ⁦.product⁩. اتركه فارغًا لتُعدّ الصفحة عنصرًا واحدًا.
monitor-empty = قد تكون القائمة فارغة، مثل قائمة المواعيد المتاحة.
monitor-empty-words = وإلا فلا تُحسب القائمة الفارغة إلا إذا تكررت مرتين.
monitor-headers = الترويسات
monitor-headers-hint = واحدة في كل سطر، مثل ⁦etag = ETag⁩. اتركه فارغًا لمراقبة كل الترويسات عدا ما يختلف دائمًا.
monitor-interval = الفحص
monitor-not-in-plan = (ليس في خطتك)
every-minutes =
    { $count ->
        [1] كل دقيقة
        [one] كل { $count } دقيقة
        [two] كل دقيقتين
        [few] كل { $count } دقائق
        [many] كل { $count } دقيقة
       *[other] كل { $count } دقيقة
    }
every-hours =
    { $count ->
        [1] كل ساعة
        [one] كل { $count } ساعة
        [two] كل ساعتين
        [few] كل { $count } ساعات
        [many] كل { $count } ساعة
       *[other] كل { $count } ساعة
    }
every-days =
    { $count ->
        [1] كل يوم
        [one] كل { $count } يوم
        [two] كل يومين
        [few] كل { $count } أيام
        [many] كل { $count } يومًا
       *[other] كل { $count } يوم
    }
every-week = كل أسبوع
monitor-trigger = أبلغني عندما
trigger-any = يتغير أي شيء
trigger-text-appears = يظهر نص
trigger-text-disappears = يختفي نص
trigger-above = يرتفع رقم فوق
trigger-below = ينخفض رقم تحت
trigger-share = تتغير هذه النسبة المئوية على الأقل
trigger-added = يُضاف شيء
trigger-removed = يُزال شيء
trigger-condition = تتحقق الشروط أدناه
monitor-value = نص أو رقم
monitor-value-hint = غير لازم عند «يتغير أي شيء».
monitor-one-value = إحدى القيم فقط
monitor-value-name = اسم القيمة
monitor-value-name-hint = اسم من «القيم»؛ للمنتج name أو price أو currency أو availability؛ للحدث title أو start أو end أو location أو status أو repeats؛ للملف size أو sha256؛ للترويسات status أو اسم ترويسة. اتركه فارغًا لأي قيمة.
monitor-conditions = الشروط
monitor-conditions-hint = شرط في كل سطر، ويجب أن تتحقق كلها. السطر الذي فيه الكلمة or يبدأ بديلًا. مع القيم ابدأ باسم، مثل ⁦price falls by 10%⁩ أو ⁦price new low in 30 days⁩ أو ⁦price between 5 and 9⁩ أو ⁦not stock contains sold out⁩. وبدونها: ⁦contains tickets⁩ أو ⁦matches v\d+⁩ أو ⁦count above 3⁩ أو ⁦length below 200⁩ أو ⁦similarity below 80⁩.
monitor-repeat = أبلغني مجددًا ما دام متحققًا
monitor-repeat-after = أبلغني مجددًا بعد
monitor-repeat-hint = ساعات، مثل 24. اتركه فارغًا للإبلاغ مرة واحدة عند التحقق.
monitor-ignore = تجاهل بعض التغيّرات
monitor-ignore-label = تجاهل التغيّرات التي تحوي
monitor-ignore-hint = نص واحد في كل سطر. تُتجاهل الفقرات التي تحويه.
schedule-days = الأيام والأوقات
schedule-only-on = فقط يوم
day-monday = الاثنين
day-tuesday = الثلاثاء
day-wednesday = الأربعاء
day-thursday = الخميس
day-friday = الجمعة
day-saturday = السبت
day-sunday = الأحد
schedule-week = أي هذه الأيام في الشهر
schedule-week-all = الكل
week-first = الأول
week-second = الثاني
week-third = الثالث
week-fourth = الرابع
week-last = الأخير
schedule-times = في هذه الأوقات
schedule-times-hint = تفصلها فواصل، مثل ⁦08:30, 17:00⁩. تحل محل الفاصل الزمني.
schedule-from = فقط من
schedule-from-hint = مثل ⁦08:00⁩. تعمل المراقبة بفاصلها الزمني في هذه الساعات.
schedule-to = حتى
schedule-to-hint = مثل ⁦18:00⁩.
schedule-zone = المنطقة الزمنية
schedule-zone-hint = مثل ⁦Europe/Berlin⁩. اتركه فارغًا لتوقيت UTC.
schedule-jitter = تأخير عشوائي بالدقائق
schedule-jitter-hint = 120 على الأكثر. اتركه فارغًا لأقل من دقيقة.
schedule-not-before = ليس قبل
schedule-not-before-hint = تاريخ مثل ⁦2026-12-24⁩ أو وقت مثل ⁦2026-12-24T08:00:00Z⁩.
schedule-muted = ساعات الهدوء والإخفاقات
schedule-mute-from = لا رسائل من
schedule-mute-from-hint = مثل ⁦22:00⁩، بالمنطقة الزمنية في «الأيام والأوقات». يستمر الفحص، وتنتظر الرسائل حتى النهاية.
schedule-mute-to-hint = مثل ⁦07:00⁩.
schedule-failures = أبلغني بعد هذا العدد من الإخفاقات المتتالية
schedule-failures-hint = اتركه فارغًا للإبلاغ عند توقف المراقبة فقط.
monitor-follow = اعرض التغيّرات في خلاصاتي أيضًا
monitor-notify = أبلغني عبر
monitor-no-channels = ليس لديك قنوات بعد. <1>أضف قناة</1> لتُبلَّغ بالبريد أو webhook أو المحادثة.
monitor-group = المجموعة
monitor-group-none = بلا
monitor-override = تجاوز إعدادات المجموعة
monitor-override-hint = تحل إعدادات المجموعة محل إعدادات هذا النموذج، عدا ما تختاره هنا.
setting-interval = الفاصل الزمني
setting-channels = القنوات
monitor-tags-hint = اختياري. وسوم تفصلها فواصل، مثل بيت, أسعار. { $count } على الأكثر.
monitor-name = الاسم
monitor-name-hint = تقترح المعاينة عنوان الصفحة، ويمكنك تغييره.
monitor-name-limit = { $count } حرفًا على الأكثر.
request = الطلب وتسجيل الدخول
request-agent = وكيل المستخدم
request-agent-hint = اتركه فارغًا لاستعمال وكيل Carrel.
request-proxy = الوسيط
request-proxy-removed = { $name } (لم يعد متاحًا)
request-headers-hint = واحدة في كل سطر، مثل ⁦Accept-Language: de⁩. أدخل الأسرار في الحقول أدناه.
request-post = أرسل طلبًا بهذا المحتوى
request-method = الطريقة
request-body = المحتوى
request-body-hint = يُرسل عند كل فحص، فيتكرر أثره.
request-media = نوع وسائط المحتوى
request-media-hint = اتركه فارغًا لبيانات نموذج.
request-cookies = احفظ ملفات تعريف ارتباط الموقع بين الفحوص
request-any-status = حالة الخطأ مثل 404 محتوى.
request-any-status-words = وإلا فشل الفحص.
request-credentials = بيانات الدخول
credentials-keep = احتفظ بالبيانات المخزنة
credentials-none = بلا
credentials-basic = اسم المستخدم وكلمة المرور
credentials-bearer = رمز Bearer
credentials-header = ترويسة أخرى، مثل مفتاح API أو ملف تعريف ارتباط
request-user = اسم المستخدم أو الترويسة
request-user-hint = غير لازم لرمز Bearer.
request-secret = كلمة المرور أو الرمز أو القيمة
request-secret-hint = تُرسل إلى هذا الموقع فقط ولا تُعرض أبدًا.
preview-heading = ما ستتم مراقبته
preview-of-page = وُجد الآن في «{ $title }»: { $amount }. لم يُستهلك رصيد.
preview-of-address = وُجد الآن: { $amount }. لم يُستهلك رصيد.
preview-lines =
    { $count ->
        [one] سطر واحد ({ $count })
        [two] سطران ({ $count })
        [few] { $count } أسطر
        [many] { $count } سطرًا
       *[other] { $count } سطر
    }
preview-addresses =
    { $count ->
        [one] عنوان واحد ({ $count })
        [two] عنوانان ({ $count })
        [few] { $count } عناوين
        [many] { $count } عنوانًا
       *[other] { $count } عنوان
    }
preview-items =
    { $count ->
        [one] عنصر واحد ({ $count })
        [two] عنصران ({ $count })
        [few] { $count } عناصر
        [many] { $count } عنصرًا
       *[other] { $count } عنصر
    }
preview-nothing = لا شيء
preview-number = الرقم المقارَن: { $number }
preview-number-of = الرقم المقارَن لـ{ $item }: { $number }
preview-met = الشرط متحقق الآن. لا يُبلغ الفحص الأول عن شيء. يُبلَّغ عن الشرط عندما يتوقف تحققه ثم يتحقق من جديد.
preview-met-repeat = الشرط متحقق الآن. لا يُبلغ الفحص الأول عن شيء. إذا بقي متحققًا يُبلَّغ عنه بعد عدد الساعات في «{ $field }».
preview-not-met = الشرط غير متحقق الآن.
preview-filter =
    { $count ->
        [one] بعد المرشح { $number }: سطر واحد
        [two] بعد المرشح { $number }: سطران
        [few] بعد المرشح { $number }: { $count } أسطر
        [many] بعد المرشح { $number }: { $count } سطرًا
       *[other] بعد المرشح { $number }: { $count } سطر
    }
preview-only-first = يُعرض أول { $count } فقط.
preview-or-only = أو راقب فقط
preset-address = عنوان أفضل
preset-product = هذا المنتج: أي تغيّر
preset-product-price = هذا المنتج: انخفاض السعر
preset-in-stock = توفر من جديد
preset-price-falls = انخفاض السعر
preset-price-changes = تغيّر السعر
preset-stock = متوفر أو نفد
preset-list = الجديد في هذه القائمة
preset-part = تغيّر هذا النص
unwatched-margin = غير مراقب: خارج النص الرئيسي؛ يشمله محدِّد أو نص منتظَر
unwatched-clock = غير مراقب: يبدو ساعة أو تاريخًا في الصفحة
unwatched-part = لا تُراقب الأوقات والعدّادات فيه
unwatched-ignored = تتجاهله قاعدتك
unwatched-learned = غير مراقب: يتغير في كل فحص
target-visual = المظهر
target-visual-words = صفحة في متصفح، أو عنصر واحد؛ رصيد 3 لكل فحص
rendering = البرامج النصية
rendering-open = افتح الصفحة في متصفح يشغّل برامجها النصية.
rendering-open-words = رصيد 3 لكل فحص. للصفحات والمنتجات والقيم، دون جسم للطلب ودون وكيل.
rendering-wait = انتظر
rendering-wait-hint = محدِّد CSS لعنصر لا تكتمل الصفحة بدونه.
rendering-steps = الخطوات
rendering-steps-hint = خطوة في كل سطر قبل قراءة الصفحة: ⁦click .more⁩ أو ⁦type #search => boats⁩ أو ⁦press Enter⁩ أو ⁦select #sort => 2⁩ أو ⁦scroll_end⁩ أو ⁦wait 2⁩ (بالثواني) أو ⁦wait_text OK⁩. يذكر الدليل جميع الخطوات. مع علامة استفهام (⁦click? .close⁩) تُتخطى الخطوة إذا غاب عنصرها. لكلمة مرور أو سر آخر اكتب ⁦secret #password⁩، فيظهر حقل له في الأسفل. تُحفظ النصوص الأخرى كما هي.
rendering-cookie-notices = أغلق إشعارات ملفات تعريف الارتباط
rendering-cookie-notices-words = تُرفض أو تُخفى، ولا تُقبل أبدًا.
pick-button = اختر على صورة الصفحة
pick-hint = يفتح متصفح الصفحة ويعرض أجزاءها. يُحسب ذلك خمس عمليات استخراج جديدة، مثل كل معاينة في متصفح.
pick-no-browser = لاختيار جزء على صورة الصفحة تحتاج هذه الخدمة إلى متصفح، وهو غير متوفر. تقترح المعاينة أجزاء أيضًا.
pick-heading = اختر جزءًا من الصفحة
pick-words = اختر الجزء الذي تريد مراقبته على الصورة أو في القائمة. ثم تُفتح الصفحة في متصفح عند كل فحص: رصيد 3 لكل فحص.
pick-cut = لا تُعرض كل الأجزاء: الصفحة طويلة جدًا، أو أجزاؤها كثيرة جدًا، أو لم تُحمَّل بالكامل.
pick-empty = ليس في الصفحة جزء له نص يمكن مراقبته.
pick-another = اختر جزءًا آخر
pick-alt = صورة الصفحة
pick-parts = أجزاء الصفحة
pick-chosen = الأجزاء المختارة
pick-more = اضغط جزءًا آخر لإضافته، أو جزءًا مختارًا لإزالته.
pick-steps-button = اختر الخطوات على صورة
pick-purpose = ماذا تختار؟
pick-purpose-part = الجزء المراد مراقبته
pick-purpose-step = خطوات قبل قراءة الصفحة
pick-steps-heading = اختر خطوات على الصفحة
pick-step-words = اضغط عنصرًا على الصورة أو في القائمة، ثم اختر ما يُفعل به. بعد كل خطوة تعرض صورة جديدة الصفحة، وتُحسب كل صورة خمس عمليات استخراج جديدة.
pick-steps = الخطوات حتى الآن
pick-step-remove = أزل الخطوة { $number }
pick-step-on = خطوة على «{ $name }»
pick-step-click = انقر
pick-step-type = املأ
pick-step-wait = انتظر حتى يظهر
pick-step-scroll = مرّر إليه
pick-step-select = اختر خيارًا
pick-step-check = حدّد المربع
pick-step-uncheck = ألغِ تحديد المربع
pick-step-press = اضغط مفتاحًا فيه
pick-step-hover = مرّر المؤشر فوقه
pick-step-wait-text = انتظر نصًا فيه
pick-step-wait-gone = انتظر حتى يختفي
pick-step-scroll-end = مرّر إلى نهاية قائمته
pick-step-remove-element = أزله من الصفحة
pick-step-key = المفتاح
pick-step-optional = تخطَّ هذه الخطوة إذا غاب العنصر
pick-step-text = نص الخطوة
pick-step-text-hint = مع «املأ» و«اختر خيارًا» و«انتظر نصًا». الحد الأقصى لعدد المحارف: { $count }.
pick-step-add = أضف الخطوة واعرض الصفحة
pick-kind-button = (زر)
pick-kind-field = (حقل)
pick-step-secret = املأ سرًا
step-secret = السر لـ { $selector }
step-secret-new = السر المراد ملؤه
step-secret-hint = يُحفظ مشفَّرًا، ولا يُكتب إلا في هذا الموقع، ولا يُعرض أبدًا.
step-secret-set = السر محفوظ. اتركه فارغًا للإبقاء عليه.
monitor-explanation = النموذج اللغوي
monitor-explanation-words = إذا شغّلت <1>النموذج اللغوي</1>، يتلقى فروق كل تغيير ويقول في جملة ما الذي تغيّر. تنتظره الرسائل 10 دقائق على الأكثر.
monitor-explanation-explain = اشرح كل تغيير
monitor-explanation-wish = التغييرات التي تهمك
monitor-explanation-wish-hint = مثلًا: انخفاض السعر فقط. { $count } حرف على الأكثر. اتركه فارغًا إذا كانت كلها تهمك.
monitor-explanation-only = لا ترسل رسائل عن التغييرات غير المهمة. تبقى في السجل وفي الخلاصة.
