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
quotation = Citazione
quotation-check = Verifica
look-save = Salva le opzioni
look-theme = Colori
look-theme-auto = Come il dispositivo
look-theme-light = Chiaro
look-theme-sepia = Seppia
look-theme-dark = Scuro
look-size = Dimensione del testo
look-size-m = Media
look-size-s = Piccola
look-size-l = Grande
look-size-xl = Molto grande
look-width = Larghezza del testo
look-width-medium = Media
look-width-narrow = Stretta
look-width-wide = Larga
look-face = Carattere
look-face-serif = Con grazie
look-face-sans = Senza grazie
look-scroll = Segna le voci come lette
look-scroll-open = Quando le apro
look-scroll-pass = Anche quando le scorro (servono gli script)
look-pictures = Immagini
look-pictures-show = Mostra
look-pictures-hide = Solo le descrizioni, con link
look-spacing = Interlinea
look-spacing-normal = Normale
look-spacing-tight = Stretta
look-spacing-loose = Ampia
look-density = Elenchi
look-density-cosy = Comodi
look-density-compact = Compatti
look-density-magazine = Rivista
