# Pages of jobs for administrators.

job-extraction = Читання сторінки
job-render = Відображення сторінки
job-read-job = Читання у фоні
job-feed-discovery = Пошук стрічок
job-feed-sample = Перегляд переписаних записів
job-monitor-preview = Перегляд монітора
job-oauth-client = Отримання даних застосунку
job-address-check = Перевірка адреси служби
job-picture = Отримання зображення
job-smaller-picture = Зменшення зображення
job-feed-follow = Підписка на нові стрічки
job-feed-poll = Опитування стрічок
job-monitor-run = Запуск монітора
job-monitor-render = Запуск монітора в браузері
job-monitor-render-preview = Перегляд монітора в браузері
job-library-text = Створення текстів бібліотеки
job-library-page-copy = Копіювання сторінки елемента
job-inbox-message = Збереження отриманих листів
job-inbox-unsubscribe = Відписка від розсилок
job-summary = Підсумки елементів
job-briefing = Написання оглядів
job-meaning-search = Пошук за змістом
job-question = Відповіді на запитання
job-feed-hub = Підписка на хаби
job-library-import = Імпорт до бібліотеки
job-library-server = Імпорт із сервера
job-library-export = Експорт бібліотеки
job-library-index = Перебудова індексу бібліотеки
job-library-tag = Зміна мітки всюди
job-account-files = Видалення файлів облікових записів
job-mail = Надсилання пошти
job-notice = Надсилання сповіщення
state-ready = Очікує
state-running = Виконується
state-complete = Завершено
state-failed = Не вдалося
state-dead = Покинуто
admin-kind-paused = Вид призупинено. Нові завдання не починаються; поточні можуть завершитися.
admin-kind-resumed = Вид відновлено.
admin-as-of = Станом на { $time }.
admin-refresh = Оновити
admin-renderer = Браузер для сторінок зі скриптами: { $state }.
admin-by-kind = Завдання за видами
admin-kind = Вид
admin-oldest-wait = Найдовше очікування
admin-done-per-minute = Виконано за хвилину
admin-failed-today = Невдалі сьогодні
admin-last-hour = Остання година
admin-actions = Дії
admin-oldest = найдовше { $time }
admin-limited = Обмежено: { $limits }
admin-scheduled = заплановано: { $count }
admin-none = немає
admin-paused = Призупинено
admin-paused-by = { $time }, { $name }
admin-stopped = Зупинилося
admin-behind = Відстає
admin-keeping-up = Встигає
admin-idle = Без роботи
admin-pause-named = Призупинити «{ $name }»
admin-resume-named = Відновити «{ $name }»
admin-limits = Ліміти
admin-limits-of = Ліміти: «{ $name }»
admin-spark = { $name }, виконано за останню годину: від { $first } до { $last } за хвилину, щонайбільше { $most }
admin-not-updated = Без змін, бо вже завершилися або знову активні: { $count }.
admin-no-job = Жодне завдання не відповідає.
admin-older-jobs = Старіші завдання
admin-all-kinds = Усі види
admin-state = Стан
admin-all-states = Усі стани
admin-retry-selected = Повторити вибрані
admin-cancel-selected = Скасувати вибрані…
admin-retry-all = Повторити всі…
admin-cancel-all = Скасувати всі…
admin-job = Завдання
admin-attempts = Спроби
admin-due = Строк
admin-last-error = Остання помилка
admin-select-job = Вибрати { $name }
admin-all-of-kind = Усі завдання цього виду
admin-errors = Помилки
admin-id = Id
admin-about = Предмет
admin-payload = Дані
admin-submitted = Подано
admin-last-started = Останній початок
admin-ended = Завершено
admin-worker = Воркер
admin-request = Запит
admin-never = ніколи
admin-not-yet = ще ні
admin-retry = Повторити
admin-cancel = Скасувати…
admin-no-errors = Помилок не записано.
admin-attempt = Спроба
admin-when = Коли
admin-code = Код
admin-message = Повідомлення
admin-cancel-title = Скасувати завдання?
admin-cancel-effect = Їх буде позначено як невдалі, і вони не виконуватимуться. Ті, хто чекає на них, про це дізнаються.
admin-retry-title = Повторити завдання?
admin-retry-effect = Вони починаються знову одразу, з усіма спробами.
admin-cancel-jobs = Скасувати завдання
admin-retry-jobs = Повторити завдання
admin-which-all = Усі завдання, щонайбільше { $most } найновіших.
admin-which-kind = Вид: { $name }.
admin-which-state = Стан: { $name }.
admin-limits-set = Ліміти встановлено. Вони подіють за кілька секунд.
admin-limits-none = Лімітів не встановлено: вид діє за своїми правилами.
admin-running-all = Одночасно в усіх процесах
admin-running-hint = Залиште порожнім, щоб діяв лише ліміт кожного процесу, зазвичай { $count }.
admin-starts = Запусків за хвилину в усіх процесах
admin-starts-hint = Запуски розподіляються протягом хвилини. Залиште порожнім, щоб не обмежувати.
admin-seconds = Найбільше секунд на запуск
admin-seconds-hint = Залиште порожнім для типового значення, { $count } с.
admin-set-limits = Встановити ліміти
admin-updated =
    { $count ->
        [one] Змінено { $count } завдання.
        [few] Змінено { $count } завдання.
       *[other] Змінено { $count } завдань.
    }
admin-which-selected =
    { $count ->
        [one] { $count } завдання.
        [few] { $count } завдання.
       *[other] { $count } завдань.
    }
admin-limit-running = щонайбільше { $count } одночасно
admin-limit-starts = щонайбільше { $count } запусків за хвилину
admin-limit-seconds = щонайбільше { $count } с на виконання
admin-renderer-off = вимкнено (CARREL_RENDERER=off)
admin-renderer-workers = у виконавцях на інших машинах
admin-renderer-none = Chromium не знайдено: сторінки, яким потрібні скрипти, не мають тексту
job-model-tags = Вилучення міток мовної моделі
job-change-explanation = Пояснення змін
