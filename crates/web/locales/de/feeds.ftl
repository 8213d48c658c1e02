# List of subscriptions, and the form that follows a site.

feeds-subscriptions = Abonnements
feeds-status = Status der Feeds
feeds-all = Alle
feeds-none = Du folgst noch keinem Feed.
feeds-none-in-status = Kein Feed hat diesen Status.
feeds-count =
    { $count ->
        [one] { $amount } Feed
       *[other] { $amount } Feeds
    }
feeds-more = Weitere Feeds
feeds-rules = Regeln
feeds-statistics = Statistik
feeds-unread-count = { $amount } ungelesen
follow-words = Gib die Adresse einer beliebigen ihrer Seiten ein. Neue Einträge erscheinen dann in deinen Feeds.
follow-address = Adresse der Website oder ihres Feeds
follow-collection = Sammlung
follow-search = Feeds suchen
follow-search-again = Neu suchen
follow-several = Mehrere Feeds auf einmal: <1>OPML-Datei importieren</1>.
follow-services = Dienste, deren Seiten erkannt werden
follow-found = Gefundene Feeds
follow-none = Unter dieser Adresse ist kein Feed, und die Seite verweist auf keinen. Du kannst stattdessen <1>die Seite beobachten</1> und eine Nachricht erhalten, wenn sie sich ändert.
follow-unchecked = auf der Seite verlinkt, noch nicht geprüft
follow-titled = „{ $title }“ folgen
follow-list = Neuen Elementen dieser Seite folgen
follow-list-words = Die Seite enthält eine Liste mit { $count } Elementen. Ein Wächter meldet neue als Einträge in deinen Feeds.
follow-list-watch = Neue Elemente beobachten
feed-request-words = Mit eigenem User-Agent oder Headern wird der Feed getrennt für dein Konto geladen.
feed-request-headers-hint = Einer pro Zeile, etwa X-Feed-Key: 1234. Sie werden verschlüsselt gespeichert und nur an die Website des Feeds gesendet.
feed-request-stored = Gespeichert: { $names }. Neue ersetzen sie.
feed-request-remove = Gespeicherte Header entfernen
