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
appearance-save = Зберегти
appearance-theme = Кольори
appearance-theme-auto = Як на пристрої
appearance-theme-light = Світлі
appearance-theme-sepia = Сепія
appearance-theme-dark = Темні
appearance-size = Розмір тексту
appearance-size-m = Середній
appearance-size-s = Малий
appearance-size-l = Великий
appearance-size-xl = Дуже великий
appearance-width = Ширина тексту
appearance-width-medium = Середня
appearance-width-narrow = Вузька
appearance-width-wide = Широка
appearance-face = Шрифт
appearance-face-serif = Із засічками
appearance-face-sans = Без засічок
appearance-scroll = Позначати записи прочитаними
appearance-scroll-open = Коли я їх відкриваю
appearance-scroll-pass = Також коли я їх прокручую (потрібні скрипти)
appearance-pictures = Зображення
appearance-pictures-show = Показувати
appearance-pictures-hide = Лише описи з посиланнями
appearance-spacing = Міжрядковий інтервал
appearance-spacing-normal = Звичайний
appearance-spacing-tight = Малий
appearance-spacing-loose = Великий
appearance-density = Списки
appearance-density-cosy = Зручні
appearance-density-compact = Щільні
appearance-density-magazine = Журнал
