# List of subscriptions, and the form that follows a site.

feeds-subscriptions = Підписки
feeds-status = Стан стрічок
feeds-all = Усі
feeds-none = Ви ще не стежите за жодною стрічкою.
feeds-none-in-status = Жодна стрічка не має цього стану.
feeds-count =
    { $count ->
        [one] { $amount } стрічка
        [few] { $amount } стрічки
       *[other] { $amount } стрічок
    }
feeds-more = Більше стрічок
feeds-rules = Правила
feeds-statistics = Статистика
feeds-unread-count = непрочитаних: { $amount }
follow-words = Введіть адресу будь-якої сторінки сайту. Нові записи з’являться у ваших стрічках.
follow-address = Адреса сайту або його стрічки
follow-collection = Добірка
follow-search = Знайти стрічки
follow-search-again = Шукати знову
follow-several = Кілька стрічок одразу: <1>імпортуйте файл OPML</1>.
follow-services = Сервіси, чиї сторінки розпізнаються
follow-found = Знайдені стрічки
follow-none = За цією адресою стрічки немає, і сторінка на неї не посилається. Натомість можна <1>відстежувати сторінку</1> й отримати сповіщення про зміни.
follow-unchecked = є на сторінці, ще не перевірено
follow-titled = Стежити за «{ $title }»
follow-list = Стежити за новим на цій сторінці
follow-list-words = На сторінці є список, елементів: { $count }. Монітор повідомляє про нові записами у ваших стрічках.
follow-list-watch = Відстежувати нове
feed-request-words = Якщо вказати агент або заголовки, стрічка завантажується окремо для вашого облікового запису.
feed-request-headers-hint = По одному в рядку, наприклад X-Feed-Key: 1234. Вони зберігаються зашифрованими й надсилаються лише сайту стрічки.
feed-request-stored = Збережено: { $names }. Нові їх замінять.
feed-request-remove = Вилучити збережені заголовки
