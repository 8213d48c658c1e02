# Families and teams.

teams-heading = العائلة والفرق
teams-left = غادرت الفريق.
teams-deleted = حُذف الفريق. عاد ما شاركته لك وحدك.
teams-words = شارك وسوم مكتبتك وتغيّرات المراقبات مع من تعرفهم. أنت تقرر من يقرأ ومن يضيف الصفحات أيضًا.
teams-new = فريق جديد
teams-name-hint = مثل «العائلة». يراه الأعضاء.
teams-create = أنشئ الفريق
teams-member-of = أنت عضو في
teams-membership-reader = المالك: { $owner }. يمكنك القراءة. { $link }
teams-membership-editor = المالك: { $owner }. يمكنك القراءة وإضافة الصفحات وإزالتها. { $link }
teams-shared = مُشارَك معك
teams-leave = غادر
teams-leave-named = غادر «{ $name }»
teams-yours = فرقك
teams-no-members = لا أعضاء بعد
teams-members-count =
    { $count ->
        [one] عضو واحد
        [two] عضوان
        [few] { $count } أعضاء
        [many] { $count } عضوًا
       *[other] { $count } عضو
    }
teams-join-title = الانضمام إلى فريق
teams-join-reader = يدعوك { $owner } إلى الفريق { $team }. يمكنك قراءة ما يشاركه المالك. سيرى المالك بريدك { $email }. يمكنك المغادرة في أي وقت.
teams-join-editor = يدعوك { $owner } إلى الفريق { $team }. يمكنك قراءة ما يشاركه المالك، وإضافة الصفحات وإزالتها. سيرى المالك بريدك { $email }. يمكنك المغادرة في أي وقت.
teams-join = انضم
team-title = الفريق
team-members = الأعضاء
team-invite-heading = ادعُ أحدًا
team-tags = الوسوم المشتركة
team-tags-words = يرى الأعضاء الصفحات بهذه الوسوم: العنوان، والرابط، ووقت حفظها، وبداية النص إن جُلب من الرابط. تبقى الملاحظات والتظليلات والملفات خاصة.
team-monitors = المراقبات المشتركة
team-monitors-words = يرى الأعضاء أسماء هذه المراقبات وتغيّراتها.
team-delete-link = حذف الفريق…
team-created = أُنشئ الفريق. ادعُ أعضاءه.
team-invited = أُنشئت الدعوة. تنتهي بعد 7 أيام وتعمل مرة واحدة.
team-revoked = أُلغيت الدعوة. لم يعد رابطها صالحًا.
team-removed = أُزيل العضو. يبقى أي رابط أدناه سلّمته صالحًا حتى تلغيه.
team-role-changed = غُيّر الدور.
team-sharing-changed = غُيّرت المشاركة.
team-no-members = لا أعضاء بعد.
team-role = الدور
team-role-of = دور { $email }
team-change-role = غيّر دور { $email }
team-change = غيّر
team-reader = قارئ
team-editor = محرر: يضيف الصفحات ويزيلها
team-mailed = أُرسلت إلى { $email }
team-link-to-pass = رابط لتسليمه
team-as-reader = بصفة قارئ
team-as-editor = بصفة محرر
team-expires = تنتهي { $time }
team-invitation-link = رابط الدعوة
team-email-hint = اتركه فارغًا لتحصل على رابط تسلّمه بنفسك.
team-invite = ادعُ
team-stop = أوقف المشاركة
team-stop-named = أوقف مشاركة «{ $name }»
team-tag = الوسم
team-share-tag = شارك الوسم
team-monitor = المراقبة
team-share-monitor = شارك المراقبة
team-delete-question = حذف الفريق { $name }؟
team-delete-words = يفقد أعضاؤه الوصول فورًا. تبقى وسومك وعناصرك ومراقباتك كما هي.
team-delete = احذف الفريق
