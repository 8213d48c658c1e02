# Plan and usage.

plan-first = Deins ist das erste Konto dieser Installation und hat deshalb den größten Tarif: pro.
plan-begin = Loslegen
plan-yours = Dein Tarif ist { $plan }. Diese Zahlen stehen auch in { $path } und in den Headern jeder Antwort.
plan-requests = Anfragen
plan-quotas = Kontingente
plan-plans = Tarife
plan-differ = Tarife unterscheiden sich nur in diesen Limits. Der Betreiber dieses Dienstes kann deinen Tarif mit { $command } ändern.
plan-operations-last-minute = Operationen in der letzten Minute
plan-operations-today = Operationen heute
plan-fresh-last-minute = Frische Extraktionen in der letzten Minute
plan-fresh-today = Frische Extraktionen heute
plan-resets = mehr { $time }
plan-until-deleted = bis du welche löschst
plan-feeds = Feeds
plan-collections = Feed-Sammlungen
plan-consumers = Feed-Abnehmer
plan-credits-this-month = Wächter-Credits diesen Monat
plan-credits-reset = neu { $time }
plan-clock = Ein Wächter läuft höchstens { $often }. Tage und Monate gelten in UTC, dort ist es jetzt { $now }.
plan-limit = Limit
plan-own = (deiner)
plan-monitor-interval = Ein Wächter läuft höchstens
plan-credits-per-month = Wächter-Credits pro Monat
plan-operations-per-minute = Operationen pro Minute
plan-operations-per-day = Operationen pro Tag
plan-fresh-per-minute = Frische Extraktionen pro Minute
plan-fresh-per-day = Frische Extraktionen pro Tag
plan-used = { $count } von { $most }
plan-daily = einmal am Tag
plan-hourly = einmal pro Stunde
plan-every =
    { $count ->
        [one] jede Minute
       *[other] alle { $count } Minuten
    }
plan-own-quotas = Der Betreiber dieses Dienstes hat für dein Konto statt der Limits deines Tarifs diese festgelegt:
plan-in-plan = im Tarif { $limit }
plan-storage-used = { $used } MiB von { $most }
