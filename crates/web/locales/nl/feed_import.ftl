# Import and export of lists of feeds.

opml-title = Importeren en exporteren
opml-heading = Feeds importeren en exporteren
opml-words = Een OPML-bestand, dat elke feedlezer kan exporteren. Mappen worden collecties. Feeds die je al volgt, blijven ongewijzigd.
opml-download = Feeds als OPML downloaden
opml-running = <1>Er loopt een import</1>.
opml-last = Resultaat van de laatste import
feed-import-running = Je feeds worden geïmporteerd
feed-import-finished = Je feeds zijn geïmporteerd
feed-import-reloads = Deze pagina laadt opnieuw tot de import klaar is. Je kunt weggaan en terugkomen.
feed-import-checked = Gecontroleerde feeds
feed-import-empty = Het bestand bevat geen feeds.
feed-import-to-feeds = Naar je feeds
feed-import-stopped-words = Al geïmporteerde feeds blijven.
feed-import-unknown = Het bestand is geen lijst met feeds in OPML, of het is beschadigd. Exporteer het opnieuw uit je lezer. Bladwijzers en bewaarde pagina’s importeer je via Bibliotheek › Importeren.
feed-import-too-large = Het bestand lezen kost te veel tijd of geheugen. Er is niets geïmporteerd.
feed-import-again = Importeer het bestand opnieuw. Al geïmporteerde feeds worden niet dubbel toegevoegd.
feed-import-in-file = Feeds in het bestand
feed-import-known = Al gevolgd
feed-import-refused = Niet geïmporteerd
feed-import-collections = Gemaakte collecties
feed-import-no-collection = Zonder collectie, omdat je abonnement er niet meer toestaat
feed-import-problems = Wat niet zoals in het bestand is geïmporteerd, en waarom
feed-import-problem = Feed { $row }: { $reason }
feed-import-more = En nog { $amount }.
