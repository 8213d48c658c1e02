# Texts of scripts: the list of keys, the notice of new entries, buttons of reading pages, listening, offline reading,
# passkeys, and pictures of quotes.

keys-title = Tasti
script-close = Chiudi
key-next = voce o testo successivo
key-previous = voce o testo precedente
key-open = apri
key-next-page = pagina successiva di un elenco
key-back = indietro
key-mark = segna come letto o non letto
key-mark-previous = segna come letto o non letto e torna al precedente
key-mark-all = segna tutto come letto
key-star = aggiungi la stella o salva
key-archive = archivia
key-next-paragraph = paragrafo successivo
key-previous-paragraph = paragrafo precedente
key-highlight = evidenzia le parole selezionate o il paragrafo
key-highlight-note = evidenzia con una nota
key-passage = usa il modello linguistico sulle parole selezionate o sul paragrafo
key-full = pagina intera
key-original-tab = originale, in una nuova scheda
key-original = originale
key-attachment = ascolta la registrazione o apri il file
key-feed = voci del feed
key-refresh = aggiorna ora i feed dell’elenco
key-follow = segui un sito
key-unfollow = non seguire più il feed
key-select = seleziona; con Maiusc e un clic: un intervallo
key-undo = annulla
key-search = cerca
key-today = Oggi
key-unread = voci non lette
key-all = tutte le voci
key-read = voci lette
key-starred = voci con stella
key-feeds = feed
key-collections = raccolte
key-library = libreria
key-monitors = monitor
key-settings = opzioni
key-top = inizio pagina
key-close = chiudi
key-help = questi tasti
copy-markdown = Copia come Markdown
copy-markdown-done = Copiato.
copy-markdown-failed = Copia non riuscita. Scarica il testo.
script-copy = Copia
copy-done = Copiato
copy-failed = Copia non riuscita
copy-failed-selected = Copia non riuscita. Il testo è selezionato.
script-share = Condividi…
note-jump = Vai alla nota
entries-new-count =
    { $count ->
        [one] 1 nuova voce
       *[other] { $count } nuove voci
    }
entries-new-most = { $count } o più nuove voci
minutes-left =
    { $count ->
        [one] manca 1 minuto
       *[other] mancano { $count } minuti
    }
listen-pause = Pausa
listen-continue = Continua
listen-previous = Paragrafo precedente
listen-next = Paragrafo successivo
listen-next-text = Testo successivo
listen-all = Ascolta tutto
listen-voice = Voce
listen-voice-any = Automatica
listen-failed = Questo browser non è riuscito a leggere il testo ad alta voce.
stored-not-possible = Questo browser non può conservare testi. Serve una connessione sicura (https) a questo server.
stored-not-allowed = Questo browser non permette di conservare testi.
stored-count = Testi conservati in questo browser: { $stored } di { $count } ({ $size }).
queued-text = Testo
queued-waiting = In attesa di una connessione.
queued-remove = Rimuovi
queued-removed = Rimosso.
queued-stored = Conservato. Sarà inviato quando ci sarà una connessione.
queued-highlight-stored = L’evidenziazione è conservata. Sarà inviata quando ci sarà una connessione.
queued-not-stored = Non è stato possibile conservarlo. Connettiti per inviare ciò che è in attesa.
queued-failed = Non eseguito: { $reason }
queued-show = Mostra
queued-reload = Ricarica
queued-sent-count =
    { $count ->
        [one] { $count } modifica fatta offline è stata inviata.
       *[other] { $count } modifiche fatte offline sono state inviate.
    }
queued-failed-count =
    { $count ->
        [one] { $count } modifica fatta offline non è stata eseguita.
       *[other] { $count } modifiche fatte offline non sono state eseguite.
    }
passkey-unsupported = Questo browser non supporta le passkey.
passkey-exists = Questo dispositivo ha già una passkey del tuo account.
passkey-not-given = Il browser non ha fornito nessuna passkey. Riprova.
picture-of-quote = Come immagine
picture-description = La citazione con la sua fonte
picture-failed = Non è stato possibile creare l’immagine.
picture-download = Scarica immagine
picture-share = Condividi immagine…
picture-share-failed = Condivisione non riuscita. Scarica l’immagine.
picture-shortened = La citazione è troppo lunga per un’immagine, quindi l’immagine ne contiene solo l’inizio.
