# Plan and usage.

plan-first = Twoje konto jest pierwsze w tej instalacji, więc ma największy plan: pro.
plan-begin = Zacznij
plan-yours = Twój plan to { $plan }. Te liczby są też w { $path } i w nagłówkach każdej odpowiedzi.
plan-requests = Żądania
plan-quotas = Limity
plan-plans = Plany
plan-differ = Plany różnią się tylko tymi limitami. Operator tego serwisu może zmienić twój plan poleceniem { $command }.
plan-operations-last-minute = Operacje w ostatniej minucie
plan-operations-today = Operacje dziś
plan-fresh-last-minute = Świeże ekstrakcje w ostatniej minucie
plan-fresh-today = Świeże ekstrakcje dziś
plan-resets = więcej { $time }
plan-until-deleted = dopóki czegoś nie usuniesz
plan-feeds = Kanały
plan-collections = Kolekcje kanałów
plan-consumers = Odbiorcy kanałów
plan-credits-this-month = Kredyty monitorów w tym miesiącu
plan-credits-reset = odnowienie { $time }
plan-clock = Monitor działa najczęściej { $often }. Dni i miesiące są w UTC, gdzie jest teraz { $now }.
plan-limit = Limit
plan-own = (twój)
plan-monitor-interval = Monitor działa najczęściej
plan-credits-per-month = Kredyty monitorów miesięcznie
plan-operations-per-minute = Operacje na minutę
plan-operations-per-day = Operacje dziennie
plan-fresh-per-minute = Świeże ekstrakcje na minutę
plan-fresh-per-day = Świeże ekstrakcje dziennie
plan-used = { $count } z { $most }
plan-daily = raz dziennie
plan-hourly = raz na godzinę
plan-every =
    { $count ->
        [one] co minutę
        [few] co { $count } minuty
       *[other] co { $count } minut
    }
plan-own-quotas = Operator tego serwisu ustawił dla twojego konta te limity zamiast limitów planu:
plan-in-plan = w planie { $limit }
plan-storage-used = { $used } MiB z { $most }
