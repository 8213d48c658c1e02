# Reading settings.

look-saved = Zapisano ustawienia w tej przeglądarce.
look-saved-account = Zapisano ustawienia dla wszystkich twoich przeglądarek.
look-offline-off = Czytanie offline jest wyłączone. Teksty w tej przeglądarce zostały usunięte.
look-words = Wygląd i działanie stron i tekstów we wszystkich przeglądarkach, w których się logujesz. Zmianę widać od razu; zapisz ją, aby obowiązywała na każdej stronie.
look-only-here = Tylko w tej przeglądarce
look-only-here-words = Inne twoje przeglądarki pozostają bez zmian.
look-save = Zapisz ustawienia
look-sample = Port budzi się przed miastem. Łodzie, które wypłynęły o czwartej, wracają jedna po drugiej, a mewy znają każdą z nich.
look-ways = Zapisuj i szukaj z każdego miejsca
look-bookmark = Przeciągnij ten link do zakładek. Zapisuje stronę, którą właśnie oglądasz: { $link }
look-bookmark-link = Zapisz w Carrel
look-install = Zainstaluj Carrel jako aplikację z menu przeglądarki. Na telefonie inne aplikacje mogą wtedy udostępniać mu strony.
look-keys = Kanały i biblioteka mają klawisze takie jak w innych czytnikach. Naciśnij tam { $key }, aby je zobaczyć.
look-search-engine = Możesz też szukać z przeglądarki: dodaj Carrel jako wyszukiwarkę, z adresem { $address }.
appearance-words = Wygląd tekstów w tej przeglądarce. Zmiana jest widoczna od razu; zapisz ją, aby obowiązywała na każdej stronie.
appearance-offline = Z kontem przeglądarka może też <1>przechowywać teksty do czytania offline</1>.
appearance-refused = Ustawień nie zapisano, ponieważ wysłała je inna witryna. Wybierz je ponownie.
appearance-unread = Nie udało się odczytać ustawień. Wybierz je ponownie.
appearance-face-wrong = Ustawień nie zapisano. Wpisz nazwę kroju: od 1 do 60 liter A–Z, cyfr, spacji i łączników.
