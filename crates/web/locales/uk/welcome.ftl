# First steps of a new account.

welcome-followed = Тепер ви стежите за цими стрічками. Їхні записи з’являться за кілька хвилин.
welcome-none = Нічого не вибрано. Виберіть стрічки, потім почніть стежити за ними.
welcome-follow-words = Нові записи сайтів, за якими ви стежите, надходять в один список.
welcome-site = Адреса сайту
welcome-bring = З іншого читача: <1>перенесіть свої стрічки (OPML)</1>. З браузера: <2>перенесіть свої закладки</2>.
welcome-save-words = Бібліотека зберігає повний текст. Ви можете виділяти його, додавати нотатки й знаходити кожне слово.
welcome-page = Адреса сторінки
welcome-ways = <1>Зберігайте з будь-якої сторінки одним клацанням</1>.
welcome-watch-words = Carrel перевіряє сторінку за вас і сповіщає, коли ціна падає або змінюється щось інше.
welcome-watched = Адреса товару або сторінки
welcome-today = До «Сьогодні»
welcome-skip = Пропустити кроки
welcome-suggested = Або виберіть із цих стрічок
welcome-follow-selected = Стежити за вибраними
topic-news = Новини
topic-science = Наука
topic-technology = Технології
topic-programming = Програмування
topic-culture = Ідеї та культура
topic-comics = Комікси та їжа
