# Form of a new monitor, and its preview.

monitor-new = Nowy monitor
monitor-new-words = Carrel regularnie sprawdza stronę i zgłasza, gdy zmienia się część, która cię interesuje.
monitor-full = Twój plan nie pozwala na więcej monitorów.
monitor-full-used = W użyciu: { $used } z { $limit }.
monitor-full-words = Usuń niepotrzebny lub zmień jeden, aby obserwował coś innego.
monitor-full-list = Do twoich monitorów
monitor-full-plan = Plan i użycie
monitor-examples = Wypróbuj przykład
monitor-example-change = Każda zmiana strony
monitor-example-word = Pojawia się słowo
monitor-example-list = Nowości na liście
monitor-preview = Podgląd
monitor-preview-again = Nowy podgląd
monitor-preview-empty = Naciśnij Podgląd, aby zobaczyć, co ten monitor będzie obserwować. Nie zużywa kredytów.
monitor-start = Obserwuj
monitor-cancel = Anuluj
step-1 = 1. Co obserwować
step-2 = 2. Kiedy
step-3 = 3. Jak cię powiadomić
monitor-address = Adres strony
monitor-address-hint = Publiczna strona, mapa witryny lub dokument JSON do obserwowania.
monitor-type = Rodzaj
target-page = Strona
target-page-words = jej tekst lub część; 1 kredyt za sprawdzenie
target-sitemap = Mapa witryny
target-sitemap-words = dodane i usunięte adresy; 2 kredyty za sprawdzenie
target-product = Produkt
target-product-words = nazwa, cena i dostępność; 3 kredyty za sprawdzenie
target-calendar = Kalendarz
target-calendar-words = wydarzenia z pliku iCalendar; 2 kredyty za sprawdzenie
target-file = Plik
target-file-words = dowolnego formatu, po rozmiarze i skrócie; 1 kredyt za sprawdzenie
target-image = Obraz
target-image-words = po wyglądzie, na przykład z kamery; 2 kredyty za sprawdzenie
target-headers = Nagłówki
target-headers-words = status i nagłówki odpowiedzi; 1 kredyt za sprawdzenie
target-extract = Wartości
target-extract-words = na przykład ceny, według selektora; 3 kredyty za sprawdzenie
monitor-part = Tylko część strony
monitor-selector = Selektor
monitor-selector-hint = CSS, na przykład #price lub li:contains("Tickets"), XPath, na przykład //table[2]//tr, JSONPath, na przykład $.version, albo jq, na przykład jq:.items[] | select(.free) | .name. Na stronie JSONPath i jq czytają dane jej skryptów: $['ld+json'][0].offers.price lub $.__NEXT_DATA__.props. Gdy jest ich kilka, po jednym w wierszu, zgłaszane jest też pojawienie się i zniknięcie każdego. Dla wyglądu: jeden selektor CSS.
monitor-filters = Filtry
monitor-filters-hint = Jeden w wierszu, stosowane po kolei do wierszy strony: keep lub drop z wyrażeniem regularnym, na przykład drop ^Advert; replace, na przykład replace \d+ views => views; sort; unique. Podgląd pokazuje wiersze po każdym.
monitor-sitemap = Filtry mapy witryny
monitor-include = Uwzględnij adresy
monitor-include-hint = Jeden wzorzec w wierszu, na przykład /blog/*.
monitor-exclude = Pomiń adresy
monitor-exclude-hint = Jeden wzorzec w wierszu.
monitor-values = Wartości
monitor-values-hint = Jedna w wierszu, na przykład price = .price. Gwiazdka po nazwie oznacza klucz, który wyróżnia element. Jeśli wartość ma kilka liczb, wybierz jedną słowem first, last, least lub greatest w nawiasie, na przykład price (least) = .price. Dla nagłówków podaj te do odczytu, na przykład etag = ETag.
monitor-items = Powtarzany element
monitor-items-hint = Selektor CSS lub XPath powtarzanego elementu, na przykład .product. Puste: strona jest jednym elementem.
monitor-empty = Lista może być pusta, na przykład lista wolnych terminów.
monitor-empty-words = W przeciwnym razie pusta lista liczy się dopiero za drugim razem.
monitor-headers = Nagłówki
monitor-headers-hint = Jeden w wierszu, na przykład etag = ETag. Puste: wszystkie oprócz tych, które zawsze się różnią.
monitor-interval = Sprawdzaj
monitor-not-in-plan = (nie w twoim planie)
every-minutes =
    { $count ->
        [1] co minutę
        [one] co { $count } minutę
        [few] co { $count } minuty
       *[other] co { $count } minut
    }
every-hours =
    { $count ->
        [1] co godzinę
        [one] co { $count } godzinę
        [few] co { $count } godziny
       *[other] co { $count } godzin
    }
every-days =
    { $count ->
        [1] co dzień
        [one] co { $count } dzień
        [few] co { $count } dni
       *[other] co { $count } dni
    }
every-week = co tydzień
monitor-trigger = Zgłoś, gdy
trigger-any = coś się zmieni
trigger-text-appears = pojawi się tekst
trigger-text-disappears = zniknie tekst
trigger-above = liczba wzrośnie powyżej
trigger-below = liczba spadnie poniżej
trigger-share = zmieni się co najmniej tyle procent
trigger-added = coś przybędzie
trigger-removed = coś zniknie
trigger-condition = spełnią się warunki poniżej
monitor-value = Tekst lub liczba
monitor-value-hint = Niepotrzebne dla „coś się zmieni”.
monitor-one-value = Tylko jedna z wartości
monitor-value-name = Nazwa wartości
monitor-value-name-hint = Nazwa z pola Wartości; dla produktu name, price, currency lub availability; dla wydarzenia title, start, end, location, status lub repeats; dla pliku size lub sha256; dla nagłówków status lub nagłówek. Puste: dowolna wartość.
monitor-conditions = Warunki
monitor-conditions-hint = Jeden w wierszu; wszystkie muszą być spełnione. Wiersz ze słowem or zaczyna alternatywę. Przy wartościach zacznij od nazwy, na przykład price falls by 10%, price new low in 30 days, price between 5 and 9 lub not stock contains sold out. Bez wartości: contains tickets, matches v\d+, count above 3, length below 200 lub similarity below 80.
monitor-repeat = Zgłaszaj ponownie, dopóki trwa
monitor-repeat-after = Zgłoś ponownie po
monitor-repeat-hint = Godziny, na przykład 24. Puste: zgłoś raz, gdy warunek się spełni.
monitor-ignore = Pomijaj niektóre zmiany
monitor-ignore-label = Pomijaj zmiany zawierające
monitor-ignore-hint = Jeden tekst w wierszu. Bloki, które go zawierają, są pomijane.
schedule-days = Dni i godziny
schedule-only-on = Tylko w
day-monday = poniedziałek
day-tuesday = wtorek
day-wednesday = środa
day-thursday = czwartek
day-friday = piątek
day-saturday = sobota
day-sunday = niedziela
schedule-week = Które z tych dni w miesiącu
schedule-week-all = wszystkie
week-first = pierwszy
week-second = drugi
week-third = trzeci
week-fourth = czwarty
week-last = ostatni
schedule-times = O tych godzinach
schedule-times-hint = Oddzielone przecinkami, na przykład 08:30, 17:00. Zastępują odstęp.
schedule-from = Tylko od
schedule-from-hint = Na przykład 08:00. W tych godzinach monitor działa w swoim odstępie.
schedule-to = do
schedule-to-hint = Na przykład 18:00.
schedule-zone = Strefa czasowa
schedule-zone-hint = Na przykład Europe/Berlin. Puste: UTC.
schedule-jitter = Losowe opóźnienie w minutach
schedule-jitter-hint = Najwyżej 120. Puste: mniej niż minuta.
schedule-not-before = Nie przed
schedule-not-before-hint = Data, na przykład 2026-12-24, lub czas, na przykład 2026-12-24T08:00:00Z.
schedule-muted = Cisza i niepowodzenia
schedule-mute-from = Bez wiadomości od
schedule-mute-from-hint = Na przykład 22:00, w strefie z pola Dni i godziny. Sprawdzanie trwa; wiadomości czekają do końca.
schedule-mute-to-hint = Na przykład 07:00.
schedule-failures = Powiadom po tylu niepowodzeniach z rzędu
schedule-failures-hint = Puste: tylko gdy monitor się zatrzyma.
monitor-follow = Pokazuj zmiany także w moich kanałach
monitor-notify = Powiadamiaj przez
monitor-no-channels = Nie masz jeszcze kanałów powiadomień. <1>Dodaj jeden</1>, aby dostawać powiadomienia e-mailem, webhookiem lub na czacie.
monitor-group = Grupa
monitor-group-none = brak
monitor-override = Zastąp ustawienia grupy
monitor-override-hint = Ustawienia grupy zastępują te z formularza, oprócz zaznaczonych tutaj.
setting-interval = Odstęp
setting-channels = Powiadomienia
monitor-tags-hint = Opcjonalne. Etykiety oddzielone przecinkami, na przykład dom, ceny. Najwyżej { $count }.
monitor-name = Nazwa
monitor-name-hint = Podgląd proponuje tytuł strony; możesz go zmienić.
monitor-name-limit = Najwyżej { $count } znaków.
request = Żądanie i logowanie
request-agent = User agent
request-agent-hint = Puste: własny Carrela.
request-proxy = Proxy
request-proxy-removed = { $name } (już niedostępne)
request-headers-hint = Jeden w wierszu, na przykład Accept-Language: de. Sekrety wpisz niżej.
request-post = Wyślij żądanie z tą treścią
request-method = Metoda
request-body = Treść
request-body-hint = Każde sprawdzenie ją wysyła, więc jej skutek się powtarza.
request-media = Typ treści
request-media-hint = Puste: dane formularza.
request-cookies = Zachowuj ciasteczka witryny między sprawdzeniami
request-any-status = Status błędu, na przykład 404, jest treścią.
request-any-status-words = W przeciwnym razie takie sprawdzenie się nie udaje.
request-credentials = Dane logowania
credentials-keep = Zachowaj zapisane dane
credentials-none = Brak
credentials-basic = Nazwa użytkownika i hasło
credentials-bearer = Token Bearer
credentials-header = Inny nagłówek, na przykład klucz API lub ciasteczko
request-user = Nazwa użytkownika lub nagłówka
request-user-hint = Niepotrzebne dla tokenu Bearer.
request-secret = Hasło, token lub wartość
request-secret-hint = Wysyłane tylko do tej witryny i nigdy nie pokazywane.
preview-heading = Co będzie obserwowane
preview-of-page = Znaleziono teraz na „{ $title }”: { $amount }. Nie zużyto kredytów.
preview-of-address = Znaleziono teraz: { $amount }. Nie zużyto kredytów.
preview-lines =
    { $count ->
        [one] { $count } wiersz tekstu
        [few] { $count } wiersze tekstu
       *[other] { $count } wierszy tekstu
    }
preview-addresses =
    { $count ->
        [one] { $count } adres
        [few] { $count } adresy
       *[other] { $count } adresów
    }
preview-items =
    { $count ->
        [one] { $count } element
        [few] { $count } elementy
       *[other] { $count } elementów
    }
preview-nothing = nic
preview-number = Liczba do porównania: { $number }
preview-number-of = Liczba do porównania dla { $item }: { $number }
preview-met = Warunek jest już spełniony. Pierwsze sprawdzenie niczego nie zgłasza. Zgłoszenie przyjdzie, gdy warunek przestanie być spełniony i znów się spełni.
preview-met-repeat = Warunek jest już spełniony. Pierwsze sprawdzenie niczego nie zgłasza. Jeśli pozostanie spełniony, zgłoszenie przyjdzie po liczbie godzin z pola „{ $field }”.
preview-not-met = Warunek nie jest teraz spełniony.
preview-filter =
    { $count ->
        [one] Po filtrze { $number }: { $count } wiersz
        [few] Po filtrze { $number }: { $count } wiersze
       *[other] Po filtrze { $number }: { $count } wierszy
    }
preview-only-first = Pokazano tylko pierwsze { $count }.
preview-or-only = Lub obserwuj tylko
preset-address = Lepszy adres
preset-product = Ten produkt: każda zmiana
preset-product-price = Ten produkt: cena spada
preset-in-stock = Znów dostępny
preset-price-falls = Cena spada
preset-price-changes = Cena się zmienia
preset-stock = Dostępny lub wyprzedany
preset-list = Nowości na tej liście
preset-part = Ten tekst się zmienia
unwatched-margin = nieobserwowane: poza głównym tekstem; obejmie je selektor lub oczekiwany tekst
unwatched-clock = nieobserwowane: wygląda na zegar lub datę strony
unwatched-part = godziny i liczniki w nim nie są obserwowane
unwatched-ignored = pominięte przez twoją regułę
unwatched-learned = nieobserwowane: zmienia się przy każdym sprawdzeniu
target-visual = Wygląd
target-visual-words = strony w przeglądarce lub jednego elementu; 3 kredyty za sprawdzenie
rendering = Skrypty
rendering-open = Otwieraj stronę w przeglądarce, która uruchamia jej skrypty.
rendering-open-words = 3 kredyty za sprawdzenie. Dla stron, produktów i wartości, bez treści żądania i bez proxy.
rendering-wait = Czekaj na
rendering-wait-hint = Selektor CSS elementu, bez którego strona nie jest kompletna.
rendering-steps = Kroki
rendering-steps-hint = Jeden w wierszu, przed odczytaniem strony: click .more, type #search => boats, press Enter, select #sort => Cena, scroll_end, wait 2 (sekundy) lub wait_text Dostępny. Podręcznik wymienia wszystkie. Ze znakiem zapytania (click? .close) krok jest pomijany, gdy brakuje elementu. Dla hasła lub innego sekretu wpisz secret #password; poniżej pojawi się pole na niego. Inne teksty są zapisywane bez zmian.
rendering-cookie-notices = Zamykaj komunikaty o plikach cookie
rendering-cookie-notices-words = Są odrzucane albo ukrywane, nigdy akceptowane.
pick-button = Wybierz na obrazie strony
pick-hint = Przeglądarka otwiera stronę i pokazuje jej części. Liczy się to jako pięć świeżych pobrań, tak jak każdy podgląd w przeglądarce.
pick-no-browser = Aby wybrać część na obrazie strony, ta usługa potrzebuje przeglądarki, której nie ma. Podgląd też proponuje części.
pick-heading = Wybierz część strony
pick-words = Wybierz na obrazie lub na liście część do obserwowania. Strona będzie potem otwierana w przeglądarce przy każdym sprawdzeniu: 3 kredyty za sprawdzenie.
pick-cut = Nie wszystkie części są dostępne: strona jest zbyt długa, ma zbyt wiele części albo nie wczytała się do końca.
pick-empty = Żadna część strony nie ma tekstu, który można obserwować.
pick-another = Wybierz inną część
pick-alt = Obraz strony
pick-parts = Części strony
pick-chosen = Wybrane części
pick-more = Naciśnij inną część, aby ją dodać, lub wybraną, aby ją usunąć.
pick-steps-button = Wybierz kroki na obrazie
pick-purpose = Co wybierasz?
pick-purpose-part = Część do obserwowania
pick-purpose-step = Kroki przed odczytaniem strony
pick-steps-heading = Wybierz kroki na stronie
pick-step-words = Naciśnij element na obrazie lub na liście, a potem wybierz, co z nim zrobić. Po każdym kroku nowy obraz pokazuje stronę; każdy liczy się jako pięć świeżych pobrań.
pick-steps = Dotychczasowe kroki
pick-step-remove = Usuń krok { $number }
pick-step-on = Krok na „{ $name }”
pick-step-click = Kliknij
pick-step-type = Wypełnij
pick-step-wait = Czekaj, aż się pojawi
pick-step-scroll = Przewiń do niego
pick-step-select = Wybierz opcję
pick-step-check = Zaznacz
pick-step-uncheck = Odznacz
pick-step-press = Naciśnij w nim klawisz
pick-step-hover = Najedź na niego wskaźnikiem
pick-step-wait-text = Czekaj w nim na tekst
pick-step-wait-gone = Czekaj, aż zniknie
pick-step-scroll-end = Przewiń do końca jego listy
pick-step-remove-element = Usuń ze strony
pick-step-key = Klawisz
pick-step-optional = Pomiń ten krok, gdy brakuje elementu
pick-step-text = Tekst kroku
pick-step-text-hint = Dla „Wypełnij”, „Wybierz opcję” i „Czekaj na tekst”. Najwyżej { $count } znaków.
pick-step-add = Dodaj krok i pokaż stronę
pick-kind-button = (przycisk)
pick-kind-field = (pole)
pick-step-secret = Wypełnij sekretem
step-secret = Sekret dla { $selector }
step-secret-new = Sekret do wpisania
step-secret-hint = Przechowywany w postaci zaszyfrowanej, wpisywany tylko w tej witrynie i nigdy nie wyświetlany.
step-secret-set = Jest ustawiony. Zostaw puste, aby go zachować.
monitor-explanation = Model językowy
monitor-explanation-words = Jeśli włączono <1>model językowy</1>, dostaje on różnice każdej zmiany i mówi w jednym zdaniu, co się zmieniło. Wiadomości czekają na to najwyżej 10 minut.
monitor-explanation-explain = Objaśniaj każdą zmianę
monitor-explanation-wish = Zmiany, które są dla ciebie ważne
monitor-explanation-wish-hint = Na przykład: tylko spadki ceny. Najwyżej { $count } znaków. Puste, jeśli ważne są wszystkie.
monitor-explanation-only = Nie wysyłaj wiadomości o nieistotnych zmianach. Zostają w historii i w kanale.
