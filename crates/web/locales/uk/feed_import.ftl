# Import and export of lists of feeds.

opml-title = Імпорт та експорт
opml-heading = Імпорт та експорт стрічок
opml-words = Файл OPML, який експортує будь-який читач стрічок. Теки стають добірками. Стрічки, за якими ви вже стежите, не змінюються.
opml-download = Завантажити стрічки як OPML
opml-running = <1>Триває імпорт</1>.
opml-last = Результат останнього імпорту
feed-import-running = Імпорт ваших стрічок
feed-import-finished = Ваші стрічки імпортовано
feed-import-reloads = Ця сторінка перезавантажується до кінця імпорту. Ви можете піти й повернутися.
feed-import-checked = Перевірені стрічки
feed-import-empty = Файл не містить стрічок.
feed-import-to-feeds = До ваших стрічок
feed-import-stopped-words = Уже імпортовані стрічки залишаються.
feed-import-unknown = Файл не є списком стрічок в OPML або пошкоджений. Експортуйте його знову зі свого читача. Закладки й збережені сторінки імпортуються на сторінці Бібліотека › Імпорт.
feed-import-too-large = Читання файлу потребує забагато часу або пам’яті. Нічого не імпортовано.
feed-import-again = Імпортуйте файл знову. Уже імпортовані стрічки не буде додано двічі.
feed-import-in-file = Стрічок у файлі
feed-import-known = Уже стежите
feed-import-refused = Не імпортовано
feed-import-collections = Створено добірок
feed-import-no-collection = Без добірки, бо ваш тариф не дозволяє більше
feed-import-problems = Що імпортовано не так, як у файлі, і чому
feed-import-problem = Стрічка { $row }: { $reason }
feed-import-more = І ще { $amount }.
