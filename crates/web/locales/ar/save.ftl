# Form that saves a page.

save-heading = احفظ صفحة
save-words = يُجلب نصها ويُحفظ في مكتبتك، حيث يمكنك قراءته لاحقًا وتظليله والعثور عليه.
save-no-address = ما شاركته لا يحوي عنوانًا. أدخل عنوان الصفحة.
save-title = العنوان
save-title-hint = اختياري. وإلا استُخدم عنوان الصفحة نفسها.
save-tags-hint = اختياري، تفصلها فواصل.
save-library = إلى المكتبة
save-to = احفظ في
save-render = افتحها أولًا في متصفح
save-render-auto = إذا احتاجت الصفحة إلى نصوص برمجية
save-render-always = دائمًا
save-render-without-cookie-notices = دائمًا، دون إشعارات ملفات تعريف الارتباط
save-render-never = أبدًا
save-render-hint = للصفحات التي لا يظهر نصها إلا بعد تشغيل نصوصها البرمجية. تكلف خمس عمليات استخراج جديدة بدل واحدة.

# Form that uploads files.

upload-heading = ارفع ملفات
upload-files = الملفات
upload-hint = ملفات PDF والكتب الإلكترونية ومستندات المكتب والنصوص وصفحات الويب والبريد والصور. مع النصوص البرمجية يمكنك أيضًا إفلات الملفات على هذه الصفحة.
upload-send = ارفع
upload-saved = حُفظ
upload-sending = جارٍ رفع
upload-none = اختر ملفًا واحدًا على الأقل.
upload-refused-size = لم يُحفظ: حجمه أكبر من { $size }، وهو الحد الأقصى في خطتك.
upload-refused-storage = لم يُحفظ: مساحة التخزين ممتلئة. <1>اعرض المستخدم منها</1>.
upload-refused-type = لم يُحفظ: محتواه ليس من النوع الذي يدل عليه اسمه.
upload-refused = لم يُحفظ: { $reason }
upload-failed = لم يُحفظ. تحقق من الاتصال وأعد تحميل الصفحة ثم حاول مجددًا.
