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
save-render-never = أبدًا
save-render-hint = للصفحات التي لا يظهر نصها إلا بعد تشغيل نصوصها البرمجية. تكلف خمس عمليات استخراج جديدة بدل واحدة.
