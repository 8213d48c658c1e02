# Plan and usage.

plan-first = Votre compte est le premier de cette installation, il a donc la plus grande offre : pro.
plan-begin = Commencer
plan-yours = Votre offre est { $plan }. Ces nombres figurent aussi dans { $path } et dans les en-têtes de chaque réponse.
plan-requests = Requêtes
plan-quotas = Quotas
plan-plans = Offres
plan-differ = Les offres ne diffèrent que par ces limites. L’exploitant de ce service peut changer votre offre avec { $command }.
plan-operations-last-minute = Opérations dans la dernière minute
plan-operations-today = Opérations aujourd’hui
plan-fresh-last-minute = Extractions fraîches dans la dernière minute
plan-fresh-today = Extractions fraîches aujourd’hui
plan-resets = plus { $time }
plan-until-deleted = jusqu’à ce que vous en supprimiez
plan-feeds = Flux
plan-collections = Collections de flux
plan-consumers = Consommateurs de flux
plan-credits-this-month = Crédits de veille ce mois-ci
plan-credits-reset = remis à zéro { $time }
plan-clock = Une veille s’exécute au plus { $often }. Les jours et les mois sont en UTC, où il est maintenant { $now }.
plan-limit = Limite
plan-own = (la vôtre)
plan-monitor-interval = Une veille s’exécute au plus
plan-credits-per-month = Crédits de veille par mois
plan-operations-per-minute = Opérations par minute
plan-operations-per-day = Opérations par jour
plan-fresh-per-minute = Extractions fraîches par minute
plan-fresh-per-day = Extractions fraîches par jour
plan-used = { $count } sur { $most }
plan-daily = une fois par jour
plan-hourly = une fois par heure
plan-every =
    { $count ->
        [one] toutes les { $count } minutes
       *[other] toutes les { $count } minutes
    }
plan-own-quotas = L’exploitant de ce service a fixé ces limites pour votre compte à la place de celles de votre offre :
plan-in-plan = dans l’offre { $limit }
plan-storage-used = { $used } Mio sur { $most }
