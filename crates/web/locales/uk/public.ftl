# Pages that anyone with their link may read: groups, tags, and changes of monitors.

public-not-found = Сторінку не знайдено
public-not-found-words = Посилання хибне. Перевірте, чи воно повне.
public-gone = Ця сторінка більше не публічна
public-gone-words = Власник вилучив її або дав їй нове посилання.
public-gone-title = Більше не публічна
public-unavailable = Тимчасово недоступно
public-unavailable-words = Спробуйте ще раз за кілька секунд.
public-group-follow = Стежте за змінами в читачі стрічок: <1>RSS</1>, <2>Atom</2>, <3>JSON Feed</3>.
public-no-monitors = Ще немає моніторів.
public-tag-not-found = Посилання хибне, або власник більше не ділиться цією сторінкою.
public-tag-follow = Стежте за цим списком у читачі стрічок: <1>RSS</1>, <2>Atom</2>, <3>JSON Feed</3>.
public-no-items = Ще нічого.
public-newest = Показано найновіші елементи: { $number }.
change-not-found = Зміну не знайдено
change-not-found-words = Посилання хибне, або зміну вилучено.
change-gone = Це посилання більше не дійсне
change-gone-words = Його стрічка має нове посилання або більше не публічна.
change-gone-title = Посилання не дійсне
change-of = Зміна: { $monitor }
change-detected = Виявлено
change-address = Адреса
change-differences = Відмінності
change-views = Вигляди
change-sides = Поруч
change-inline = У тексті
change-before = До
change-after = Після
change-rest =
    { $count ->
        [one] Ще { $count } відмінність не показано.
        [few] Ще { $count } відмінності не показано.
       *[other] Ще { $count } відмінностей не показано.
    }
change-legend = Вилучений текст закреслено, доданий підкреслено.
change-unknown-size = невідомий розмір
change-no-screenshot = Цей знімок не збережено: він завеликий або застарий, або місце для знімків вичерпано.
change-earlier = Попередня зміна
change-later = Наступна зміна
change-count-added = додано: { $count }
change-count-removed = вилучено: { $count }
change-count-changed = змінено: { $count }
change-count-moved = переміщено: { $count }
change-unchanged =
    { $count ->
        [one] { $count } незмінний рядок
        [few] { $count } незмінні рядки
       *[other] { $count } незмінних рядків
    }
change-whole = Джерело змінилося надто сильно, щоб порівнювати рядок за рядком.
change-before-value = До:
change-after-value = Після:
change-link = Посилання: { $link }
change-fell = зменшилося на { $amount }
change-rose = збільшилося на { $amount }
change-new = Нове
change-removed = Вилучено
change-changed = Змінено
change-moved = Переміщено
change-removed-part = вилучено:
change-added-part = додано:
change-explanation-pending = Мовна модель пояснює зміну.
change-explanation-none = Мовна модель не пояснила зміну: { $reason }.
change-explanation-by = Написано мовною моделлю { $name }. Може бути хибним.
change-explanation-irrelevant = За її висновком, зміна неважлива для побажання.
change-explanation-withheld = За її висновком, зміна неважлива для побажання, тому повідомлення не надіслано.
