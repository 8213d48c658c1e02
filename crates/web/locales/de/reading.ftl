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
appearance-save = Speichern
appearance-theme = Farben
appearance-theme-auto = Wie das Gerät
appearance-theme-light = Hell
appearance-theme-sepia = Sepia
appearance-theme-dark = Dunkel
appearance-size = Textgröße
appearance-size-m = Mittel
appearance-size-s = Klein
appearance-size-l = Groß
appearance-size-xl = Sehr groß
appearance-width = Textbreite
appearance-width-medium = Mittel
appearance-width-narrow = Schmal
appearance-width-wide = Breit
appearance-face = Schrift
appearance-face-serif = Mit Serifen
appearance-face-sans = Serifenlos
appearance-scroll = Einträge als gelesen markieren
appearance-scroll-open = Wenn ich sie öffne
appearance-scroll-pass = Auch beim Vorbeiscrollen (braucht Skripte)
appearance-pictures = Bilder
appearance-pictures-show = Zeigen
appearance-pictures-hide = Nur Beschreibungen mit Links zeigen
appearance-spacing = Zeilenabstand
appearance-spacing-normal = Normal
appearance-spacing-tight = Eng
appearance-spacing-loose = Weit
appearance-density = Listen
appearance-density-cosy = Normal
appearance-density-compact = Kompakt
appearance-density-magazine = Magazin
