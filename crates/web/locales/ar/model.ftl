# Language model: what is sent to it, and the switch of the account.

model = نموذج اللغة
model-purpose = يستطيع نموذج اللغة تلخيص العناصر المحفوظة والمقالات غير المقروءة. يبقى متوقفًا حتى تشغّله.
model-manage = إدارة نموذج اللغة
model-is-on = نموذج اللغة { $state } لحسابك.
model-is-off = نموذج اللغة { $state } لحسابك. لا يُرسل إليه شيء.
model-on = مشغّل
model-off = متوقف
model-switch-on = شغّل
model-switch-off = أوقف
model-switched-on = شُغّل. في صفحة العنصر المحفوظ زر لتلخيصه، وفي مقالات المجموعة رابط إلى موجز.
model-switched-off = أوقف. لن يُرسل شيء بعد الآن. تبقى الملخصات والموجزات الموجودة.
model-sent = ما الذي يُرسل
model-sent-summary = لملخص عنصر: عنوانه، وأول { $characters } حرف من نصه، و{ $tags } من أسماء وسومك على الأكثر.
model-sent-briefing = لموجز مجموعة: عناوين { $entries } مقالة غير مقروءة على الأكثر، وأول { $characters } حرف من ملخصاتها.
model-sent-search = للبحث بالمعنى: الكلمات التي تبحث عنها، وعناوين أحدث { $items } عنصر لديك وأول { $characters } حرف من نصوصها.
model-sent-when = فقط حين تضغط { $summarize } في صفحة عنصر أو { $briefing } في صفحة مجموعة، أو تبحث بالمعنى، أو يطلبه برنامج لديه مفتاحك.
model-sent-never = لا يُرسل أبدًا اسمك ولا عنوانك ولا ملاحظاتك ولا تظليلاتك.
model-briefing-button = اكتب موجزًا
model-where = إلى أين يُرسل
model-where-words = إلى النموذج { $model } على { $host }، الذي اختاره مشغّل هذه الخدمة. يستطيع مشغّل ذلك الخادم قراءة ما يُرسل.
model-with-embeddings = { $model } (للبحث بالمعنى { $other })
model-answer = ما مصير الإجابة
model-answer-words = تُعرض الإجابة نصًا وقد تكون خاطئة. ولا تغيّر شيئًا: لا تُضاف الوسوم المقترحة إلا حين تضغطها.
model-limit = تسمح خطتك بعدد { $amount } من الطلبات يوميًا.
