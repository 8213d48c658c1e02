# List of subscriptions, and the form that follows a site.

feeds-subscriptions = Abonnementen
feeds-status = Status van de feeds
feeds-all = Alle
feeds-none = Je volgt nog geen feeds.
feeds-none-in-status = Geen feed heeft deze status.
feeds-count =
    { $count ->
        [one] { $amount } feed
       *[other] { $amount } feeds
    }
feeds-more = Meer feeds
feeds-rules = Regels
feeds-statistics = Statistieken
feeds-unread-count = { $amount } ongelezen
follow-words = Vul het adres van een van de pagina’s in. Nieuwe items verschijnen dan in je feeds.
follow-address = Adres van de site of de feed
follow-collection = Collectie
follow-search = Feeds zoeken
follow-search-again = Opnieuw zoeken
follow-several = Meerdere feeds tegelijk: <1>importeer een OPML-bestand</1>.
follow-services = Diensten waarvan pagina’s worden herkend
follow-found = Gevonden feeds
follow-none = Op dit adres is geen feed, en de pagina verwijst er niet naar. Je kunt in plaats daarvan <1>de pagina bewaken</1> en een melding krijgen als ze verandert.
follow-unchecked = gelinkt op de pagina, nog niet gecontroleerd
follow-titled = ‘{ $title }’ volgen
follow-list = De nieuwe elementen van deze pagina volgen
follow-list-words = De pagina heeft een lijst van { $count } elementen. Een monitor meldt nieuwe als items in je feeds.
follow-list-watch = Nieuwe elementen bewaken
feed-request-words = Met een eigen user agent of headers wordt de feed apart voor je account opgehaald.
feed-request-headers-hint = Eén per regel, zoals X-Feed-Key: 1234. Ze worden versleuteld bewaard en alleen naar de site van de feed gestuurd.
feed-request-stored = Opgeslagen: { $names }. Nieuwe vervangen ze.
feed-request-remove = Opgeslagen headers verwijderen
