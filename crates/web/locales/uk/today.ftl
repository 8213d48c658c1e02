# Today page and first steps.

today-unread =
    { $count ->
        [one] { $amount } непрочитаний запис
        [few] { $amount } непрочитані записи
       *[other] { $amount } непрочитаних записів
    }
today-unread-partial =
    { $count ->
        [one] щонайменше { $amount } непрочитаний запис
        [few] щонайменше { $amount } непрочитані записи
       *[other] щонайменше { $amount } непрочитаних записів
    }
today-unread-heading = Непрочитане
today-all-unread = Усе непрочитане
today-order = Спершу стрічки, які ви найбільше читаєте й позначаєте.
today-search-or-open = Шукати або відкрити
today-search-label = Шукайте всюди або відкрийте сторінку
today-search-hint = Шукає у стрічках і бібліотеці. Введіть адресу, щоб відкрити сторінку.
today-search-example = гавань або https://…
today-go = Далі
today-changes = Зміни
today-all-changes = Усі зміни
today-started = Читати далі
today-saved = Нещодавно збережене
today-waiting = Збережене давно
today-this-day = Цього дня
today-attention = Потребує уваги
today-all-failing = Усі стрічки, що не відповідають
begin = Перші кроки
begin-progress = Виконано { $completed } з { $count }
begin-done = Готово
begin-follow = Стежте за сайтом
begin-follow-words = щоб бачити його нові записи тут і у Стрічках.
begin-save = Збережіть сторінку
begin-save-words = щоб прочитати її згодом, з виділеннями й нотатками.
begin-watch = Відстежуйте ціну
begin-watch-words = або іншу частину сторінки, щоб бачити її зміни тут.
begin-continue = Продовжити
begin-close = Більше не показувати
nothing-new = Нічого нового
nothing-feeds = <1>Знайдіть більше сайтів</1> або <2>перенесіть стрічки</2> з іншого читача.
nothing-library = <1>Перегляньте бібліотеку</1> або <2>перенесіть збережені сторінки</2>.
nothing-monitors = <1>Відстежуйте сторінку</1>, щоб бачити її зміни тут.
