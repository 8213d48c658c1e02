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
video-play = Video hier afspelen
video-service = Laadt de speler van { $service }
quotation = Citaat
quotation-check = Controleren
appearance-save = Opslaan
appearance-theme = Kleuren
appearance-theme-auto = Zoals het apparaat
appearance-theme-light = Licht
appearance-theme-sepia = Sepia
appearance-theme-dark = Donker
appearance-size = Tekstgrootte
appearance-width = Tekstbreedte
appearance-face = Lettertype
appearance-face-serif = Met schreef
appearance-face-sans = Schreefloos
appearance-face-legible = Bij dyslexie
appearance-face-mono = Vaste breedte
appearance-face-own = Een lettertype van dit apparaat
appearance-face-name = Naam van het lettertype
appearance-face-name-hint = De Engelse naam van een lettertype dat op dit apparaat is geïnstalleerd: letters A–Z, cijfers, spaties en koppeltekens. Op apparaten zonder dit lettertype heeft de tekst een schreef.
appearance-scroll = Items als gelezen markeren
appearance-scroll-open = Als ik ze open
appearance-scroll-pass = Ook als ik er voorbij scrol (vereist scripts)
appearance-pictures = Afbeeldingen
appearance-pictures-show = Tonen
appearance-pictures-hide = Alleen beschrijvingen, met links
appearance-spacing = Regelafstand
appearance-density = Lijsten
appearance-density-cosy = Ruim
appearance-density-compact = Compact
appearance-density-magazine = Magazine
appearance-paged = Per pagina bladeren
appearance-paged-off = Uit
appearance-paged-on = Spatie, Page Up en Page Down, en tikken boven en onder het midden van een tekst (vereist scripts)
appearance-less = minder
appearance-more = meer
paragraph-link = Link naar alinea { $number }
paragraph-original = origineel
picture-unnamed = Afbeelding
quotation-text = De tekst
quotation-wrong = Vul een citaat in van 8 tot 1000 tekens en hoogstens 200 woorden.
quotation-paragraph = Alinea { $number } van de tekst
quotation-exact = De tekst bevat dit citaat, woord voor woord.
quotation-close = De tekst bevat een vergelijkbare passage.
quotation-close-share = { $share } van de woorden is gelijk.
quotation-differences = Verschillen
quotation-legend = Doorgestreept: alleen in het citaat. Onderstreept: alleen in de tekst.
quotation-absent = De tekst bevat dit citaat niet.
quotation-absent-words = De meest gelijkende passage komt voor { $share } overeen. De pagina is misschien gewijzigd, of het citaat komt van een andere pagina.
quotation-only-quoted = alleen in het citaat:
quotation-only-text = alleen in de tekst:
quotation-context = Context
reader-limited = Je hebt in korte tijd veel pagina’s geopend.
reader-what-to-do = Wat te doen:
reader-wait =
    { $count ->
        [one] Wacht 1 seconde en probeer het opnieuw.
       *[other] Wacht { $count } seconden en probeer het opnieuw.
    }
reader-another = Een andere pagina lezen
reader-about = Over { $code }
reader-original = Origineel openen
reader-try-http = http:// proberen
reader-no-page = Pagina niet gevonden
reader-no-page-step = Controleer het adres op typfouten. Vul hieronder het adres in om een pagina van een andere site te lezen.
reader-gone = De site heeft die pagina niet
reader-gone-step = Open het origineel om het adres te controleren. De pagina is misschien verplaatst of verwijderd.
reader-no-address = Vul een adres in
reader-no-address-step = Plak het adres van de pagina die je wilt lezen.
reader-address = Vul een volledig adres in
reader-address-step = Een volledig adres begint met https:// of http://, zonder gebruikersnaam of wachtwoord.
