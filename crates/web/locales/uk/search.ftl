# Search in the library and in feeds, and search by meaning.

search-help = Слова, { $phrase }, { $without }, { $tag } і { $domain } знаходять елементи, нотатки, виділення та записи. Введіть адресу, щоб відкрити сторінку.
search-whole-phrases = "цілі фрази"
search-without = -без
search-all-library = Усе в бібліотеці
search-similar = Точних збігів немає. Ці результати містять схожі слова.
search-all-feeds = Усе у ваших стрічках
search-again = Шукати знову
search-none = немає результатів
search-more-than = понад { $amount }
search-note = Нотатка
search-highlight = Виділення
meaning-requested = Триває пошук. Ця сторінка покаже результати, коли вони будуть готові.
meaning-words = Опишіть, що ви пам’ятаєте з тексту. Він не мусить містити цих слів.
meaning-form = Шукати в бібліотеці за змістом
meaning-query = Опис тексту
meaning-off = Мовну модель вимкнено. <1>Налаштування</1>
meaning-searching = Пошук: { $query }. Перший пошук триває довше, бо тексти порівнюються вперше.
meaning-failed = Результатів немає: { $reason }.
meaning-results = Результати для { $query }
meaning-none = Нічого не знайдено.
meaning-compared = Порівняно тексти елементів: { $number }, { $time }.
meaning-unindexed = Ще не порівняно: { $number }. Шукайте знову, щоб продовжити.
meaning-request-failed = Запит не вдався: { $reason }.
