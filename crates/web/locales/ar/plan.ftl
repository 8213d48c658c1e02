# Plan and usage.

plan-first = حسابك هو الأول في هذه الخدمة، فله أكبر خطة: pro.
plan-begin = ابدأ
plan-yours = خطتك هي { $plan }. هذه الأرقام أيضًا في { $path } وفي ترويسات كل رد.
plan-requests = الطلبات
plan-quotas = الحصص
plan-plans = الخطط
plan-differ = تختلف الخطط في هذه الحدود فقط. يستطيع مشغّل هذه الخدمة تغيير خطتك بالأمر { $command }.
plan-operations-last-minute = العمليات في آخر دقيقة
plan-operations-today = العمليات اليوم
plan-fresh-last-minute = الاستخراجات الجديدة في آخر دقيقة
plan-fresh-today = الاستخراجات الجديدة اليوم
plan-resets = المزيد { $time }
plan-until-deleted = حتى تحذف بعضها
plan-feeds = الخلاصات
plan-collections = مجموعات الخلاصات
plan-consumers = مستهلكو الخلاصات
plan-credits-this-month = رصيد المراقبة هذا الشهر
plan-credits-reset = تتجدد { $time }
plan-clock = تعمل المراقبة على الأكثر { $often }. الأيام والأشهر بتوقيت UTC، حيث الوقت الآن { $now }.
plan-limit = الحد
plan-own = (خطتك)
plan-monitor-interval = أقصى تشغيل للمراقبة
plan-credits-per-month = رصيد المراقبة شهريًا
plan-operations-per-minute = العمليات في الدقيقة
plan-operations-per-day = العمليات في اليوم
plan-fresh-per-minute = الاستخراجات الجديدة في الدقيقة
plan-fresh-per-day = الاستخراجات الجديدة في اليوم
plan-used = { $count } من { $most }
plan-daily = مرة في اليوم
plan-hourly = مرة في الساعة
plan-every =
    { $count ->
        [one] كل دقيقة
        [two] كل دقيقتين
        [few] كل { $count } دقائق
        [many] كل { $count } دقيقة
       *[other] كل { $count } دقيقة
    }
plan-own-quotas = حدد مشغّل هذه الخدمة لحسابك هذه الحدود بدل حدود خطتك:
plan-in-plan = في الخطة { $limit }
plan-storage-used = { $used } MiB من { $most }
