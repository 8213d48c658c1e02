# Import and export of lists of feeds.

opml-title = Import und Export
opml-heading = Feeds importieren und exportieren
opml-words = Eine OPML-Datei, die jeder Feedreader exportieren kann. Ordner werden zu Sammlungen. Feeds, denen du schon folgst, bleiben unverändert.
opml-download = Feeds als OPML herunterladen
opml-running = <1>Ein Import läuft</1>.
opml-last = Ergebnis des letzten Imports
feed-import-running = Deine Feeds werden importiert
feed-import-finished = Deine Feeds sind importiert
feed-import-reloads = Diese Seite lädt neu, bis der Import endet. Du kannst sie verlassen und wiederkommen.
feed-import-checked = Geprüfte Feeds
feed-import-empty = Die Datei enthält keine Feeds.
feed-import-to-feeds = Zu deinen Feeds
feed-import-stopped-words = Schon importierte Feeds bleiben.
feed-import-unknown = Die Datei ist keine Feedliste in OPML oder ist beschädigt. Exportiere sie erneut aus deinem Reader. Lesezeichen und gespeicherte Seiten importierst du unter Bibliothek › Import.
feed-import-too-large = Das Lesen der Datei braucht zu viel Zeit oder Speicher. Es wurde nichts importiert.
feed-import-again = Importiere die Datei erneut. Schon importierte Feeds werden nicht doppelt hinzugefügt.
feed-import-in-file = Feeds in der Datei
feed-import-known = Schon gefolgt
feed-import-refused = Nicht importiert
feed-import-collections = Erstellte Sammlungen
feed-import-no-collection = Ohne Sammlung, weil dein Tarif keine weiteren erlaubt
feed-import-problems = Was nicht wie in der Datei importiert wurde, und warum
feed-import-problem = Feed { $row }: { $reason }
feed-import-more = Und { $amount } weitere.
