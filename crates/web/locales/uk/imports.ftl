# Import of files into the library.

import-words = Можна імпортувати закладки, експорти сервісів відкладеного читання, виділення з читачів, бібліографії, списки URL та експорти самого Carrel.
import-checked-first = Спочатку файл перевіряється. Ви бачите, що буде імпортовано, і тоді вирішуєте.
import-file = Файл
import-format = Формат
import-detect = Визначити
import-include = З експорту Carrel імпортувати також стрічки, монітори, налаштування, правила й позиції
import-check = Перевірити файл
import-fields = Що імпортується з кожного формату
import-servers = <1>Імпорт із сервера</1> Karakeep, wallabag, linkding, Readeck, Miniflux, FreshRSS, Readwise, Raindrop або Pinboard.
import-opml = Імпортуйте стрічки <1>як OPML</1>.
import-folders = Теки
import-folders-path = Одна мітка зі шляхом
import-folders-tags = Мітка для кожної теки
import-folders-none = Без міток
import-undone = Імпорт скасовано.
import-no-rows = Жодного рядка не можна повторити.
import-no-file = Файл або список його рядків більше не зберігається. Імпортуйте файл знову: наявне не буде додано двічі.
import-reloads = Ця сторінка перезавантажується до завершення. Ви можете піти й повернутися.
import-rows-checked = Перевірені рядки
import-removed = Усе додане імпортом вилучено, крім елементів, які ви відтоді змінили.
import-can-undo = Ви можете скасувати цей імпорт. Можливість зникне { $time }. Змінені вами елементи залишаться, як і доповнення до тих, що вже були.
import-heading-undoing = Скасування імпорту
import-heading-checking = Перевірка файлу
import-heading-running = Триває імпорт
import-heading-preview = Попередній перегляд імпорту
import-heading-undone = Імпорт скасовано
import-heading-finished = Імпорт завершено
import-heading-stopped = Імпорт зупинено
import-heading-failed = Імпорт не вдався
import-you-stopped = Ви зупинили імпорт до завершення.
import-unknown-format = Файл не містить даних у цьому форматі. Виберіть інший формат або автоматичне визначення.
import-damaged = Файл пошкоджено, або він не того типу, що зазначено.
import-too-large = Файл завеликий, має забагато рядків або містить рядок, що потребує забагато пам’яті.
import-incomplete = Імпорт не вдалося завершити.
import-rows = Рядки
import-would-be-new = Будуть новими
import-new = Нові
import-existing = Уже є
import-skipped = Пропущені
import-failed = Невдалі
import-annotations = Нотатки й виділення
import-part-feed-settings = Налаштування стрічок
import-part-rules = Правила
import-part-templates = Шаблони повідомлень
import-part-account-settings = Налаштування облікового запису
import-part-positions = Позиції
import-parts-uncounted = Стрічки, монітори, налаштування, правила й позиції також буде імпортовано. Їх буде підраховано під час імпорту.
import-problems =
    { $count ->
        [one] { $count } проблема
        [few] { $count } проблеми
       *[other] { $count } проблем
    }
import-problems-first =
    { $count ->
        [one] Перша { $count } проблема
        [few] Перші { $count } проблеми
       *[other] Перші { $count } проблем
    }
import-row-reason = Рядок { $row }: { $reason }
import-stop = Зупинити
import-to-library = До бібліотеки
import-retry = Повторити невдалі
import-from-server = Імпорт із сервера
import-continue = Продовжити імпорт
import-other-file = Вибрати інший файл
import-undo = Скасувати імпорт
import-rows-gone = Рядки більше не перелічено, бо новіші імпорти потребують місця.
import-no-match = Немає відповідних рядків.
import-more-rows = Більше рядків
import-download-rows = Завантажити всі рядки як CSV
import-with-problems = З проблемами
import-annotation = Нотатка або виділення
import-untitled = Без назви
import-row = Рядок { $row }
import-columns = Стовпці
import-columns-words = Ось що Carrel пропонує для кожного стовпця файлу. Якщо змінити поле, перевірте файл знову перед імпортом.
import-check-again = Перевірити знову
