# Texts of scripts: the list of keys, the notice of new entries, and buttons of reading pages.

keys-title = Toetsen
script-close = Sluiten
key-next = volgende item of tekst
key-previous = vorige item of tekst
key-open = openen
key-next-page = volgende pagina van een lijst
key-back = terug
key-mark = als gelezen of ongelezen markeren
key-mark-previous = als gelezen of ongelezen markeren en naar de vorige gaan
key-mark-all = alles als gelezen markeren
key-star = ster geven of bewaren
key-archive = archiveren
key-full = volledige pagina
key-original-tab = origineel, in een nieuw tabblad
key-original = origineel
key-attachment = opname afspelen of bestand openen
key-feed = items van de feed
key-refresh = feeds van de lijst nu ophalen
key-follow = een site volgen
key-unfollow = de feed niet meer volgen
key-select = selecteren; met Shift en een klik: een reeks
key-undo = ongedaan maken
key-search = zoeken
key-today = Vandaag
key-unread = ongelezen items
key-all = alle items
key-read = gelezen items
key-starred = items met ster
key-feeds = feeds
key-collections = verzamelingen
key-library = bibliotheek
key-monitors = monitors
key-settings = opties
key-top = naar boven
key-close = sluiten
key-help = deze toetsen
copy-markdown = Kopiëren als Markdown
copy-markdown-done = Gekopieerd.
copy-markdown-failed = Kopiëren mislukt. Download de tekst.
script-copy = Kopiëren
copy-done = Gekopieerd
copy-failed = Kopiëren mislukt
copy-failed-selected = Kopiëren mislukt. De tekst is geselecteerd.
script-share = Delen…
note-jump = Naar de noot
entries-new-count =
    { $count ->
        [one] 1 nieuw item
       *[other] { $count } nieuwe items
    }
entries-new-most = { $count } of meer nieuwe items
minutes-left =
    { $count ->
        [one] nog 1 minuut
       *[other] nog { $count } minuten
    }
