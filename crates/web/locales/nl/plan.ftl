# Plan and usage.

plan-first = Jouw account is het eerste van deze installatie en heeft dus het grootste abonnement: pro.
plan-begin = Beginnen
plan-yours = Je abonnement is { $plan }. Deze getallen staan ook in { $path } en in de headers van elk antwoord.
plan-requests = Verzoeken
plan-quotas = Quota
plan-plans = Abonnementen
plan-differ = Abonnementen verschillen alleen in deze limieten. De beheerder van deze dienst kan je abonnement wijzigen met { $command }.
plan-operations-last-minute = Bewerkingen in de laatste minuut
plan-operations-today = Bewerkingen vandaag
plan-fresh-last-minute = Verse extracties in de laatste minuut
plan-fresh-today = Verse extracties vandaag
plan-resets = meer { $time }
plan-until-deleted = tot je er verwijdert
plan-feeds = Feeds
plan-collections = Feedcollecties
plan-consumers = Feedafnemers
plan-credits-this-month = Monitorcredits deze maand
plan-credits-reset = opnieuw { $time }
plan-clock = Een monitor draait hooguit { $often }. Dagen en maanden zijn in UTC, waar het nu { $now } is.
plan-limit = Limiet
plan-own = (van jou)
plan-monitor-interval = Een monitor draait hooguit
plan-credits-per-month = Monitorcredits per maand
plan-operations-per-minute = Bewerkingen per minuut
plan-operations-per-day = Bewerkingen per dag
plan-fresh-per-minute = Verse extracties per minuut
plan-fresh-per-day = Verse extracties per dag
plan-used = { $count } van { $most }
plan-daily = één keer per dag
plan-hourly = één keer per uur
plan-every =
    { $count ->
        [one] elke minuut
       *[other] elke { $count } minuten
    }
plan-own-quotas = De beheerder van deze dienst heeft voor je account deze limieten ingesteld in plaats van die van je abonnement:
plan-in-plan = in het abonnement { $limit }
plan-storage-used = { $used } MiB van { $most }
