# Form that saves a page.

save-heading = Seite speichern
save-words = Ihr Text wird geladen und in deiner Bibliothek gespeichert. Dort kannst du ihn später lesen, markieren und wiederfinden.
save-no-address = Das Geteilte enthält keine Adresse. Gib die Adresse der Seite ein.
save-title = Titel
save-title-hint = Optional. Sonst wird der Titel der Seite verwendet.
save-tags-hint = Optional, durch Kommas getrennt.
save-library = Zur Bibliothek
save-to = Speichern unter
save-render = Zuerst in einem Browser öffnen
save-render-auto = Wenn die Seite Skripte braucht
save-render-always = Immer
save-render-without-cookie-notices = Immer, ohne Cookie-Hinweise
save-render-never = Nie
save-render-hint = Für Seiten, deren Text erst durch Skripte erscheint. Das kostet fünf frische Extraktionen statt einer.

# Form that uploads files.

upload-heading = Dateien hochladen
upload-files = Dateien
upload-hint = PDF, E-Books, Office-Dokumente, Text, Webseiten, E-Mails und Bilder. Mit Skripten kannst du Dateien auch auf diese Seite ziehen.
upload-send = Hochladen
upload-saved = Gespeichert
upload-sending = Wird hochgeladen:
upload-none = Wähle mindestens eine Datei.
upload-refused-size = Nicht gespeichert: Sie ist größer als { $size }, das Maximum deines Tarifs.
upload-refused-storage = Nicht gespeichert: Dein Speicher ist voll. <1>Belegung ansehen</1>.
upload-refused-type = Nicht gespeichert: Der Inhalt hat nicht den Typ, den der Name nennt.
upload-refused = Nicht gespeichert: { $reason }
upload-failed = Nicht gespeichert. Prüfe die Verbindung, lade die Seite neu und versuche es noch einmal.
