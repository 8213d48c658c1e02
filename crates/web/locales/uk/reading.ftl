# Reading pages and reading settings.

reading-source = Джерело
reading-minutes =
    { $count ->
        [0] менше хвилини
        [one] { $count } хвилина
        [few] { $count } хвилини
       *[other] { $count } хвилин
    }
reading-printed = Джерело: { $address }, прочитано { $day } о { $time } UTC.
reading-truncated = Частини джерела бракує. Воно задовге або не перетворюється на текст.
reading-paywall = Без передплати джерело показує лише уривок.
reading-scripts = Частину тексту джерело показує лише у браузерах зі скриптами.
reading-passages = Уривки, що відповідають пошуку. <1>Показати весь текст</1>
reading-no-match = Ніщо в цьому тексті не відповідає «{ $query }».
reading-next = Наступна сторінка
reading-formats = Як <1>текст</1>, <2>Markdown</2> або <3>JSON</3>.
reading-save = Зберегти
reading-listen = Слухати
reading-stop = Зупинити
reading-aa = : параметри читання
reading-more = Ще
reading-outline = Зміст
reading-check = Перевірити цитату
reading-watch = Відстежувати сторінку
reading-follow = Стежити за сайтом
reading-original = Відкрити оригінал
reading-epub = Завантажити як EPUB
reading-markdown = Завантажити як Markdown
reading-another = Прочитати іншу сторінку
reading-fetched = Завантажено { $age }
reading-fetch-again = Оновити
reading-find-label = Шукати в цьому тексті
reading-find = Шукати
quotation = Цитата
quotation-check = Перевірити
look-save = Зберегти
look-theme = Кольори
look-theme-auto = Як на пристрої
look-theme-light = Світлі
look-theme-sepia = Сепія
look-theme-dark = Темні
look-size = Розмір тексту
look-size-m = Середній
look-size-s = Малий
look-size-l = Великий
look-size-xl = Дуже великий
look-width = Ширина тексту
look-width-medium = Середня
look-width-narrow = Вузька
look-width-wide = Широка
look-face = Шрифт
look-face-serif = Із засічками
look-face-sans = Без засічок
look-scroll = Позначати записи прочитаними
look-scroll-open = Коли я їх відкриваю
look-scroll-pass = Також коли я їх прокручую (потрібні скрипти)
look-pictures = Зображення
look-pictures-show = Показувати
look-pictures-hide = Лише описи з посиланнями
look-spacing = Міжрядковий інтервал
look-spacing-normal = Звичайний
look-spacing-tight = Малий
look-spacing-loose = Великий
look-density = Списки
look-density-cosy = Зручні
look-density-compact = Щільні
look-density-magazine = Журнал
