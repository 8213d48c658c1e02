# Today page and first steps.

today-unread =
    { $count ->
        [one] { $amount } voce non letta
       *[other] { $amount } voci non lette
    }
today-unread-partial =
    { $count ->
        [one] almeno { $amount } voce non letta
       *[other] almeno { $amount } voci non lette
    }
today-unread-heading = Non lette
today-all-unread = Tutte le non lette
today-order = Prima i feed che leggi e segni di più.
today-search-or-open = Cerca o apri
today-search-label = Cerca ovunque o apri una pagina
today-search-hint = Cerca nei tuoi feed e nella tua libreria. Inserisci un indirizzo per aprire la pagina.
today-search-example = porto, o https://…
today-go = Vai
today-changes = Cambiamenti
today-all-changes = Tutti i cambiamenti
today-started = Continua a leggere
today-saved = Salvati di recente
today-waiting = Salvati da tempo
today-this-day = In questo giorno
today-attention = Richiede attenzione
today-all-failing = Tutti i feed che non rispondono
begin = Per iniziare
begin-progress = { $completed } di { $count } completati
begin-done = Fatto
begin-follow = Segui un sito
begin-follow-words = per vedere le nuove voci qui e in Feed.
begin-save = Salva una pagina
begin-save-words = per leggerla dopo, con evidenziazioni e note.
begin-watch = Sorveglia un prezzo
begin-watch-words = o un’altra parte di una pagina, per vedere i cambiamenti qui.
begin-continue = Continua
begin-close = Non mostrare più
nothing-new = Niente di nuovo
nothing-feeds = <1>Trova altri siti da seguire</1>, o <2>porta i tuoi feed</2> da un altro lettore.
nothing-library = <1>Sfoglia la tua libreria</1>, o <2>porta le tue pagine salvate</2>.
nothing-monitors = <1>Sorveglia una pagina</1> per vedere i cambiamenti qui.
