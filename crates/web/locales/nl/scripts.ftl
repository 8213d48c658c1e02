# Texts of scripts: the list of keys, the notice of new entries, buttons of reading pages, listening, offline reading,
# passkeys, and pictures of quotes.

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
key-next-paragraph = volgende alinea
key-previous-paragraph = vorige alinea
key-highlight = de geselecteerde woorden of de alinea markeren
key-highlight-note = met een notitie markeren
key-passage = het taalmodel op de geselecteerde woorden of de alinea toepassen
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
listen-pause = Pauze
listen-continue = Verder
listen-previous = Vorige alinea
listen-next = Volgende alinea
listen-next-text = Volgende tekst
listen-all = Alles beluisteren
listen-voice = Stem
listen-voice-any = Automatisch
listen-failed = Deze browser kon de tekst niet voorlezen.
stored-not-possible = Deze browser kan geen teksten opslaan. Er is een beveiligde verbinding (https) met deze server nodig.
stored-not-allowed = Deze browser staat het opslaan van teksten niet toe.
stored-count = Teksten opgeslagen in deze browser: { $stored } van { $count } ({ $size }).
queued-text = Tekst
queued-waiting = Wacht op een verbinding.
queued-remove = Verwijderen
queued-removed = Verwijderd.
queued-stored = Opgeslagen. Wordt verzonden zodra er verbinding is.
queued-highlight-stored = De markering is opgeslagen. Ze wordt verzonden zodra er verbinding is.
queued-not-stored = Dit kon niet worden opgeslagen. Maak verbinding om te verzenden wat wacht.
queued-failed = Niet uitgevoerd: { $reason }
queued-show = Tonen
queued-reload = Opnieuw laden
queued-sent-count =
    { $count ->
        [one] { $count } offline wijziging is verzonden.
       *[other] { $count } offline wijzigingen zijn verzonden.
    }
queued-failed-count =
    { $count ->
        [one] { $count } offline wijziging kon niet worden uitgevoerd.
       *[other] { $count } offline wijzigingen konden niet worden uitgevoerd.
    }
passkey-unsupported = Deze browser ondersteunt geen passkeys.
passkey-exists = Dit apparaat heeft al een passkey van je account.
passkey-not-given = De browser gaf geen passkey. Probeer het opnieuw.
picture-of-quote = Als afbeelding
picture-description = Het citaat met zijn bron
picture-failed = De afbeelding kon niet worden gemaakt.
picture-download = Afbeelding downloaden
picture-share = Afbeelding delen…
picture-share-failed = Delen is mislukt. Download de afbeelding.
picture-shortened = Het citaat is te lang voor een afbeelding, dus de afbeelding bevat alleen het begin.
