# Details, notes, tags, copies, and deletion of library items.

edit-author = Автор
edit-tags-hint = Через коми; щонайбільше 12.
edit-kind = Тип
note-item-deleted = Його елемент вилучено.
note-item-deleted-titled = Його елемент вилучено: { $title }.
note-delete-highlight = Вилучити виділення
note-back = Назад до елемента
note-delete = Вилучити нотатку
quote-share = Поділитися цією цитатою
quote-title = Поділитися цитатою
quote-back = Назад до виділення
quote-text = Цитата з джерелом
quote-original = Цитата на оригінальній сторінці
quote-original-words = { $link }. Посилання позначає цитату в більшості браузерів.
quote-own = <1>Виділення у вашій бібліотеці</1>. Лише ви можете відкрити це посилання.
public-tag-published = Мітка публічна. Поділіться її посиланням.
public-tag-private = Мітка знову приватна. Старе посилання більше не діє.
public-tag-name = Мітка
public-tag-hint = На сторінці з’являються елементи з публічною адресою: назва, адреса, час збереження та початок тексту, якщо його отримано з адреси. Ваші нотатки, виділення, інші мітки та файли — ніколи.
public-tags = Публічні мітки
public-tags-words = Публічна мітка має сторінку та стрічку, які може читати кожен, хто має посилання, без облікового запису.
public-tags-yours = Ваші публічні мітки
public-tags-publish-heading = Опублікувати мітку
public-tags-publish = Опублікувати
public-tag-link = Посилання «{ $tag }»
public-tag-feeds = <1>Відкрити сторінку</1>. Її стрічка доступна як <2>RSS</2>, <3>Atom</3> і <4>JSON Feed</4>.
public-tag-hide-named = Зробити «{ $tag }» приватною
public-tag-hide = Зробити приватною
shared-added = Сторінку додано.
shared-removed = Сторінку прибрано з цієї мітки. Власник її зберіг.
shared-joined = Ви приєдналися до команди.
shared-none = Ще нічого. Коли хтось запросить вас до команди, її мітки та монітори з’являться тут.
shared-teams = Ваші команди
shared-can-add = ви можете додавати сторінки
shared-no-changes = ще без змін
shared-no-pages = Ще немає сторінок.
shared-pages = Сторінки
shared-older = Старіші сторінки
shared-tag = Спільна мітка
shared-save = Зберегти в моїй бібліотеці
shared-add-page = Додати сторінку
shared-add-hint = Її буде збережено в бібліотеці власника.
shared-add = Додати
shared-remove = Прибрати
shared-remove-named = Прибрати «{ $name }»
shared-changes = Останні зміни
shared-monitor = Спільний монітор
copy-requested = Сторінка копіюється. Цей вигляд оновлюється, доки копія не буде готова.
copy-deleted = Копію вилучено.
copy-page = Сторінка
copy-page-words = Один файл із текстом, стилями й зображеннями, без скриптів. Відкривається в будь-якому браузері.
copy-picture = Зображення
copy-picture-words = Уся сторінка як PNG.
copy-pdf-words = Сторінка у вигляді для друку.
copy-words = Копія займає ваше сховище й коштує п’ять нових видобувань. Вона входить до експорту.
copy-open = Відкрити копію
copy-from = { $time }, { $size } КБ
copy-waiting = Копіюється.
copy-fault-storage = Сторінку не вдалося скопіювати: ваше сховище вичерпано. Вилучіть файли чи елементи.
copy-fault-robots = Сторінку не вдалося скопіювати: її сайт не дозволяє програмам її читати.
copy-fault-content = Сторінку не вдалося скопіювати: вона завелика або заскладна для браузера.
copy-fault-browser = Сторінку не вдалося скопіювати: браузер не відповів. Спробуйте ще раз.
copy-fault-address = Сторінку не вдалося скопіювати: її не вдалося відкрити. Перевірте адресу й спробуйте ще раз.
copy-replace = Замінити
copy-create = Копіювати
delete-items-question =
    { $count ->
        [one] Вилучити { $count } елемент?
        [few] Вилучити { $count } елементи?
       *[other] Вилучити { $count } елементів?
    }
delete-items-words = Через хвилину вилучення стає остаточним, разом із файлами. До того його можна скасувати.
delete-items-annotations = Вилучити також їхні нотатки й виділення. Інакше вони залишаться, і їх можна знайти пошуком.
delete-items-title = Вилучення
tags-none = Ще немає міток. Додайте мітку на сторінці елемента або кільком у списку.
tags-words = Якщо назвати мітку так само, як іншу, їх буде об’єднано. Якщо та мітка публічна або спільна з командою, такими стануть елементи обох. Мітка може мати <1>публічну сторінку</1>.
tags-yours = Ваші мітки
tags-count =
    { $count ->
        [one] { $count } елемент
        [few] { $count } елементи
       *[other] { $count } елементів
    }
tags-remove-named = Прибрати «{ $name }» всюди
copy-left-out = Пропущено: { $parts }.
copy-pictures = зображення: { $count }
copy-fonts = шрифти: { $count }
copy-styles = таблиці стилів: { $count }
copy-media = аудіо чи відео: { $count }
copy-frames = фрейми чи об’єкти: { $count }
copy-cut = Сторінка може бути неповною, бо досягла ліміту.
