# Texts of scripts: the list of keys, the notice of new entries, and buttons of reading pages.

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
