# List of subscriptions, and the form that follows a site.

feeds-subscriptions = Iscrizioni
feeds-status = Stato dei feed
feeds-all = Tutti
feeds-none = Non segui ancora alcun feed.
feeds-none-in-status = Nessun feed ha questo stato.
feeds-count =
    { $count ->
       *[other] { $amount } feed
    }
feeds-more = Altri feed
feeds-rules = Regole
feeds-statistics = Statistiche
feeds-unread-count = { $amount } non lette
follow-words = Inserisci l’indirizzo di una sua pagina qualsiasi. Le nuove voci appariranno nei tuoi feed.
follow-address = Indirizzo del sito o del suo feed
follow-collection = Raccolta
follow-search = Cerca i feed
follow-search-again = Cerca di nuovo
follow-several = Più feed in una volta: <1>importa un file OPML</1>.
follow-services = Servizi le cui pagine sono riconosciute
follow-found = Feed trovati
follow-none = A questo indirizzo non c’è un feed, e la pagina non ne indica alcuno. Puoi invece <1>sorvegliare la pagina</1> ed essere avvisato quando cambia.
follow-unchecked = indicato dalla pagina, non ancora controllato
follow-titled = Segui «{ $title }»
follow-list = Segui le novità di questa pagina
follow-list-words = La pagina ha un elenco di { $count } elementi. Un monitor segnala i nuovi come voci nei tuoi feed.
follow-list-watch = Sorveglia le novità
feed-request-words = Se imposti uno user agent o intestazioni, il feed viene scaricato separatamente per il tuo account.
feed-request-headers-hint = Una per riga, come X-Feed-Key: 1234. Sono conservate cifrate e inviate solo al sito del feed.
feed-request-stored = Conservate: { $names }. Le nuove le sostituiscono.
feed-request-remove = Togli le intestazioni conservate
