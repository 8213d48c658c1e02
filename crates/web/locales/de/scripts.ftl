# Texts of scripts: the list of keys, the notice of new entries, buttons of reading pages, listening, offline reading,
# passkeys, and pictures of quotes.

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
key-next-paragraph = nächster Absatz
key-previous-paragraph = voriger Absatz
key-highlight = ausgewählte Wörter oder den Absatz markieren
key-highlight-note = mit einer Notiz markieren
key-passage = Sprachmodell auf die ausgewählten Wörter oder den Absatz anwenden
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
listen-pause = Pause
listen-continue = Weiter
listen-previous = Voriger Absatz
listen-next = Nächster Absatz
listen-next-text = Nächster Text
listen-all = Alle anhören
listen-voice = Stimme
listen-voice-any = Automatisch
listen-failed = Dieser Browser konnte den Text nicht vorlesen.
stored-not-possible = Dieser Browser kann keine Texte speichern. Er braucht eine sichere Verbindung (https) zu diesem Server.
stored-not-allowed = Dieser Browser erlaubt es nicht, Texte zu speichern.
stored-count = In diesem Browser gespeicherte Texte: { $stored } von { $count } ({ $size }).
queued-text = Text
queued-waiting = Wartet auf eine Verbindung.
queued-remove = Entfernen
queued-removed = Entfernt.
queued-stored = Gespeichert. Wird gesendet, sobald eine Verbindung besteht.
queued-highlight-stored = Die Markierung ist gespeichert. Sie wird gesendet, sobald eine Verbindung besteht.
queued-not-stored = Das konnte nicht gespeichert werden. Stelle eine Verbindung her, damit gesendet wird, was wartet.
queued-failed = Nicht ausgeführt: { $reason }
queued-show = Anzeigen
queued-reload = Neu laden
queued-sent-count =
    { $count ->
        [one] 1 Änderung wurde nachträglich gesendet.
       *[other] { $count } Änderungen wurden nachträglich gesendet.
    }
queued-failed-count =
    { $count ->
        [one] 1 Änderung ohne Verbindung konnte nicht ausgeführt werden.
       *[other] { $count } Änderungen ohne Verbindung konnten nicht ausgeführt werden.
    }
passkey-unsupported = Dieser Browser unterstützt keine Passkeys.
passkey-exists = Dieses Gerät hat schon einen Passkey deines Kontos.
passkey-not-given = Der Browser hat keinen Passkey geliefert. Versuche es noch einmal.
picture-of-quote = Als Bild
picture-description = Das Zitat mit seiner Quelle
picture-failed = Das Bild konnte nicht erstellt werden.
picture-download = Bild herunterladen
picture-share = Bild teilen…
picture-share-failed = Teilen fehlgeschlagen. Lade das Bild stattdessen herunter.
picture-shortened = Das Zitat ist zu lang für ein Bild. Das Bild enthält nur seinen Anfang.
