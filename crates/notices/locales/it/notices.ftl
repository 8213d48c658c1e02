# Messages to the channels of an account.

credits-most-title = L’80 % dei crediti per i monitor di questo mese è stato usato
credits-most-text = Sono stati usati { $used } crediti su { $limit }. Quando non ne restano, i monitor attendono il mese successivo.
credits-none-title = I crediti per i monitor di questo mese sono esauriti
credits-none-text = I monitor senza crediti ripartono nella prima ora del mese successivo.
sign-in-title = Nuovo accesso al tuo account
sign-in-text = Un browser mai usato con questo account ha effettuato l’accesso da { $network }: { $time }. Se sei stato tu, non c’è nulla da fare. Altrimenti imposta una nuova password.
factor-added-title = Al tuo account è stato aggiunto un secondo fattore
passkey-added-title = Al tuo account è stata aggiunta una passkey
single-sign-on-added-title = L’accesso unico è stato collegato al tuo account
single-sign-on-removed-title = L’accesso unico è stato scollegato dal tuo account
factor-removed-title = Il secondo fattore del tuo account è stato rimosso
sign-in-changed-text = Data: { $time }. Se sei stato tu, non c’è nulla da fare. Altrimenti imposta una nuova password.
key-title = È stata creata una chiave API
key-text = Il suo nome è «{ $name }». Se non l’hai creata tu, revocala e imposta una nuova password.
app-title = Un’app è stata collegata al tuo account
app-text = Si presenta come «{ $app }»; questo nome non è verificato. Se non l’hai consentita, revoca il suo accesso e imposta una nuova password.
off-title = Il canale «{ $name }» è stato disattivato
off-gone = Ha risposto che non vuole altri messaggi (410).
off-refused = Il server di posta dice che questo indirizzo non esiste.
off-failing = Per tre giorni non è stato possibile consegnare alcun messaggio.
off-text = { $why } I messaggi vengono conservati per sette giorni e inviati quando il canale torna attivo.
plan-title =
    { $count ->
        [one] { $count } canale è stato disattivato
       *[other] { $count } canali sono stati disattivati
    }
plan-text = Canali attivi consentiti dal tuo piano: { $limit }. I più recenti sono stati disattivati: { $names }. I loro messaggi vengono conservati per sette giorni.
quoted = «{ $name }»
test-title = Prova di questo canale
test-text = Così arrivano i messaggi di Carrel.
digest-title = Che cosa è successo fino al { $date }
today-unread = Non lette
today-changes = Cambiamenti
today-started = Continua a leggere
today-saved = Salvati di recente
today-waiting = Salvati da tempo
today-this-day = In questo giorno
today-attention = Richiede attenzione
today-highlights = Evidenziazioni da ripassare
today-review =
    { $count ->
        [one] Oggi c’è { $count } evidenziazione da ripassare.
       *[other] Oggi ci sono { $count } evidenziazioni da ripassare.
    }
stop-link = Disiscriviti
several-title = Più cambiamenti
entries-title =
    { $count ->
        [one] 1 nuova voce
       *[other] { $count } nuove voci
    }
item-saved-title = Salvato: { $title }
items-saved-title =
    { $count ->
        [one] 1 elemento salvato
       *[other] { $count } elementi salvati
    }
missed-title = Che cosa ha perso questo canale
collected-count =
    { $count ->
        [one] Un messaggio:
       *[other] { $count } messaggi:
    }
more = E altri { $count }.
more-short = e altri { $count }
snooze = Rimanda o silenzia questo monitor: { $link }
snooze-short = Rimanda o silenzia: { $link }
template-failed = (Il modello di questo canale non ha funzionato. { $error }.)
stop = Per non ricevere più questi messaggi: { $link }
confirm-subject = Conferma questo indirizzo per i messaggi di Carrel
confirm-body =
    Una persona con un account su { $origin } vuole che i messaggi di quell’account siano inviati a questo indirizzo.

    Se sei tu, apri questo link e premi il pulsante:

    { $link }

    Altrimenti non fare nulla: non ti verrà inviato nulla.
