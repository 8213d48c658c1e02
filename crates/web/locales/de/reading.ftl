# Reading pages and reading settings.

reading-source = Quelle
reading-minutes =
    { $count ->
        [0] unter einer Minute
        [one] 1 Minute
       *[other] { $count } Minuten
    }
reading-printed = Quelle: { $address }, gelesen am { $day } um { $time } UTC.
reading-truncated = Ein Teil der Quelle fehlt. Sie ist zu lang oder lässt sich nicht in Text umwandeln.
reading-paywall = Ohne Abonnement zeigt die Quelle nur eine Vorschau.
reading-scripts = Einen Teil des Textes zeigt die Quelle nur in Browsern mit Skripten.
reading-passages = Passagen, die zu deiner Suche passen. <1>Ganzen Text zeigen</1>
reading-no-match = Nichts in diesem Text passt zu „{ $query }“.
reading-next = Nächste Seite
reading-formats = Als <1>Text</1>, <2>Markdown</2> oder <3>JSON</3>.
reading-save = Speichern
reading-listen = Anhören
reading-stop = Stopp
reading-aa = : Leseansicht
reading-more = Mehr
reading-outline = Gliederung
reading-check = Zitat prüfen
reading-watch = Seite beobachten
reading-follow = Website folgen
reading-original = Original öffnen
reading-epub = Als EPUB herunterladen
reading-markdown = Als Markdown herunterladen
reading-another = Andere Seite lesen
reading-fetched = Geladen { $age }
reading-fetch-again = Neu laden
reading-find-label = In diesem Text suchen
reading-find = Suchen
quotation = Zitat
quotation-check = Prüfen
look-save = Speichern
look-theme = Farben
look-theme-auto = Wie das Gerät
look-theme-light = Hell
look-theme-sepia = Sepia
look-theme-dark = Dunkel
look-size = Textgröße
look-size-m = Mittel
look-size-s = Klein
look-size-l = Groß
look-size-xl = Sehr groß
look-width = Textbreite
look-width-medium = Mittel
look-width-narrow = Schmal
look-width-wide = Breit
look-face = Schrift
look-face-serif = Mit Serifen
look-face-sans = Serifenlos
look-scroll = Einträge als gelesen markieren
look-scroll-open = Wenn ich sie öffne
look-scroll-pass = Auch beim Vorbeiscrollen (braucht Skripte)
look-pictures = Bilder
look-pictures-show = Zeigen
look-pictures-hide = Nur Beschreibungen mit Links zeigen
look-spacing = Zeilenabstand
look-spacing-normal = Normal
look-spacing-tight = Eng
look-spacing-loose = Weit
look-density = Listen
look-density-cosy = Normal
look-density-compact = Kompakt
look-density-magazine = Magazin
