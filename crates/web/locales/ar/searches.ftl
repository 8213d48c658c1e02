# Saved searches.

search-renamed = أُعيدت تسمية البحث.
search-deleted = حُذف البحث.
searches-none = ليست لديك عمليات بحث محفوظة. ابحث في مكتبتك أو في مقالاتك، ثم اختر «احفظ هذا البحث» فوق النتائج.
searches-in-library = في المكتبة
searches-in-entries = في مقالات الخلاصات
