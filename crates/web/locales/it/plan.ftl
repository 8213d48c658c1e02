# Plan and usage.

plan-first = Il tuo è il primo account di questa installazione, quindi ha il piano più grande: pro.
plan-begin = Inizia
plan-yours = Il tuo piano è { $plan }. Questi numeri sono anche in { $path } e nelle intestazioni di ogni risposta.
plan-requests = Richieste
plan-quotas = Quote
plan-plans = Piani
plan-differ = I piani differiscono solo in questi limiti. Il gestore di questo servizio può cambiare il tuo piano con { $command }.
plan-operations-last-minute = Operazioni nell’ultimo minuto
plan-operations-today = Operazioni di oggi
plan-fresh-last-minute = Estrazioni nuove nell’ultimo minuto
plan-fresh-today = Estrazioni nuove di oggi
plan-resets = altre { $time }
plan-until-deleted = finché non ne elimini
plan-feeds = Feed
plan-collections = Raccolte di feed
plan-consumers = Consumatori di feed
plan-credits-this-month = Crediti dei monitor questo mese
plan-credits-reset = rinnovo { $time }
plan-clock = Un monitor viene eseguito al massimo { $often }. Giorni e mesi sono in UTC, dove ora è { $now }.
plan-limit = Limite
plan-own = (il tuo)
plan-monitor-interval = Un monitor viene eseguito al massimo
plan-credits-per-month = Crediti dei monitor al mese
plan-operations-per-minute = Operazioni al minuto
plan-operations-per-day = Operazioni al giorno
plan-fresh-per-minute = Estrazioni nuove al minuto
plan-fresh-per-day = Estrazioni nuove al giorno
plan-used = { $count } su { $most }
plan-daily = una volta al giorno
plan-hourly = una volta all’ora
plan-every =
    { $count ->
        [one] ogni minuto
       *[other] ogni { $count } minuti
    }
plan-own-quotas = Il gestore di questo servizio ha fissato questi limiti per il tuo account al posto di quelli del piano:
plan-in-plan = nel piano { $limit }
plan-storage-used = { $used } MiB su { $most }
