# List of subscriptions, and the form that follows a site.

feeds-subscriptions = Subskrypcje
feeds-status = Stan kanałów
feeds-all = Wszystkie
feeds-none = Nie śledzisz jeszcze żadnych kanałów.
feeds-none-in-status = Żaden kanał nie ma tego stanu.
feeds-count =
    { $count ->
        [one] { $amount } kanał
        [few] { $amount } kanały
       *[other] { $amount } kanałów
    }
feeds-more = Więcej kanałów
feeds-rules = Reguły
feeds-statistics = Statystyki
feeds-unread-count = nieprzeczytane: { $amount }
follow-words = Podaj adres dowolnej strony witryny. Nowe wpisy pojawią się wtedy w twoich kanałach.
follow-address = Adres witryny lub jej kanału
follow-collection = Kolekcja
follow-search = Znajdź kanały
follow-search-again = Szukaj ponownie
follow-several = Kilka kanałów naraz: <1>zaimportuj plik OPML</1>.
follow-services = Usługi, których strony są rozpoznawane
follow-found = Znalezione kanały
follow-none = Pod tym adresem nie ma kanału, a strona do żadnego nie odsyła. Możesz zamiast tego <1>obserwować stronę</1> i dostać wiadomość, gdy się zmieni.
follow-unchecked = podany na stronie, jeszcze niesprawdzony
follow-titled = Śledź „{ $title }”
follow-list = Śledź nowe pozycje tej strony
follow-list-words = Na stronie jest lista, liczba pozycji: { $count }. Monitor zgłasza nowe jako wpisy w twoich kanałach.
follow-list-watch = Obserwuj nowe pozycje
feed-request-words = Jeśli ustawisz identyfikator klienta lub nagłówki, kanał będzie pobierany osobno dla twojego konta.
feed-request-headers-hint = Po jednym w wierszu, na przykład X-Feed-Key: 1234. Są przechowywane zaszyfrowane i wysyłane tylko do witryny kanału.
feed-request-stored = Przechowywane: { $names }. Nowe je zastąpią.
feed-request-remove = Usuń przechowywane nagłówki
