# Groups, lists, and changes of monitors, and the forms that edit, copy, and delete one.

groups-heading = Групи моніторів
groups-deleted = Групу вилучено. Її монітори зберігають налаштування.
groups-words = Монітори групи мають спільні налаштування, як-от інтервал, тихі години й канали. Група може мати публічну сторінку та стрічку.
groups-public = публічна
groups-new = Нова група
groups-create = Створити групу
groups-count =
    { $count ->
        [one] { $count } монітор
        [few] { $count } монітори
       *[other] { $count } моніторів
    }
groups-in-group = { $link } у цій групі.
group-made = Групу створено. Виберіть її у формі монітора або для вибраних моніторів у списку.
group-saved = Групу збережено.
group-title = Група
group-publish = Публічна сторінка та стрічка
group-publish-words = Кожен, хто має посилання, може читати назви моніторів та їхні зміни. Після вимкнення посилання перестануть діяти назавжди.
group-new-monitor = Новий монітор тут
group-shared-words = Спільні налаштування діють для кожного монітора групи, якщо він не має власних. Якщо припинити ділитися налаштуванням, кожен монітор збереже його значення.
group-check = Перевіряти
group-own-interval = налаштування кожного монітора
group-share-days = Спільні дні й години
group-share-channels = Спільні канали
group-page = Публічна сторінка
group-page-words = Кожен, хто має це посилання, може читати сторінку. Якщо вона приватна, бережіть посилання як пароль.
group-page-link = Посилання на сторінку
group-delete-question = Вилучити групу { $name }?
group-delete-words = Її монітори залишаться з поточними налаштуваннями. Публічна сторінка та стрічка перестануть діяти назавжди.
group-delete = Вилучити групу
duplicate-name = { $name } (копія)
duplicate-heading = Дублювати { $name }
duplicate-words = Копія має всі налаштування цього монітора й відстежує іншу адресу. Потім її можна змінити.
duplicate-create = Створити копію
lists-heading = Імпорт та експорт моніторів
lists-words = Резервна копія changedetection.io (ZIP), список urlwatch (urls.yaml) або експорт цього сервісу. Наявні монітори не змінюються.
lists-download = Завантажити монітори (JSON)
lists-imported = Ваші монітори імпортовано
lists-program = Файл є списком програми { $program }.
lists-new = Нові
lists-existing = Наявні
lists-refused = Не імпортовано
lists-not-read = Не прочитано
lists-not-read-words = Деякі монітори не прочитано: вони пошкоджені, або у списку їх понад 1000.
lists-show = Показати монітори
lists-line-new = { $monitor }: новий
lists-line-existing = { $monitor }: уже існував
lists-line-refused = { $monitor }: не імпортовано. { $reason }
lists-without = Без: { $settings }
changes-search = Шукати у змінах
changes-no-match-newest = Серед найновіших змін збігів немає.
changes-no-match = Відповідних змін немає.
changes-older = Старіші зміни
monitor-edit-heading = Змінити { $name }
monitor-edit-preview-empty = Перегляд покаже, про які минулі зміни повідомлялося б із цими налаштуваннями.
monitor-edit-baseline = Якщо змінити адресу або те, що відстежується, наступна перевірка стане новою основою.
monitor-edit-preview = На минулих змінах
monitor-edit-replayed =
    { $count ->
        [one] З цими налаштуваннями було б повідомлено про { $left } з останньої { $count } зміни.
        [few] З цими налаштуваннями було б повідомлено про { $left } з останніх { $count } змін.
       *[other] З цими налаштуваннями було б повідомлено про { $left } з останніх { $count } змін.
    }
monitor-edit-reported = повідомлено: { $change }
monitor-edit-not-reported = не повідомлено: { $change }
monitor-edit-unknown = невідомо: { $change }
monitor-edit-past = Минулі зміни
monitor-rotate-question = Замінити посилання на стрічку { $name }?
monitor-rotate-words = Поточне посилання на стрічку та всі посилання на зміни одразу перестануть діяти. Читачам потрібне нове посилання. Монітор і його сторінка залишаються ті самі.
monitor-rotate = Замінити посилання
monitor-delete-question = Вилучити { $name }?
monitor-delete-words = Його перевірки та зміни буде вилучено, а стрічка відповідатиме 410 Gone. Це не можна скасувати.
monitor-delete-button = Вилучити монітор
