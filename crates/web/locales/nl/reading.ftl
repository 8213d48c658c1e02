# Reading pages and reading settings.

reading-source = Bron
reading-minutes =
    { $count ->
        [0] minder dan een minuut
        [one] 1 minuut
       *[other] { $count } minuten
    }
reading-printed = Bron: { $address }, gelezen op { $day } om { $time } UTC.
reading-truncated = Een deel van de bron ontbreekt. De bron is te lang of kan niet in tekst worden omgezet.
reading-paywall = De bron toont bezoekers zonder abonnement alleen een voorproefje.
reading-scripts = De bron toont een deel van de tekst alleen in browsers die scripts uitvoeren.
reading-passages = Passages die bij je zoekopdracht passen. <1>Hele tekst tonen</1>
reading-no-match = Niets in deze tekst past bij ‘{ $query }’.
reading-next = Volgende pagina
reading-formats = Als <1>tekst</1>, <2>Markdown</2> of <3>JSON</3>.
reading-save = Bewaren
reading-listen = Luisteren
reading-stop = Stoppen
reading-aa = : leesinstellingen
reading-more = Meer
reading-outline = Overzicht
reading-check = Een citaat controleren
reading-watch = Deze pagina bewaken
reading-follow = Deze site volgen
reading-original = Origineel openen
reading-epub = Downloaden als EPUB
reading-markdown = Downloaden als Markdown
reading-another = Een andere pagina lezen
reading-fetched = Opgehaald { $age }
reading-fetch-again = Opnieuw ophalen
reading-find-label = In deze tekst zoeken
reading-find = Zoeken
quotation = Citaat
quotation-check = Controleren
look-save = Opslaan
look-theme = Kleuren
look-theme-auto = Zoals het apparaat
look-theme-light = Licht
look-theme-sepia = Sepia
look-theme-dark = Donker
look-size = Tekstgrootte
look-size-m = Normaal
look-size-s = Klein
look-size-l = Groot
look-size-xl = Zeer groot
look-width = Tekstbreedte
look-width-medium = Normaal
look-width-narrow = Smal
look-width-wide = Breed
look-face = Lettertype
look-face-serif = Met schreef
look-face-sans = Schreefloos
look-scroll = Items als gelezen markeren
look-scroll-open = Als ik ze open
look-scroll-pass = Ook als ik er voorbij scrol (vereist scripts)
look-pictures = Afbeeldingen
look-pictures-show = Tonen
look-pictures-hide = Alleen beschrijvingen, met links
look-spacing = Regelafstand
look-spacing-normal = Normaal
look-spacing-tight = Krap
look-spacing-loose = Ruim
look-density = Lijsten
look-density-cosy = Ruim
look-density-compact = Compact
look-density-magazine = Magazine
