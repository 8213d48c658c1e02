# Form of a new monitor, and its preview.

monitor-new = Новий монітор
monitor-new-words = Carrel регулярно перевіряє сторінку й повідомляє, коли змінюється потрібна вам частина.
monitor-full = Ваш тариф не дозволяє більше моніторів.
monitor-full-used = Використано { $used } з { $limit }.
monitor-full-words = Вилучіть непотрібний або змініть один, щоб стежити за іншим.
monitor-full-list = До ваших моніторів
monitor-full-plan = Тариф і використання
monitor-examples = Спробуйте приклад
monitor-example-change = Будь-яка зміна сторінки
monitor-example-word = З’являється слово
monitor-example-list = Нове у списку
monitor-preview = Перегляд
monitor-preview-again = Новий перегляд
monitor-preview-empty = Натисніть «Перегляд», щоб побачити, за чим стежитиме цей монітор. Кредити не витрачаються.
monitor-start = Відстежувати
monitor-cancel = Скасувати
step-1 = 1. За чим стежити
step-2 = 2. Коли
step-3 = 3. Як вас сповіщати
monitor-address = Адреса сторінки
monitor-address-hint = Відкрита сторінка, карта сайту або документ JSON, за якими стежити.
monitor-type = Вид
target-page = Сторінка
target-page-words = її текст або частина; 1 кредит за перевірку
target-sitemap = Карта сайту
target-sitemap-words = додані й вилучені адреси; 2 кредити за перевірку
target-product = Товар
target-product-words = назва, ціна й наявність; 3 кредити за перевірку
target-calendar = Календар
target-calendar-words = події з файлу iCalendar; 2 кредити за перевірку
target-file = Файл
target-file-words = будь-якого формату, за розміром і гешем; 1 кредит за перевірку
target-image = Зображення
target-image-words = за виглядом, наприклад із вебкамери; 2 кредити за перевірку
target-headers = Заголовки
target-headers-words = статус і заголовки відповіді; 1 кредит за перевірку
target-extract = Значення
target-extract-words = наприклад ціни, за селектором; 3 кредити за перевірку
monitor-part = Лише частина сторінки
monitor-selector = Селектор
monitor-selector-hint = CSS, наприклад #price або li:contains("Tickets"), XPath, наприклад //table[2]//tr, JSONPath, наприклад $.version, або jq, наприклад jq:.items[] | select(.free) | .name. На сторінці JSONPath і jq читають дані її скриптів: $['ld+json'][0].offers.price або $.__NEXT_DATA__.props. Якщо їх кілька, по одному в рядку, повідомляється й про появу та зникнення кожного. Для вигляду: один селектор CSS.
monitor-filters = Фільтри
monitor-filters-hint = По одному в рядку, застосовуються по черзі до рядків сторінки: keep або drop із регулярним виразом, наприклад drop ^Advert; replace, наприклад replace \d+ views => views; sort; unique. Перегляд показує рядки після кожного.
monitor-sitemap = Фільтри карти сайту
monitor-include = Лише ці адреси
monitor-include-hint = Один шаблон у рядку, наприклад /blog/*.
monitor-exclude = Без цих адрес
monitor-exclude-hint = Один шаблон у рядку.
monitor-values = Значення
monitor-values-hint = По одному в рядку, наприклад price = .price. Зірочка після назви позначає ключ, що розрізняє елементи. Якщо значення має кілька чисел, виберіть одне словом first, last, least або greatest у дужках, наприклад price (least) = .price. Для заголовків назвіть потрібні, наприклад etag = ETag.
monitor-items = Повторюваний елемент
monitor-items-hint = Селектор CSS або XPath повторюваного елемента, наприклад .product. Порожньо: сторінка — один елемент.
monitor-empty = Список може бути порожнім, наприклад список вільних записів.
monitor-empty-words = Інакше порожній список враховується лише з другого разу.
monitor-headers = Заголовки
monitor-headers-hint = По одному в рядку, наприклад etag = ETag. Порожньо: усі, крім тих, що завжди різні.
monitor-interval = Перевіряти
monitor-not-in-plan = (не у вашому тарифі)
every-minutes =
    { $count ->
        [1] щохвилини
        [one] кожну { $count } хвилину
        [few] кожні { $count } хвилини
       *[other] кожні { $count } хвилин
    }
every-hours =
    { $count ->
        [1] щогодини
        [one] кожну { $count } годину
        [few] кожні { $count } години
       *[other] кожні { $count } годин
    }
every-days =
    { $count ->
        [1] щодня
        [one] кожен { $count } день
        [few] кожні { $count } дні
       *[other] кожні { $count } днів
    }
every-week = щотижня
monitor-trigger = Повідомити, коли
trigger-any = щось зміниться
trigger-text-appears = з’явиться текст
trigger-text-disappears = зникне текст
trigger-above = число перевищить
trigger-below = число впаде нижче
trigger-share = зміниться щонайменше стільки відсотків
trigger-added = щось додадуть
trigger-removed = щось приберуть
trigger-condition = виконаються умови нижче
monitor-value = Текст або число
monitor-value-hint = Не потрібно для «щось зміниться».
monitor-one-value = Лише одне зі значень
monitor-value-name = Назва значення
monitor-value-name-hint = Назва зі Значень; для товару name, price, currency або availability; для події title, start, end, location, status або repeats; для файлу size або sha256; для заголовків status або заголовок. Порожньо: будь-яке значення.
monitor-conditions = Умови
monitor-conditions-hint = По одній у рядку; усі мають виконуватися. Рядок зі словом or починає альтернативу. Зі значеннями починайте з назви, наприклад price falls by 10%, price new low in 30 days, price between 5 and 9 або not stock contains sold out. Без значень: contains tickets, matches v\d+, count above 3, length below 200 або similarity below 80.
monitor-repeat = Повідомляти знову, поки триває
monitor-repeat-after = Повідомити знову через
monitor-repeat-hint = Години, наприклад 24. Порожньо: повідомити один раз, коли умова виконається.
monitor-ignore = Нехтувати деякими змінами
monitor-ignore-label = Нехтувати змінами, що містять
monitor-ignore-hint = Один текст у рядку. Блоки, що його містять, не враховуються.
schedule-days = Дні й години
schedule-only-on = Лише у
day-monday = понеділок
day-tuesday = вівторок
day-wednesday = середа
day-thursday = четвер
day-friday = п’ятниця
day-saturday = субота
day-sunday = неділя
schedule-week = Які з цих днів у місяці
schedule-week-all = усі
week-first = перший
week-second = другий
week-third = третій
week-fourth = четвертий
week-last = останній
schedule-times = О цих годинах
schedule-times-hint = Через коми, наприклад 08:30, 17:00. Вони замінюють проміжок.
schedule-from = Лише від
schedule-from-hint = Наприклад 08:00. У ці години монітор працює зі своїм проміжком.
schedule-to = до
schedule-to-hint = Наприклад 18:00.
schedule-zone = Часовий пояс
schedule-zone-hint = Наприклад Europe/Berlin. Порожньо: UTC.
schedule-jitter = Випадкова затримка у хвилинах
schedule-jitter-hint = Щонайбільше 120. Порожньо: менше хвилини.
schedule-not-before = Не раніше
schedule-not-before-hint = Дата, наприклад 2026-12-24, або час, наприклад 2026-12-24T08:00:00Z.
schedule-muted = Тиша й невдачі
schedule-mute-from = Без повідомлень від
schedule-mute-from-hint = Наприклад 22:00, у часовому поясі з «Дні й години». Перевірки тривають; повідомлення чекають до кінця.
schedule-mute-to-hint = Наприклад 07:00.
schedule-failures = Сповістити після стількох невдач поспіль
schedule-failures-hint = Порожньо: лише коли монітор зупиниться.
monitor-follow = Показувати зміни також у моїх стрічках
monitor-notify = Сповіщати через
monitor-no-channels = Ви ще не маєте каналів. <1>Додайте канал</1>, щоб отримувати сповіщення поштою, вебгуком або в чаті.
monitor-group = Група
monitor-group-none = немає
monitor-override = Замінити налаштування групи
monitor-override-hint = Налаштування групи замінюють ті, що у формі, крім вибраних тут.
setting-interval = Проміжок
setting-channels = Канали
monitor-tags-hint = Необов’язково. Мітки через коми, наприклад дім, ціни. Щонайбільше { $count }.
monitor-name = Назва
monitor-name-hint = Перегляд пропонує назву сторінки; її можна змінити.
monitor-name-limit = Щонайбільше { $count } символів.
request = Запит і вхід
request-agent = User agent
request-agent-hint = Порожньо: власний Carrel.
request-proxy = Проксі
request-proxy-removed = { $name } (більше не пропонується)
request-headers-hint = По одному в рядку, наприклад Accept-Language: de. Таємниці вводьте нижче.
request-post = Надіслати запит із цим вмістом
request-method = Метод
request-body = Вміст
request-body-hint = Кожна перевірка надсилає його, тож його дія повторюється.
request-media = Тип вмісту
request-media-hint = Порожньо: дані форми.
request-cookies = Зберігати куки сайту між перевірками
request-any-status = Статус помилки, наприклад 404, є вмістом.
request-any-status-words = Інакше така перевірка невдала.
request-credentials = Дані для входу
credentials-keep = Лишити збережені дані
credentials-none = Немає
credentials-basic = Ім’я користувача й пароль
credentials-bearer = Токен Bearer
credentials-header = Інший заголовок, наприклад ключ API або кука
request-user = Ім’я користувача або заголовка
request-user-hint = Не потрібно для токена Bearer.
request-secret = Пароль, токен або значення
request-secret-hint = Надсилається лише цьому сайту й ніколи не показується.
preview-heading = За чим стежитиме монітор
preview-of-page = Щойно знайдено на «{ $title }»: { $amount }. Кредитів не витрачено.
preview-of-address = Щойно знайдено: { $amount }. Кредитів не витрачено.
preview-lines =
    { $count ->
        [one] { $count } рядок тексту
        [few] { $count } рядки тексту
       *[other] { $count } рядків тексту
    }
preview-addresses =
    { $count ->
        [one] { $count } адреса
        [few] { $count } адреси
       *[other] { $count } адрес
    }
preview-items =
    { $count ->
        [one] { $count } елемент
        [few] { $count } елементи
       *[other] { $count } елементів
    }
preview-nothing = нічого
preview-number = Число для порівняння: { $number }
preview-number-of = Число для порівняння, { $item }: { $number }
preview-met = Умова вже виконана. Перша перевірка нічого не повідомляє. Повідомлення буде, коли умова перестане виконуватися й виконається знову.
preview-met-repeat = Умова вже виконана. Перша перевірка нічого не повідомляє. Якщо умова й далі виконуватиметься, повідомлення буде через кількість годин у полі «{ $field }».
preview-not-met = Зараз умова не виконана.
preview-filter =
    { $count ->
        [one] Після фільтра { $number }: { $count } рядок
        [few] Після фільтра { $number }: { $count } рядки
       *[other] Після фільтра { $number }: { $count } рядків
    }
preview-only-first = Показано лише перші { $count }.
preview-or-only = Або стежте лише за цим
preset-address = Краща адреса
preset-product = Цей товар: будь-яка зміна
preset-product-price = Цей товар: ціна падає
preset-in-stock = Знову в наявності
preset-price-falls = Ціна падає
preset-price-changes = Ціна змінюється
preset-stock = Є в наявності чи розпродано
preset-list = Нове в цьому списку
preset-part = Цей текст змінюється
unwatched-margin = не відстежується: поза основним текстом; його охопить селектор або очікуваний текст
unwatched-clock = не відстежується: схоже на годинник або дату сторінки
unwatched-part = години й лічильники в ньому не відстежуються
unwatched-ignored = пропущено за вашим правилом
unwatched-learned = не відстежується: змінюється щоразу
target-visual = Вигляд
target-visual-words = сторінки у браузері або одного елемента; 3 кредити за перевірку
rendering = Скрипти
rendering-open = Відкривати сторінку у браузері, який виконує її скрипти.
rendering-open-words = 3 кредити за перевірку. Для сторінок, товарів і значень, без тіла запиту й проксі.
rendering-wait = Чекати на
rendering-wait-hint = Селектор CSS елемента, без якого сторінка неповна.
rendering-steps = Кроки
rendering-steps-hint = По одному в рядку, перед читанням сторінки: click .more, type #search => boats, press Enter, select #sort => Ціна, scroll_end, wait 2 (секунди) або wait_text В наявності. Посібник перелічує всі. Зі знаком питання (click? .close) крок пропускається, якщо елемента немає. Для пароля чи іншої таємниці напишіть secret #password; нижче з’явиться поле для неї. Інші тексти зберігаються без змін.
rendering-cookie-notices = Закривати повідомлення про cookie
rendering-cookie-notices-words = Їх відхиляють або приховують, але ніколи не приймають.
pick-button = Вибрати на зображенні сторінки
pick-hint = Браузер відкриває сторінку й показує її частини. Це рахується як п’ять нових видобувань, як і кожен перегляд у браузері.
pick-no-browser = Щоб вибрати частину на зображенні сторінки, цьому сервісу потрібен браузер, якого немає. Перегляд теж пропонує частини.
pick-heading = Виберіть частину сторінки
pick-words = Виберіть на зображенні або у списку, за чим стежити. Тоді сторінка щоразу відкриватиметься у браузері: 3 кредити за перевірку.
pick-cut = Доступні не всі частини: сторінка задовга, має забагато частин або завантажилася не повністю.
pick-empty = Жодна частина сторінки не має тексту, за яким можна стежити.
pick-another = Вибрати іншу частину
pick-alt = Зображення сторінки
pick-parts = Частини сторінки
pick-chosen = Вибрані частини
pick-more = Натисніть іншу частину, щоб додати її, або вибрану, щоб прибрати.
pick-steps-button = Вибрати кроки на зображенні
pick-purpose = Що ви вибираєте?
pick-purpose-part = Частину, за якою стежити
pick-purpose-step = Кроки перед читанням сторінки
pick-steps-heading = Виберіть кроки на сторінці
pick-step-words = Натисніть елемент на зображенні або у списку, потім виберіть, що з ним зробити. Після кожного кроку нове зображення показує сторінку; кожне рахується як п’ять нових видобувань.
pick-steps = Кроки дотепер
pick-step-remove = Прибрати крок { $number }
pick-step-on = Крок на «{ $name }»
pick-step-click = Натиснути
pick-step-type = Заповнити
pick-step-wait = Чекати, доки з’явиться
pick-step-scroll = Прокрутити до нього
pick-step-select = Вибрати варіант
pick-step-check = Позначити
pick-step-uncheck = Зняти позначку
pick-step-press = Натиснути в ньому клавішу
pick-step-hover = Навести на нього вказівник
pick-step-wait-text = Чекати в ньому на текст
pick-step-wait-gone = Чекати, доки зникне
pick-step-scroll-end = Прокрутити до кінця його списку
pick-step-remove-element = Прибрати зі сторінки
pick-step-key = Клавіша
pick-step-optional = Пропустити цей крок, якщо елемента немає
pick-step-text = Текст кроку
pick-step-text-hint = Для «Заповнити», «Вибрати варіант» і «Чекати на текст». Не більше ніж { $count } символів.
pick-step-add = Додати крок і показати сторінку
pick-kind-button = (кнопка)
pick-kind-field = (поле)
pick-step-secret = Заповнити таємницею
step-secret = Таємниця для { $selector }
step-secret-new = Таємниця для заповнення
step-secret-hint = Зберігається зашифрованою, вводиться лише на цьому сайті й ніколи не показується.
step-secret-set = Її задано. Залиште порожнім, щоб зберегти.
monitor-explanation = Мовна модель
monitor-explanation-words = Якщо ви ввімкнули <1>мовну модель</1>, вона отримує відмінності кожної зміни й каже одним реченням, що змінилося. Повідомлення чекають на це щонайбільше 10 хвилин.
monitor-explanation-explain = Пояснювати кожну зміну
monitor-explanation-wish = Зміни, важливі для вас
monitor-explanation-wish-hint = Наприклад: лише зниження ціни. Щонайбільше { $count } символів. Порожньо, якщо важливі всі.
monitor-explanation-only = Не надсилати повідомлень про неважливі зміни. Вони лишаються в історії та у стрічці.
