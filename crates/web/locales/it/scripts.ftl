# Texts of scripts: the list of keys, the notice of new entries, and buttons of reading pages.

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
