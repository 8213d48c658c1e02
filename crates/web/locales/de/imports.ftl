# Import of files into the library.

import-words = Du kannst Lesezeichen, Exporte von Später-lesen-Diensten, Markierungen aus Readern, Literaturangaben, Listen von URLs und Exporte von Carrel selbst importieren.
import-checked-first = Die Datei wird zuerst geprüft. Du siehst, was importiert würde, und entscheidest dann.
import-file = Datei
import-format = Format
import-detect = Erkennen
import-include = Aus einem Export von Carrel auch Feeds, Wächter, Einstellungen, Regeln und Positionen importieren
import-check = Datei prüfen
import-fields = Was aus jedem Format importiert wird
import-servers = <1>Von einem Server importieren</1>: Karakeep, wallabag, linkding, Readeck, Miniflux, FreshRSS, Readwise, Raindrop oder Pinboard.
import-opml = Feeds <1>als OPML</1> importieren.
import-folders = Ordner
import-folders-path = Ein Schlagwort mit dem Pfad
import-folders-tags = Ein Schlagwort je Ordner
import-folders-none = Keine Schlagwörter
import-undone = Import rückgängig gemacht.
import-no-rows = Keine Zeile kann wiederholt werden.
import-no-file = Die Datei oder die Liste ihrer Zeilen ist nicht mehr gespeichert. Importiere die Datei erneut: Vorhandenes wird nicht doppelt hinzugefügt.
import-reloads = Diese Seite lädt neu, bis das fertig ist. Du kannst sie verlassen und wiederkommen.
import-rows-checked = Geprüfte Zeilen
import-removed = Alles, was der Import hinzugefügt hat, wurde entfernt, außer dem, was du seitdem geändert hast.
import-can-undo = Du kannst diesen Import rückgängig machen. Die Möglichkeit endet { $time }. Was du geändert hast, bleibt, ebenso Ergänzungen zu schon Vorhandenem.
import-heading-undoing = Import wird rückgängig gemacht
import-heading-checking = Datei wird geprüft
import-heading-running = Import läuft
import-heading-preview = Vorschau des Imports
import-heading-undone = Import rückgängig gemacht
import-heading-finished = Import abgeschlossen
import-heading-stopped = Import angehalten
import-heading-failed = Import fehlgeschlagen
import-you-stopped = Du hast den Import angehalten, bevor er vollständig war.
import-unknown-format = Die Datei enthält keine Daten in diesem Format. Wähle ein anderes Format oder die automatische Erkennung.
import-damaged = Die Datei ist beschädigt oder nicht von dem Typ, der angegeben ist.
import-too-large = Die Datei ist zu groß, hat zu viele Zeilen oder enthält eine Zeile, die zu viel Speicher braucht.
import-incomplete = Der Import konnte nicht abgeschlossen werden.
import-rows = Zeilen
import-would-be-new = Wären neu
import-new = Neu
import-existing = Schon vorhanden
import-skipped = Übersprungen
import-failed = Fehlgeschlagen
import-annotations = Notizen und Markierungen
import-part-feed-settings = Einstellungen von Feeds
import-part-rules = Regeln
import-part-templates = Vorlagen für Nachrichten
import-part-account-settings = Einstellungen des Kontos
import-part-positions = Positionen
import-parts-uncounted = Feeds, Wächter, Einstellungen, Regeln und Positionen werden auch importiert. Sie werden beim Import gezählt.
import-problems =
    { $count ->
        [one] { $count } Problem
       *[other] { $count } Probleme
    }
import-problems-first =
    { $count ->
        [one] Das erste Problem
       *[other] Die ersten { $count } Probleme
    }
import-row-reason = Zeile { $row }: { $reason }
import-stop = Anhalten
import-to-library = Zur Bibliothek
import-retry = Zeilen wiederholen
import-from-server = Von einem Server importieren
import-continue = Import fortsetzen
import-other-file = Andere Datei wählen
import-undo = Rückgängig machen
import-rows-gone = Die Zeilen werden nicht mehr aufgelistet, weil neuere Importe den Platz brauchen.
import-no-match = Keine Zeile passt.
import-more-rows = Weitere Zeilen
import-download-rows = Alle Zeilen als CSV herunterladen
import-with-problems = Mit Problemen
import-annotation = Notiz oder Markierung
import-untitled = Ohne Titel
import-row = Zeile { $row }
import-columns = Spalten
import-columns-words = Das schlägt Carrel für jede Spalte der Datei vor. Wenn du ein Feld änderst, prüfe die Datei vor dem Import erneut.
import-check-again = Erneut prüfen
