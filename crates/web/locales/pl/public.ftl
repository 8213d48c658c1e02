# Pages that anyone with their link may read: groups, tags, and changes of monitors.

public-not-found = Nie znaleziono strony
public-not-found-words = Link jest błędny. Sprawdź, czy jest pełny.
public-gone = Ta strona nie jest już publiczna
public-gone-words = Właściciel ją usunął lub nadał jej nowy link.
public-gone-title = Już niepubliczna
public-unavailable = Chwilowo niedostępne
public-unavailable-words = Spróbuj ponownie za kilka sekund.
public-group-follow = Śledź zmiany w czytniku kanałów: <1>RSS</1>, <2>Atom</2>, <3>JSON Feed</3>.
public-no-monitors = Jeszcze żadnych monitorów.
public-tag-not-found = Link jest błędny lub właściciel przestał udostępniać tę stronę.
public-tag-follow = Śledź tę listę w czytniku kanałów: <1>RSS</1>, <2>Atom</2>, <3>JSON Feed</3>.
public-no-items = Jeszcze nic.
public-newest = Pokazano najnowsze elementy: { $number }.
change-not-found = Nie znaleziono zmiany
change-not-found-words = Link jest błędny lub zmiana została usunięta.
change-gone = Ten link jest już nieważny
change-gone-words = Jego kanał ma nowy link lub nie jest już publiczny.
change-gone-title = Link już nieważny
change-of = Zmiana: { $monitor }
change-detected = Wykryto
change-address = Adres
change-differences = Różnice
change-views = Widoki
change-sides = Obok siebie
change-inline = W tekście
change-before = Przed
change-after = Po
change-rest =
    { $count ->
        [one] Nie pokazano jeszcze { $count } różnicy.
        [few] Nie pokazano jeszcze { $count } różnic.
       *[other] Nie pokazano jeszcze { $count } różnic.
    }
change-legend = Usunięty tekst jest przekreślony, dodany podkreślony.
change-unknown-size = nieznany rozmiar
change-no-screenshot = Ten zrzut nie jest przechowywany: jest za duży lub za stary albo skończyło się miejsce na zrzuty.
change-earlier = Wcześniejsza zmiana
change-later = Późniejsza zmiana
change-count-added = dodano: { $count }
change-count-removed = usunięto: { $count }
change-count-changed = zmieniono: { $count }
change-count-moved = przeniesiono: { $count }
change-unchanged =
    { $count ->
        [one] { $count } niezmieniony wiersz
        [few] { $count } niezmienione wiersze
       *[other] { $count } niezmienionych wierszy
    }
change-whole = Źródło zmieniło się za bardzo, by porównać je wiersz po wierszu.
change-before-value = Przed:
change-after-value = Po:
change-link = Link: { $link }
change-fell = spadek o { $amount }
change-rose = wzrost o { $amount }
change-new = Nowe
change-removed = Usunięte
change-changed = Zmienione
change-moved = Przeniesione
change-removed-part = usunięto:
change-added-part = dodano:
change-explanation-pending = Model językowy objaśnia zmianę.
change-explanation-none = Model językowy nie objaśnił zmiany: { $reason }.
change-explanation-by = Napisane przez model językowy { $name }. Może być błędne.
change-explanation-irrelevant = Według modelu zmiana nie ma znaczenia dla życzenia.
change-explanation-withheld = Według modelu zmiana nie ma znaczenia dla życzenia, więc nie wysłano wiadomości.
