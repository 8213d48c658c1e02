# Export of the library.

export-everything = Alles
export-everything-words = Texte, Dateien, Schlagwörter, Notizen und Markierungen, dazu deine Feeds, Sterne, Regeln, Wächter und ihre Änderungen. Kann wieder importiert werden.
export-bookmarks = Lesezeichen
export-bookmarks-words = Adressen, Titel und Schlagwörter, für jeden Browser.
export-table = Eine Tabelle
export-table-words = Eine Zeile je gespeicherter Seite, für eine Tabellenkalkulation.
export-cards = Karten
export-cards-words = Lücken und Fragen deiner Markierungen, als Text für Anki.
export-create = Export erstellen
export-feeds = Deine Feeds <1>als OPML</1> exportieren.
export-creating = Export wird erstellt
export-reloads = Diese Seite lädt neu, bis der Export fertig ist. Du kannst sie verlassen und wiederkommen.
export-written = Geschriebene Elemente
export-progress = { $done } von { $total }
export-failed = Export fehlgeschlagen
export-failed-words = Der Export konnte nicht erstellt werden. <1>Erneut versuchen</1>.
export-yours = Dein Export
export-expires = Die Dateien werden { $time } gelöscht.
export-delete = Export löschen
export-part = Teil { $number } herunterladen
export-kilobytes = { $amount } KB
