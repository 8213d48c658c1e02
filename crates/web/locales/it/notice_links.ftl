# Pages behind links in messages: confirming an address, unsubscribing, and snoozing a monitor.

notice-confirm = Conferma il tuo indirizzo
notice-confirm-words = Inviare messaggi di Carrel a { $address }? Lo ha chiesto un utente di questo servizio.
notice-confirm-button = Conferma
notice-confirm-not-you = Se non sei stato tu, chiudi questa pagina. Non ti sarà inviato nulla.
notice-confirmed = Indirizzo confermato
notice-confirmed-words = I messaggi vengono ora inviati a { $address }. Ognuno ha un link per disiscriversi.
notice-stop = Disiscriviti
notice-stop-question = Disiscriverti?
notice-stop-monitor = I messaggi sul monitor { $monitor } vanno a { $address }.
notice-stop-feed = Le nuove voci del feed { $feed } vanno a { $address }.
notice-stop-monitors = I messaggi su tutti i monitor, i feed e gli elementi salvati vanno a { $address }.
notice-stop-daily = L’e-mail quotidiana e i messaggi su tutti i monitor, i feed e gli elementi salvati vanno a { $address }.
notice-stop-saved = I messaggi sugli elementi salvati vanno a { $address }.
notice-stop-account = I messaggi dell’account (crediti, accessi, chiavi e app) vanno a { $address }.
notice-stop-everything = I messaggi sui monitor e sull’account vanno a { $address }.
notice-stopped-title = Disiscritto
notice-stopped = Sei disiscritto
notice-stopped-monitor = I messaggi sul monitor { $monitor } non vengono più inviati a { $address }.
notice-stopped-feed = Le nuove voci del feed { $feed } non vengono più inviate a { $address }.
notice-stopped-monitors = I messaggi sui monitor, sui feed e sugli elementi salvati non vengono più inviati a { $address }.
notice-stopped-daily = L’e-mail quotidiana e i messaggi sui monitor, sui feed e sugli elementi salvati non vengono più inviati a { $address }.
notice-stopped-saved = I messaggi sugli elementi salvati non vengono più inviati a { $address }.
notice-stopped-account = I messaggi dell’account non vengono più inviati a { $address }.
notice-stopped-everything = I messaggi non vengono più inviati a { $address }. Per riceverne ancora, conferma di nuovo l’indirizzo.
notice-snooze = Posticipa
notice-snooze-question = Posticipare { $monitor }?
notice-snooze-channel = I messaggi su questo monitor vanno al canale { $channel }.
notice-snooze-words = I cambiamenti trovati nel frattempo arrivano dopo in un solo messaggio. Restano completi nel feed e nella pagina del monitor.
notice-muted = Silenziato
notice-muted-words = I messaggi su { $monitor } non vengono più inviati a { $channel }. Seleziona il canale nella pagina del monitor per riceverli ancora.
notice-snoozed = Posticipato
notice-snoozed-until = Prossimi messaggi: { $time }.
notice-resumed = I messaggi vengono di nuovo inviati
notice-resumed-words = I messaggi su { $monitor } vengono inviati a { $channel }.
notice-for-days =
    { $count ->
        [one] Per un giorno
       *[other] Per { $count } giorni
    }
notice-resume = Invia di nuovo
notice-mute = Silenzia qui questo monitor
notice-invalid-title = Link non valido
notice-invalid = Questo link non è più valido
notice-invalid-words = È stato inviato un link più recente, o ciò a cui si riferisce non esiste più.
