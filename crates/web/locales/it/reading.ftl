# Reading pages and reading settings.

reading-source = Fonte
reading-minutes =
    { $count ->
        [0] meno di un minuto
        [one] 1 minuto
       *[other] { $count } minuti
    }
reading-printed = Fonte: { $address }, letta il { $day } alle { $time } UTC.
reading-truncated = Manca una parte della fonte. È troppo lunga o non può essere convertita in testo.
reading-paywall = La fonte mostra solo un’anteprima a chi non è abbonato.
reading-scripts = La fonte mostra parte del testo solo nei browser che eseguono script.
reading-passages = Passaggi che corrispondono alla ricerca. <1>Mostra tutto il testo</1>
reading-no-match = Niente in questo testo corrisponde a «{ $query }».
reading-next = Pagina successiva
reading-formats = Come <1>testo</1>, <2>Markdown</2> o <3>JSON</3>.
reading-save = Salva
reading-listen = Ascolta
reading-stop = Ferma
reading-aa = : opzioni di lettura
reading-more = Altro
reading-outline = Indice
reading-check = Verifica una citazione
reading-watch = Sorveglia questa pagina
reading-follow = Segui questo sito
reading-original = Apri l’originale
reading-epub = Scarica come EPUB
reading-markdown = Scarica come Markdown
reading-another = Leggi un’altra pagina
reading-fetched = Scaricato { $age }
reading-fetch-again = Scarica di nuovo
reading-find-label = Cerca in questo testo
reading-find = Cerca
video-play = Riproduci qui
video-service = Carica il player di { $service }
quotation = Citazione
quotation-check = Verifica
appearance-save = Salva le opzioni
appearance-theme = Colori
appearance-theme-auto = Come il dispositivo
appearance-theme-light = Chiaro
appearance-theme-sepia = Seppia
appearance-theme-dark = Scuro
appearance-size = Dimensione del testo
appearance-width = Larghezza del testo
appearance-face = Carattere
appearance-face-serif = Con grazie
appearance-face-sans = Senza grazie
appearance-face-legible = Per la dislessia
appearance-face-mono = A larghezza fissa
appearance-face-own = Un carattere di questo dispositivo
appearance-face-name = Nome del carattere
appearance-face-name-hint = Il nome inglese di un carattere installato su questo dispositivo: lettere A–Z, cifre, spazi e trattini. Sui dispositivi che non lo hanno, il testo ha le grazie.
appearance-scroll = Segna le voci come lette
appearance-scroll-open = Quando le apro
appearance-scroll-pass = Anche quando le scorro (servono gli script)
appearance-pictures = Immagini
appearance-pictures-show = Mostra
appearance-pictures-hide = Solo le descrizioni, con link
appearance-spacing = Interlinea
appearance-density = Elenchi
appearance-density-cosy = Comodi
appearance-density-compact = Compatti
appearance-density-magazine = Rivista
appearance-paged = Scorri per pagine
appearance-paged-off = No
appearance-paged-on = Spazio, Pag su e Pag giù, e tocchi sopra e sotto il centro di un testo (servono gli script)
appearance-less = meno
appearance-more = più
paragraph-link = Link al paragrafo { $number }
paragraph-original = originale
picture-unnamed = Immagine
quotation-text = Il testo
quotation-wrong = Inserisci una citazione da 8 a 1000 caratteri e di al massimo 200 parole.
quotation-paragraph = Paragrafo { $number } del testo
quotation-exact = Il testo contiene questa citazione, parola per parola.
quotation-close = Il testo contiene un passo simile.
quotation-close-share = Coincide il { $share } delle parole.
quotation-differences = Differenze
quotation-legend = Barrato: solo nella citazione. Sottolineato: solo nel testo.
quotation-absent = Il testo non contiene questa citazione.
quotation-absent-words = Il passo più vicino è simile al { $share }. La pagina potrebbe essere cambiata, o la citazione viene da un’altra pagina.
quotation-only-quoted = solo nella citazione:
quotation-only-text = solo nel testo:
quotation-context = Contesto
reader-limited = Hai aperto molte pagine in poco tempo.
reader-what-to-do = Che cosa fare:
reader-wait =
    { $count ->
        [one] Attendi 1 secondo, poi riprova.
       *[other] Attendi { $count } secondi, poi riprova.
    }
reader-another = Leggi un’altra pagina
reader-about = Informazioni su { $code }
reader-original = Apri l’originale
reader-try-http = Prova http://
reader-no-page = Pagina non trovata
reader-no-page-step = Controlla che l’indirizzo non abbia errori di battitura. Per leggere una pagina di un altro sito, inserisci qui sotto il suo indirizzo.
reader-gone = Il sito non ha questa pagina
reader-gone-step = Apri l’originale per controllare l’indirizzo. La pagina potrebbe essere stata spostata o eliminata.
reader-no-address = Inserisci un indirizzo
reader-no-address-step = Incolla l’indirizzo della pagina che vuoi leggere.
reader-address = Inserisci un indirizzo completo
reader-address-step = Un indirizzo completo inizia con https:// o http://, senza nome utente né password.
