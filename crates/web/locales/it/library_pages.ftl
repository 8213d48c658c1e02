# Details, notes, tags, copies, and deletion of library items.

edit-author = Autore
edit-tags-hint = Separate da virgole; al massimo 12.
edit-kind = Tipo
note-item-deleted = Il suo elemento è stato eliminato.
note-item-deleted-titled = Il suo elemento è stato eliminato: { $title }.
note-delete-highlight = Elimina
note-back = Torna all’elemento
note-delete = Elimina nota
quote-share = Condividi questa citazione
quote-title = Condividi una citazione
quote-back = Torna all’evidenziazione
quote-text = Citazione con la fonte
quote-original = La citazione nella pagina originale
quote-original-words = { $link }. Il link evidenzia la citazione nella maggior parte dei browser.
quote-own = <1>L’evidenziazione nella tua libreria</1>. Solo tu puoi aprire questo link.
public-tag-published = L’etichetta è pubblica. Condividi il suo link.
public-tag-private = L’etichetta è di nuovo privata. Il vecchio link non funziona più.
public-tag-name = Etichetta
public-tag-hint = Nella pagina appaiono gli elementi con un indirizzo web pubblico: titolo, indirizzo, quando li hai salvati e l’inizio del testo se viene da quell’indirizzo. Mai le tue note, evidenziazioni, altre etichette e file.
public-tags = Etichette pubbliche
public-tags-words = Un’etichetta pubblica ha una pagina e un feed che chiunque abbia il link può leggere, senza account.
public-tags-yours = Le tue etichette pubbliche
public-tags-publish-heading = Pubblica un’etichetta
public-tags-publish = Pubblica
public-tag-link = Link di «{ $tag }»
public-tag-feeds = <1>Apri la pagina</1>. Il suo feed è disponibile come <2>RSS</2>, <3>Atom</3> e <4>JSON Feed</4>.
public-tag-hide-named = Rendi privata «{ $tag }»
public-tag-hide = Rendi privata
shared-added = Pagina aggiunta.
shared-removed = Pagina rimossa da questa etichetta. Il proprietario l’ha ancora.
shared-joined = Sei entrato nel team.
shared-none = Ancora niente. Quando qualcuno ti invita in un team, le sue etichette e i suoi monitor appaiono qui.
shared-teams = I tuoi team
shared-can-add = puoi aggiungere pagine
shared-no-changes = ancora nessun cambiamento
shared-no-pages = Ancora nessuna pagina.
shared-pages = Pagine
shared-older = Pagine precedenti
shared-tag = Etichetta condivisa
shared-save = Salva nella mia libreria
shared-add-page = Aggiungi una pagina
shared-add-hint = Viene salvata nella libreria del proprietario.
shared-add = Aggiungi
shared-remove = Rimuovi
shared-remove-named = Rimuovi «{ $name }»
shared-changes = Ultimi cambiamenti
shared-monitor = Monitor condiviso
copy-requested = La pagina è in fase di copia. Questa vista si ricarica finché la copia è pronta.
copy-deleted = Copia eliminata.
copy-page = Pagina
copy-page-words = Un file con testo, stili e immagini, senza script. Si apre in qualsiasi browser.
copy-picture = Immagine
copy-picture-words = L’intera pagina come PNG.
copy-pdf-words = La pagina come viene stampata.
copy-words = Una copia occupa il tuo spazio e costa cinque estrazioni nuove. Fa parte della tua esportazione.
copy-open = Apri la copia
copy-from = { $time }, { $size } KB
copy-waiting = Copia in corso.
copy-fault-storage = Non è stato possibile copiare la pagina: il tuo spazio è esaurito. Elimina file o elementi.
copy-fault-robots = Non è stato possibile copiare la pagina: il suo sito non permette ai programmi di leggerla.
copy-fault-content = Non è stato possibile copiare la pagina: è troppo grande o complessa per un browser.
copy-fault-browser = Non è stato possibile copiare la pagina: il browser non ha risposto. Riprova.
copy-fault-queue = La pagina non è stata copiata: c’erano troppe copie in attesa. Riprova.
copy-fault-limit = La pagina non è stata copiata: le estrazioni nuove di oggi per le copie automatiche sono esaurite. Riprova ora o domani.
copy-fault-address = Non è stato possibile copiare la pagina: non si è aperta. Controlla l’indirizzo e riprova.
copy-replace = Sostituisci
copy-create = Copia
copies-automatic = Copie automatiche delle pagine
copies-saved = Copie automatiche salvate.
copies-words = Carrel può copiare la pagina di ogni nuovo elemento che salvi dal suo indirizzo, come la mostra un browser. Se non scegli alcun formato, nessuna pagina viene copiata. Le pagine inviate dall’estensione o per e-mail non vengono copiate.
copies-formats = Formati
copies-imports = Copia anche le pagine degli elementi importati, prima i più recenti, al massimo { $count } copie al giorno
copies-limits = Una copia occupa il tuo spazio e costa cinque estrazioni nuove. Le copie automatiche usano al massimo metà delle estrazioni nuove di un giorno. Se si raggiunge un limite, l’elemento lo segnala.
delete-items-question =
    { $count ->
        [one] Eliminare questo elemento?
       *[other] Eliminare questi { $count } elementi?
    }
delete-items-words = Dopo un minuto l’eliminazione è definitiva, file compresi. Fino ad allora puoi annullarla.
delete-items-annotations = Elimina anche le note e le evidenziazioni. Altrimenti restano e puoi trovarle con la ricerca.
delete-items-title = Elimina
tags-none = Ancora nessuna etichetta. Aggiungine una nella pagina di un elemento, o a più elementi nell’elenco.
tags-words = Se dai a un’etichetta il nome di un’altra, le due vengono unite. Se l’altra è pubblica o condivisa con un team, lo sono anche gli elementi di entrambe. Un’etichetta può avere una <1>pagina pubblica</1>.
tags-more = Altre etichette
tags-yours = Le tue etichette
tags-count =
    { $count ->
        [one] { $count } elemento
       *[other] { $count } elementi
    }
tags-remove-named = Rimuovi «{ $name }» ovunque
copy-left-out = Omessi: { $parts }.
copy-pictures =
    { $count ->
        [one] 1 immagine
       *[other] { $count } immagini
    }
copy-fonts =
    { $count ->
        [one] 1 carattere
       *[other] { $count } caratteri
    }
copy-styles =
    { $count ->
        [one] 1 foglio di stile
       *[other] { $count } fogli di stile
    }
copy-media =
    { $count ->
        [one] 1 audio o video
       *[other] { $count } audio o video
    }
copy-frames =
    { $count ->
        [one] 1 riquadro o oggetto
       *[other] { $count } riquadri o oggetti
    }
copy-cut = La pagina potrebbe essere incompleta, perché ha raggiunto un limite.
