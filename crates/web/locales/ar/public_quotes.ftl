# Public links of quotes.

public-quote-published = أصبح الاقتباس عامًا. شارك رابطه.
public-quote-private = عاد الاقتباس خاصًا. لم يعد رابطه القديم يعمل.
public-quote = رابط عام
public-quote-unavailable = لا يمكن أن يكون لهذا الاقتباس رابط عام: لم يُجلب نصه من عنوان عام أو لا يحتوي النص عليه. قد يكون من صفحة تتطلب تسجيل الدخول.
public-quote-words = يستطيع كل من لديه الرابط قراءة الاقتباس واسم صفحته وعنوانها دون حساب.
public-quote-note = أدرج ملاحظتي
public-quote-create = أنشئ رابطًا
public-quote-link = رابط الاقتباس
public-quote-open = <1>افتح الصفحة</1>.
public-quote-paused = الصفحة غير متاحة الآن: لم يُجلب النص من عنوان عام أو لم يعد يحتوي على الاقتباس.
public-quote-hide = اجعله خاصًا
public-quote-hide-named = اجعل «{ $quote }» خاصًا
public-quote-all = كل الوسوم والاقتباسات العامة
public-quotes-yours = اقتباساتك العامة
public-quotes-words = يستطيع كل من لديه الرابط قراءة الاقتباس واسم صفحته وعنوانها.
public-quote-not-found = الرابط خاطئ أو أوقف مالكه مشاركة هذا الاقتباس.
public-quote-note-heading = ملاحظة
