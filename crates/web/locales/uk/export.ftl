# Export of the library.

export-everything = Усе
export-everything-words = Тексти, файли, мітки, нотатки й виділення, а також ваші стрічки, зірки, правила, монітори та їхні зміни. Можна імпортувати знову.
export-bookmarks = Закладки
export-bookmarks-words = Адреси, назви та мітки, для будь-якого браузера.
export-table = Таблиця
export-table-words = Один рядок на елемент, для електронної таблиці.
export-cards = Картки
export-cards-words = Пропуски й запитання до ваших виділень, як текст для Anki.
export-create = Створити експорт
export-feeds = Експортуйте свої стрічки <1>як OPML</1>.
export-creating = Створення експорту
export-reloads = Ця сторінка перезавантажується, доки експорт не буде готовий. Ви можете піти й повернутися.
export-written = Записані елементи
export-progress = { $done } із { $total }
export-failed = Експорт не вдався
export-failed-words = Експорт не вдалося створити. <1>Спробуйте ще раз</1>.
export-yours = Ваш експорт
export-expires = Файли буде вилучено { $time }.
export-delete = Вилучити експорт
export-part = Завантажити частину { $number }
export-kilobytes = { $amount } КБ
