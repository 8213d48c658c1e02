# Plan and usage.

plan-first = Ваш обліковий запис перший у цьому сервісі, тому має найбільший тариф: pro.
plan-begin = Почати
plan-yours = Ваш тариф: { $plan }. Ці числа також є в { $path } і в заголовках кожної відповіді.
plan-requests = Запити
plan-quotas = Квоти
plan-plans = Тарифи
plan-differ = Тарифи різняться лише цими лімітами. Оператор сервісу може змінити ваш тариф командою { $command }.
plan-operations-last-minute = Операції за останню хвилину
plan-operations-today = Операції сьогодні
plan-fresh-last-minute = Свіжі видобування за останню хвилину
plan-fresh-today = Свіжі видобування сьогодні
plan-resets = більше { $time }
plan-until-deleted = доки ви щось не вилучите
plan-feeds = Стрічки
plan-collections = Добірки стрічок
plan-consumers = Споживачі стрічок
plan-credits-this-month = Кредити моніторів цього місяця
plan-credits-reset = оновлення { $time }
plan-clock = Монітор працює щонайчастіше { $often }. Дні й місяці рахуються за UTC, де зараз { $now }.
plan-limit = Ліміт
plan-own = (ваш)
plan-monitor-interval = Монітор працює щонайчастіше
plan-credits-per-month = Кредити моніторів на місяць
plan-operations-per-minute = Операції на хвилину
plan-operations-per-day = Операції на день
plan-fresh-per-minute = Свіжі видобування на хвилину
plan-fresh-per-day = Свіжі видобування на день
plan-used = { $count } з { $most }
plan-daily = раз на день
plan-hourly = раз на годину
plan-every =
    { $count ->
        [one] кожну { $count } хвилину
        [few] кожні { $count } хвилини
       *[other] кожні { $count } хвилин
    }
plan-own-quotas = Оператор сервісу встановив для вашого запису ці ліміти замість лімітів тарифу:
plan-in-plan = у тарифі { $limit }
plan-storage-used = { $used } МіБ з { $most }
