# Daily review of highlights.

review = Повторення виділень
review-due =
    { $count ->
        [one] На сьогодні { $count } виділення для повторення.
        [few] На сьогодні { $count } виділення для повторення.
       *[other] На сьогодні { $count } виділень для повторення.
    }
review-start = Повторити зараз
review-left =
    { $count ->
        [one] На сьогодні залишилося { $count }
        [few] На сьогодні залишилося { $count }
       *[other] На сьогодні залишилося { $count }
    }
review-soon = Скоро
review-later = Пізніше
review-never = Більше ніколи
review-rule =
    { $count ->
        [one] «Скоро» покаже його завтра, «Пізніше» — за { $count } день, а далі з дедалі довшими перервами.
        [few] «Скоро» покаже його завтра, «Пізніше» — за { $count } дні, а далі з дедалі довшими перервами.
       *[other] «Скоро» покаже його завтра, «Пізніше» — за { $count } днів, а далі з дедалі довшими перервами.
    }
review-none = На сьогодні немає що повторювати.
review-none-words = Нове виділення з’являється наступного дня й повертається з дедалі довшими перервами.
review-removed = Це виділення більше не повторюватиметься. Його можна повернути на сторінці його елемента.
highlight-review-again = Повторювати знову
item-highlight-resumed = Це виділення знову повторюватиметься.
review-frequency = Як часто повертається це джерело
review-frequency-more = Частіше
review-frequency-normal = Звичайно
review-frequency-less = Рідше
review-frequency-never = Ніколи
review-frequency-saved = Частоту збережено.
review-per-day = Виділень на день
review-per-day-saved = Кількість збережено.
review-sources = Джерела, що повертаються частіше або рідше
review-sources-more = Показано лише найновіші: { $count }.
review-send = Надсилати на канали
review-send-words = Виділення для повторення надсилаються щодня, коли вони є, з посиланнями на уривки.
review-send-to = Щодня о { $time } на { $address }.
review-send-start = Надсилати на { $address }
review-send-stop = Більше не надсилати
review-send-at-hint = Повідомлення про монітори та стрічки на цей канал тоді теж надходитимуть раз на день, у цьому повідомленні.
review-send-none = <1>Додайте канал</1>, щоб отримувати їх поштою або в чаті.
review-send-started = Виділення для повторення надсилатимуться.
review-send-stopped = Виділення для повторення більше не надсилатимуться.
review-themes = Тематичні повторення
review-themes-words = Кожне показує власну кількість виділень на день, окрім загального повторення.
review-themes-edit = Додати або змінити тематичні повторення
review-theme-new = Нове тематичне повторення
review-theme-name = Назва
review-theme-choose = Які виділення
review-theme-tag = З міткою
review-theme-item = З джерела
review-theme-search = Знайдені збереженим пошуком
review-theme-same = Поточне джерело
review-theme-add = Додати
review-theme-delete = Видалити повторення
review-theme-stay = Його виділення залишаться.
review-theme-created = Тематичне повторення додано.
review-theme-changed = Тематичне повторення змінено.
review-theme-deleted = Тематичне повторення видалено.
review-theme-no-search = Збережений пошук видалено. Виберіть інші виділення.
review-theme-no-item = Джерело видалено.
card = Картка для повторення
card-make = Створити картку
card-change = Змінити картку
card-words = Під час повторення спершу запитує картка, а натискання показує відповідь. Виділення має одну картку: збереження її замінює.
card-gaps = Приховати слова
card-gaps-rule = Слова, які приховати
card-gaps-first = Показано лише перші слова: { $count }.
card-gaps-written = Інші частини, які приховати, по одній у рядку
card-gaps-save = Зберегти пропуски
card-question = Поставити запитання
card-question-label = Запитання
card-answer = Відповідь
card-question-save = Зберегти запитання
card-delete = Вилучити картку
card-saved = Картку збережено.
card-deleted = Картку вилучено.
card-unfit = Картка не відповідає словам виділення, тому нічого не приховує. Виберіть пропуски знову.
card-show-answer = Показати відповідь
