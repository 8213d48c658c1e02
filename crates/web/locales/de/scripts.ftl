# Texts of scripts: the list of keys, the notice of new entries, and buttons of reading pages.

keys-title = Tasten
script-close = Schließen
key-next = nächster Eintrag oder Text
key-previous = voriger Eintrag oder Text
key-open = öffnen
key-next-page = nächste Seite einer Liste
key-back = zurück
key-mark = als gelesen oder ungelesen markieren
key-mark-previous = als gelesen oder ungelesen markieren und zum vorigen gehen
key-mark-all = alle als gelesen markieren
key-star = Stern setzen oder speichern
key-archive = archivieren
key-full = ganze Seite
key-original-tab = Original, in einem neuen Tab
key-original = Original
key-attachment = Aufnahme abspielen oder Datei öffnen
key-feed = Einträge des Feeds
key-refresh = Feeds der Liste jetzt abrufen
key-follow = einer Website folgen
key-unfollow = dem Feed nicht mehr folgen
key-select = auswählen; mit Umschalttaste und Klick: einen Bereich
key-undo = rückgängig machen
key-search = suchen
key-today = Heute
key-unread = ungelesene Einträge
key-all = alle Einträge
key-read = gelesene Einträge
key-starred = Einträge mit Stern
key-feeds = Feeds
key-collections = Sammlungen
key-library = Bibliothek
key-monitors = Wächter
key-settings = Optionen
key-top = nach oben
key-close = schließen
key-help = diese Tasten
copy-markdown = Als Markdown kopieren
copy-markdown-done = Kopiert.
copy-markdown-failed = Kopieren fehlgeschlagen. Lade den Text stattdessen herunter.
script-copy = Kopieren
copy-done = Kopiert
copy-failed = Kopieren fehlgeschlagen
copy-failed-selected = Kopieren fehlgeschlagen. Der Text ist ausgewählt.
script-share = Teilen…
note-jump = Zur Fußnote
entries-new-count =
    { $count ->
        [one] 1 neuer Eintrag
       *[other] { $count } neue Einträge
    }
entries-new-most = { $count } oder mehr neue Einträge
minutes-left =
    { $count ->
        [one] noch 1 Minute
       *[other] noch { $count } Minuten
    }
