# Texts of scripts: the list of keys, the notice of new entries, buttons of reading pages, listening, offline reading,
# passkeys, and pictures of quotes.

keys-title = Клавіші
script-close = Закрити
key-next = наступний запис або текст
key-previous = попередній запис або текст
key-open = відкрити
key-next-page = наступна сторінка списку
key-back = назад
key-mark = позначити прочитаним або непрочитаним
key-mark-previous = позначити прочитаним або непрочитаним і перейти до попереднього
key-mark-all = позначити все прочитаним
key-star = додати зірку або зберегти
key-archive = архівувати
key-next-paragraph = наступний абзац
key-previous-paragraph = попередній абзац
key-highlight = виділити вибрані слова або абзац
key-highlight-note = виділити з нотаткою
key-passage = застосувати мовну модель до вибраних слів або абзацу
key-full = повна сторінка
key-original-tab = оригінал, у новій вкладці
key-original = оригінал
key-attachment = відтворити запис або відкрити файл
key-feed = записи стрічки
key-refresh = отримати зараз стрічки зі списку
key-follow = стежити за сайтом
key-unfollow = не стежити за стрічкою
key-select = вибрати; з Shift і клацанням: діапазон
key-undo = скасувати
key-search = шукати
key-today = Сьогодні
key-unread = непрочитані записи
key-all = усі записи
key-read = прочитані записи
key-starred = записи із зіркою
key-feeds = стрічки
key-collections = колекції
key-library = бібліотека
key-monitors = монітори
key-settings = опції
key-top = початок сторінки
key-close = закрити
key-help = ці клавіші
copy-markdown = Копіювати як Markdown
copy-markdown-done = Скопійовано.
copy-markdown-failed = Не вдалося скопіювати. Завантажте текст.
script-copy = Копіювати
copy-done = Скопійовано
copy-failed = Не вдалося скопіювати
copy-failed-selected = Не вдалося скопіювати. Текст виділено.
script-share = Поділитися…
note-jump = Перейти до примітки
entries-new-count =
    { $count ->
        [one] { $count } новий запис
        [few] { $count } нові записи
       *[many] { $count } нових записів
    }
entries-new-most = { $count } або більше нових записів
minutes-left =
    { $count ->
        [one] залишилася { $count } хвилина
        [few] залишилося { $count } хвилини
       *[many] залишилося { $count } хвилин
    }
listen-pause = Призупинити
listen-continue = Продовжити
listen-previous = Попередній абзац
listen-next = Наступний абзац
listen-next-text = Наступний текст
listen-all = Слухати все
listen-voice = Голос
listen-voice-any = Автоматично
listen-failed = Цей браузер не зміг прочитати текст уголос.
stored-not-possible = Цей браузер не може зберігати тексти. Потрібне захищене з’єднання (https) із цим сервером.
stored-not-allowed = Цей браузер не дозволяє зберігати тексти.
stored-count = Тексти, збережені в цьому браузері: { $stored } з { $count } ({ $size }).
queued-text = Текст
queued-waiting = Очікує на з’єднання.
queued-remove = Вилучити
queued-removed = Вилучено.
queued-stored = Збережено. Буде надіслано, коли з’явиться з’єднання.
queued-highlight-stored = Виділення збережено. Його буде надіслано, коли з’явиться з’єднання.
queued-not-stored = Не вдалося зберегти. Під’єднайтеся, щоб надіслати те, що очікує.
queued-failed = Не виконано: { $reason }
queued-show = Показати
queued-reload = Оновити сторінку
queued-sent-count =
    { $count ->
        [one] Надіслано { $count } зміну, зроблену офлайн.
        [few] Надіслано { $count } зміни, зроблені офлайн.
       *[many] Надіслано { $count } змін, зроблених офлайн.
    }
queued-failed-count =
    { $count ->
        [one] Не вдалося виконати { $count } зміну, зроблену офлайн.
        [few] Не вдалося виконати { $count } зміни, зроблені офлайн.
       *[many] Не вдалося виконати { $count } змін, зроблених офлайн.
    }
passkey-unsupported = Цей браузер не підтримує ключі доступу.
passkey-exists = На цьому пристрої вже є ключ доступу вашого облікового запису.
passkey-not-given = Браузер не надав ключа доступу. Спробуйте ще раз.
picture-of-quote = Як зображення
picture-description = Цитата з джерелом
picture-failed = Не вдалося створити зображення.
picture-download = Завантажити зображення
picture-share = Поділитися зображенням…
picture-share-failed = Не вдалося поділитися. Завантажте зображення.
picture-shortened = Цитата задовга для зображення, тому на ньому лише її початок.
