# Families and teams.

teams-heading = Родина й команди
teams-left = Ви вийшли з команди.
teams-deleted = Команду вилучено. Те, чим ви ділилися, знову лише ваше.
teams-words = Діліться мітками бібліотеки та змінами моніторів із людьми, яких знаєте. Ви вирішуєте, хто читає, а хто ще й додає сторінки.
teams-new = Нова команда
teams-name-hint = Наприклад, «Родина». Учасники бачать її.
teams-create = Створити команду
teams-member-of = Ви учасник
teams-membership-reader = Власник: { $owner }. Ви можете читати. { $link }
teams-membership-editor = Власник: { $owner }. Ви можете читати, додавати й вилучати сторінки. { $link }
teams-shared = Спільне з вами
teams-leave = Вийти
teams-leave-named = Вийти з «{ $name }»
teams-yours = Ваші команди
teams-no-members = ще без учасників
teams-members-count =
    { $count ->
        [one] { $count } учасник
        [few] { $count } учасники
       *[other] { $count } учасників
    }
teams-join-title = Приєднатися до команди
teams-join-reader = { $owner } запрошує вас до команди { $team }. Ви можете читати те, чим ділиться власник. Він бачитиме вашу адресу, { $email }. Ви можете вийти будь-коли.
teams-join-editor = { $owner } запрошує вас до команди { $team }. Ви можете читати те, чим ділиться власник, а також додавати й вилучати сторінки. Власник бачитиме вашу адресу, { $email }. Ви можете вийти будь-коли.
teams-join = Приєднатися
team-title = Команда
team-members = Учасники
team-invite-heading = Запросити когось
team-tags = Спільні мітки
team-tags-words = Учасники бачать сторінки з цими мітками: назву, адресу, коли ви їх зберегли, і початок тексту, якщо його завантажено з адреси. Нотатки, виділення й файли лишаються приватними.
team-monitors = Спільні монітори
team-monitors-words = Учасники бачать назви й зміни цих моніторів.
team-delete-link = Вилучити команду…
team-created = Команду створено. Запросіть учасників.
team-invited = Запрошення створено. Воно спливає за 7 днів і діє один раз.
team-revoked = Запрошення відкликано. Його посилання більше не діє.
team-removed = Учасника вилучено. Передане посилання нижче діє, доки ви його не відкличете.
team-role-changed = Роль змінено.
team-sharing-changed = Спільний доступ змінено.
team-no-members = Учасників ще немає.
team-role = Роль
team-role-of = Роль: { $email }
team-change-role = Змінити роль: { $email }
team-change = Змінити
team-reader = Читач
team-editor = Редактор: додає й вилучає сторінки
team-mailed = Надіслано на { $email }
team-link-to-pass = Посилання для передачі
team-as-reader = як читач
team-as-editor = як редактор
team-expires = спливає { $time }
team-invitation-link = Посилання запрошення
team-email-hint = Залиште порожнім, щоб отримати посилання й передати його самостійно.
team-invite = Запросити
team-stop = Не ділитися
team-stop-named = Більше не ділитися «{ $name }»
team-tag = Мітка
team-share-tag = Поділитися міткою
team-monitor = Монітор
team-share-monitor = Поділитися монітором
team-delete-question = Вилучити команду { $name }?
team-delete-words = Учасники одразу втратять доступ. Ваші мітки, елементи й монітори лишаться як є.
team-delete = Вилучити команду
