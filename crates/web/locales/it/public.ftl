# Pages that anyone with their link may read: groups, tags, and changes of monitors.

public-not-found = Pagina non trovata
public-not-found-words = Il link è errato. Controlla che sia completo.
public-gone = Questa pagina non è più pubblica
public-gone-words = Il proprietario l’ha eliminata o le ha dato un nuovo link.
public-gone-title = Non più pubblica
public-unavailable = Temporaneamente non disponibile
public-unavailable-words = Riprova tra qualche secondo.
public-group-follow = Segui i cambiamenti in un lettore di feed: <1>RSS</1>, <2>Atom</2>, <3>JSON Feed</3>.
public-no-monitors = Ancora nessun monitor.
public-tag-not-found = Il link è errato, o il proprietario non condivide più questa pagina.
public-tag-follow = Segui questo elenco in un lettore di feed: <1>RSS</1>, <2>Atom</2>, <3>JSON Feed</3>.
public-no-items = Ancora nessun elemento.
public-newest = Sono elencati i { $number } elementi più recenti.
change-not-found = Cambiamento non trovato
change-not-found-words = Il link è errato, o il cambiamento è stato eliminato.
change-gone = Questo link non è più valido
change-gone-words = Il suo feed ha un nuovo link o non è più pubblico.
change-gone-title = Link non più valido
change-of = Cambiamento di { $monitor }
change-detected = Rilevato
change-address = Indirizzo
change-differences = Differenze
change-views = Viste
change-sides = Affiancate
change-inline = Nel testo
change-before = Prima
change-after = Dopo
change-rest =
    { $count ->
        [one] Un’altra differenza ({ $count }) non è mostrata.
       *[other] Altre { $count } differenze non sono mostrate.
    }
change-legend = Il testo rimosso è barrato, quello aggiunto è sottolineato.
change-unknown-size = dimensione sconosciuta
change-no-screenshot = Questa schermata non è conservata: è troppo grande o troppo vecchia, o lo spazio per le schermate è esaurito.
change-earlier = Cambiamento precedente
change-later = Cambiamento successivo
change-count-added = { $count } aggiunte
change-count-removed = { $count } rimosse
change-count-changed = { $count } modificate
change-count-moved = { $count } spostate
change-unchanged =
    { $count ->
        [one] { $count } riga invariata
       *[other] { $count } righe invariate
    }
change-whole = La fonte è cambiata troppo per confrontarla riga per riga.
change-before-value = Prima:
change-after-value = Dopo:
change-link = Link: { $link }
change-fell = sceso di { $amount }
change-rose = salito di { $amount }
change-new = Nuovo
change-removed = Rimosso
change-changed = Modificato
change-moved = Spostato
change-removed-part = rimosso:
change-added-part = aggiunto:
change-explanation-pending = Il modello linguistico sta spiegando la modifica.
change-explanation-none = Il modello linguistico non ha spiegato la modifica: { $reason }.
change-explanation-by = Scritto dal modello linguistico { $name }. Può essere errato.
change-explanation-irrelevant = Secondo il modello, la modifica non è rilevante per il desiderio.
change-explanation-withheld = Secondo il modello, la modifica non è rilevante per il desiderio, quindi non è stato inviato alcun messaggio.
