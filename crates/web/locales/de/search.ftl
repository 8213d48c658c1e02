# Search in the library and in feeds, and search by meaning.

search-help = Wörter, { $phrase }, { $without }, { $tag } und { $domain } finden gespeicherte Seiten, Notizen, Markierungen und Einträge. Gib eine Adresse ein, um die Seite zu öffnen.
search-whole-phrases = "ganze Wortgruppen"
search-without = -ohne
search-all-library = Alle Treffer der Bibliothek
search-similar = Keine genauen Treffer. Diese enthalten ähnliche Wörter.
search-all-feeds = Alle Treffer der Feeds
search-again = Erneut suchen
search-none = keine Treffer
search-more-than = mehr als { $amount }
search-note = Notiz
search-highlight = Markierung
meaning-requested = Die Suche läuft. Diese Seite zeigt die Ergebnisse, sobald sie da sind.
meaning-words = Beschreibe, woran du dich bei einem Text erinnerst. Er muss diese Wörter nicht enthalten.
meaning-form = Bibliothek nach Bedeutung durchsuchen
meaning-query = Beschreibung des Textes
meaning-off = Das Sprachmodell ist ausgeschaltet. <1>Einstellungen</1>
meaning-searching = Gesucht wird { $query }. Die erste Suche dauert länger, weil die Texte zum ersten Mal verglichen werden.
meaning-failed = Es gibt keine Ergebnisse: { $reason }.
meaning-results = Ergebnisse für { $query }
meaning-none = Nichts passt.
meaning-compared = Die Texte von { $number } gespeicherten Seiten wurden { $time } verglichen.
meaning-unindexed = Noch nicht verglichen: { $number }. Suche erneut, um fortzufahren.
meaning-request-failed = Eine Anfrage ist fehlgeschlagen: { $reason }.
