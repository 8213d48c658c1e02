# Shell of every page: navigation, footer, times, forms, and messages.

skip = Перейти до вмісту
nav-main = Головна навігація
nav-today = Сьогодні
nav-feeds = Стрічки
nav-library = Бібліотека
nav-monitors = Монітори
nav-settings = Опції
nav-read = Читати
nav-api = API
nav-about = Про сервіс
nav-account = Обліковий запис
nav-sign-in = Увійти
nav-stored-texts = Збережені тексти
find = Пошук
find-everything = Усе
find-feeds-and-library = Шукати у стрічках і бібліотеці
signed-in-as = Ви увійшли як
foot-texts = Тексти на сторінках для читання належать їхнім авторам. Carrel показує їх із посиланням на джерело.
foot-documents = Документи
foot-read = Прочитати сторінку
foot-handbook = Посібник
foot-reader-api = API читача
foot-developer-api = API для розробників
foot-agents = Агенти
foot-problems = Помилки
foot-reading-settings = Параметри читання
foot-llms = llms.txt
description = Carrel показує вебсторінки чистим текстом, стежить за стрічками, веде бібліотеку й відстежує зміни сторінок, для людей і ШІ-помічників.
error-title = Помилка: { $title }
form-problems =
    { $count ->
        [one] Є { $count } проблема
        [few] Є { $count } проблеми
       *[other] Є { $count } проблем
    }
field-email = Електронна адреса
field-password = Пароль
field-new-password = Новий пароль
field-current-password = Поточний пароль
password-hint = Щонайменше 10 символів. Кілька слів краще за одне незвичне слово.
undo = Скасувати
sample-notice = Цей обліковий запис містить зразки даних для ознайомлення. Вилучіть його, коли побачите достатньо.
sample-remove = Вилучити цей зразок
language = Мова
language-hint = Мова ваших сторінок. Деякі сторінки є лише англійською.
language-of-browser = Як у браузері
language-save = Зберегти мову
language-saved = Мову збережено.
time-now = щойно
time-in-seconds =
    { $count ->
        [one] через { $count } секунду
        [few] через { $count } секунди
       *[other] через { $count } секунд
    }
time-in-minutes =
    { $count ->
        [one] через { $count } хвилину
        [few] через { $count } хвилини
       *[other] через { $count } хвилин
    }
time-in-hours =
    { $count ->
        [one] через { $count } годину
        [few] через { $count } години
       *[other] через { $count } годин
    }
time-in-days =
    { $count ->
        [one] через { $count } день
        [few] через { $count } дні
       *[other] через { $count } днів
    }
time-seconds-ago =
    { $count ->
        [one] { $count } секунду тому
        [few] { $count } секунди тому
       *[other] { $count } секунд тому
    }
time-minutes-ago =
    { $count ->
        [one] { $count } хвилину тому
        [few] { $count } хвилини тому
       *[other] { $count } хвилин тому
    }
time-hours-ago =
    { $count ->
        [one] { $count } годину тому
        [few] { $count } години тому
       *[other] { $count } годин тому
    }
time-days-ago =
    { $count ->
        [one] { $count } день тому
        [few] { $count } дні тому
       *[other] { $count } днів тому
    }
manifest-description = Стрічки, бібліотека, монітори та будь-яка сторінка чистим текстом.
search-description = Шукайте у стрічках і бібліотеці або відкрийте сторінку за адресою.
