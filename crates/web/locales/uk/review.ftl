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
review-mail = Поштою
review-mail-words = Виділення для повторення надсилаються щодня, коли вони є, з посиланнями на уривки.
review-mail-to = Щодня о { $time } на { $address }.
review-mail-start = Надсилати на { $address }
review-mail-stop = Більше не надсилати
review-mail-at-hint = Зміни, про які монітори повідомляють на цю адресу, тоді теж надходитимуть із цим листом, раз на день.
review-mail-none = <1>Додайте канал електронної пошти</1>, щоб отримувати їх.
review-mail-started = Виділення для повторення надсилатимуться.
review-mail-stopped = Виділення для повторення більше не надсилатимуться.
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
