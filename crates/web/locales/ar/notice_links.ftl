# Pages behind links in messages: confirming an address, unsubscribing, and snoozing a monitor.

notice-confirm = أكّد عنوانك
notice-confirm-words = إرسال رسائل من Carrel إلى { $address }؟ طلب ذلك مستخدم لهذه الخدمة.
notice-confirm-button = أكّد
notice-confirm-not-you = إن لم تكن أنت من طلب، فأغلق هذه الصفحة. لن يُرسل إليك شيء.
notice-confirmed = أُكّد العنوان
notice-confirmed-words = تُرسل الرسائل الآن إلى { $address }. في كل رسالة رابط لإلغاء الاشتراك.
notice-stop = ألغِ الاشتراك
notice-stop-question = إلغاء الاشتراك؟
notice-stop-monitor = تذهب رسائل المراقبة { $monitor } إلى { $address }.
notice-stop-feed = تذهب المقالات الجديدة للخلاصة { $feed } إلى { $address }.
notice-stop-monitors = تذهب رسائل كل المراقبات والخلاصات والعناصر المحفوظة إلى { $address }.
notice-stop-daily = تذهب الرسالة اليومية ورسائل كل المراقبات والخلاصات والعناصر المحفوظة إلى { $address }.
notice-stop-saved = تذهب رسائل العناصر المحفوظة إلى { $address }.
notice-stop-account = تذهب رسائل الحساب (الرصيد والدخول والمفاتيح والتطبيقات) إلى { $address }.
notice-stop-everything = تذهب رسائل المراقبة والحساب إلى { $address }.
notice-stopped-title = أُلغي الاشتراك
notice-stopped = أُلغي اشتراكك
notice-stopped-monitor = لم تعد رسائل المراقبة { $monitor } تُرسل إلى { $address }.
notice-stopped-feed = لم تعد المقالات الجديدة للخلاصة { $feed } تُرسل إلى { $address }.
notice-stopped-monitors = لم تعد رسائل المراقبة والخلاصات والعناصر المحفوظة تُرسل إلى { $address }.
notice-stopped-daily = لم تعد الرسالة اليومية ورسائل المراقبة والخلاصات والعناصر المحفوظة تُرسل إلى { $address }.
notice-stopped-saved = لم تعد رسائل العناصر المحفوظة تُرسل إلى { $address }.
notice-stopped-account = لم تعد رسائل الحساب تُرسل إلى { $address }.
notice-stopped-everything = لم تعد الرسائل تُرسل إلى { $address }. لتلقيها ثانية، أكّد العنوان من جديد.
notice-snooze = تأجيل
notice-snooze-question = تأجيل { $monitor }؟
notice-snooze-channel = تذهب رسائل هذه المراقبة إلى القناة { $channel }.
notice-snooze-words = تصل التغيّرات أثناء ذلك في رسالة واحدة بعده. وتبقى كاملة في الخلاصة وفي صفحة المراقبة.
notice-muted = كُتمت
notice-muted-words = لم تعد رسائل { $monitor } تُرسل إلى { $channel }. اختر القناة في صفحة المراقبة لتتلقاها ثانية.
notice-snoozed = أُجّلت
notice-snoozed-until = الرسائل التالية: { $time }.
notice-resumed = تُرسل الرسائل من جديد
notice-resumed-words = تُرسل رسائل { $monitor } إلى { $channel }.
notice-for-days =
    { $count ->
        [one] ليوم واحد
        [two] ليومين
        [few] لمدة { $count } أيام
        [many] لمدة { $count } يومًا
       *[other] لمدة { $count } يوم
    }
notice-resume = أرسل من جديد
notice-mute = اكتم هذه المراقبة هنا
notice-invalid-title = رابط غير صالح
notice-invalid = لم يعد هذا الرابط صالحًا
notice-invalid-words = أُرسل رابط أحدث، أو لم يعد موضوعه موجودًا.
