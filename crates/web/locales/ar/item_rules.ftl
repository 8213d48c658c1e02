# Rules for saved items.

item-rules = قواعد العناصر المحفوظة
item-rules-words = تغيّر القاعدة كل عنصر جديد مرة واحدة فور قراءة نصه. لا تتغير العناصر المستوردة. ولا تُضاف الوسوم العامة أو المشتركة.
item-rules-created = أُنشئت القاعدة، وتسري على ما تحفظه من الآن.
item-rules-changed = تغيّرت القواعد.
item-rules-deleted = حُذفت القاعدة.
item-rules-name = اسم القاعدة
item-rules-query = العناصر التي يجدها هذا البحث
item-rules-query-hint = مثل domain:example.org أو title:فاتورة. الكلمات والمرشحات هي نفسها في البحث.
item-rules-status = انقل إلى
item-rules-status-none = لا تنقل
item-rules-adds = تضيف الوسوم: { $tags }
item-rules-moves = تنقل إلى: { $status }
item-rules-nothing = لا تغيّر شيئًا
item-rules-matches = المطابقات حتى الآن: { $count }
item-rules-items = اعرض العناصر
item-rules-withheld = لا تُضاف لأنها عامة أو مشتركة: { $tags }
item-rules-edit-named = حرّر «{ $name }»
item-rules-up = أعلى
item-rules-up-named = انقل «{ $name }» إلى أعلى
item-rules-down = أسفل
item-rules-down-named = انقل «{ $name }» إلى أسفل
item-rules-stay = تبقى العناصر التي غيّرتها القاعدة كما هي.
