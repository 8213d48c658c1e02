# Saved searches.

search-renamed = أُعيدت تسمية البحث.
search-deleted = حُذف البحث.
searches-query = عبارة البحث
searches-none = ليست لديك عمليات بحث محفوظة. ابحث في مكتبتك أو في مقالاتك، ثم اختر «احفظ هذا البحث» فوق النتائج.
searches-in-library = في المكتبة
searches-in-entries = في مقالات الخلاصات
search-feed-created = للخلاصة عنوان جديد. لم يعد العنوان السابق يعمل.
search-feed-deleted = حُذفت الخلاصة. لم يعد عنوانها يعمل.
searches-feed-words = يمكن أن يكون للبحث خلاصة خاصة بأحدث 50 نتيجة لأي قارئ خلاصات. يستطيع كل من يعرف عنوانها قراءتها.
searches-feed-address = عنوان خلاصة «{ $name }»
searches-feed-create = إنشاء خلاصة
searches-feed-create-named = إنشاء خلاصة «{ $name }»
searches-feed-new = عنوان جديد للخلاصة
searches-feed-new-named = عنوان جديد لخلاصة «{ $name }»
searches-feed-delete = حذف الخلاصة
searches-feed-delete-named = حذف خلاصة «{ $name }»
