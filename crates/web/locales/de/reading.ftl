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
video-play = Video hier abspielen
video-service = Lädt den Player von { $service }
quotation = Zitat
quotation-check = Prüfen
appearance-save = Speichern
appearance-theme = Farben
appearance-theme-auto = Wie das Gerät
appearance-theme-light = Hell
appearance-theme-sepia = Sepia
appearance-theme-dark = Dunkel
appearance-size = Textgröße
appearance-width = Textbreite
appearance-face = Schrift
appearance-face-serif = Mit Serifen
appearance-face-sans = Serifenlos
appearance-face-legible = Bei Legasthenie
appearance-face-mono = Feste Breite
appearance-face-own = Schrift dieses Geräts
appearance-face-name = Name der Schrift
appearance-face-name-hint = Der englische Name einer Schrift, die auf diesem Gerät installiert ist: Buchstaben A–Z, Ziffern, Leerzeichen und Bindestriche. Auf Geräten ohne sie hat der Text eine Schrift mit Serifen.
appearance-scroll = Einträge als gelesen markieren
appearance-scroll-open = Wenn ich sie öffne
appearance-scroll-pass = Auch beim Vorbeiscrollen (braucht Skripte)
appearance-pictures = Bilder
appearance-pictures-show = Zeigen
appearance-pictures-hide = Nur Beschreibungen mit Links zeigen
appearance-spacing = Zeilenabstand
appearance-density = Listen
appearance-density-cosy = Normal
appearance-density-compact = Kompakt
appearance-density-magazine = Magazin
appearance-paged = Seitenweise blättern
appearance-paged-off = Aus
appearance-paged-on = Leertaste, Bild auf und Bild ab, und Tippen über und unter der Mitte eines Textes (braucht Skripte)
appearance-less = weniger
appearance-more = mehr
paragraph-link = Link zu Absatz { $number }
paragraph-original = Original
picture-unnamed = Bild
quotation-text = Der Text
quotation-wrong = Gib ein Zitat mit 8 bis 1000 Zeichen und höchstens 200 Wörtern ein.
quotation-paragraph = Absatz { $number } des Textes
quotation-exact = Der Text enthält dieses Zitat, Wort für Wort.
quotation-close = Der Text enthält eine ähnliche Stelle.
quotation-close-share = { $share } der Wörter sind gleich.
quotation-differences = Unterschiede
quotation-legend = Durchgestrichen: nur im Zitat. Unterstrichen: nur im Text.
quotation-absent = Der Text enthält dieses Zitat nicht.
quotation-absent-words = Die ähnlichste Stelle des Textes stimmt zu { $share } überein. Die Seite hat sich vielleicht geändert, oder das Zitat ist von einer anderen Seite.
quotation-only-quoted = nur im Zitat:
quotation-only-text = nur im Text:
quotation-context = Zusammenhang
reader-limited = Du hast in kurzer Zeit viele Seiten geöffnet.
reader-what-to-do = Was zu tun ist:
reader-wait =
    { $count ->
        [one] Warte 1 Sekunde und versuche es dann noch einmal.
       *[other] Warte { $count } Sekunden und versuche es dann noch einmal.
    }
reader-another = Eine andere Seite lesen
reader-about = Über { $code }
reader-original = Original öffnen
reader-try-http = http:// versuchen
reader-no-page = Seite nicht gefunden
reader-no-page-step = Prüfe die Adresse auf Tippfehler. Um eine Seite einer anderen Website zu lesen, gib unten ihre Adresse ein.
reader-gone = Die Website hat keine solche Seite
reader-gone-step = Öffne das Original, um die Adresse zu prüfen. Die Seite ist vielleicht umgezogen oder gelöscht.
reader-no-address = Gib eine Adresse ein
reader-no-address-step = Füge die Adresse der Seite ein, die du lesen möchtest.
reader-address = Gib eine vollständige Adresse ein
reader-address-step = Eine vollständige Adresse beginnt mit https:// oder http:// und enthält weder Benutzernamen noch Passwort.
