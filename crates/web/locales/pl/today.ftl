# Today page and first steps.

today-unread =
    { $count ->
        [one] { $amount } nieprzeczytany wpis
        [few] { $amount } nieprzeczytane wpisy
       *[other] { $amount } nieprzeczytanych wpisów
    }
today-unread-partial =
    { $count ->
        [one] co najmniej { $amount } nieprzeczytany wpis
        [few] co najmniej { $amount } nieprzeczytane wpisy
       *[other] co najmniej { $amount } nieprzeczytanych wpisów
    }
today-unread-heading = Nieprzeczytane
today-all-unread = Wszystkie nieprzeczytane
today-order = Najpierw kanały, które najczęściej czytasz i oznaczasz gwiazdką.
today-search-or-open = Szukaj lub otwórz
today-search-label = Przeszukaj wszystko lub otwórz stronę
today-search-hint = Przeszukuje kanały i bibliotekę. Wpisz adres, aby otworzyć stronę.
today-search-example = port lub https://…
today-go = Idź
today-changes = Zmiany
today-all-changes = Wszystkie zmiany
today-started = Czytaj dalej
today-saved = Ostatnio zapisane
today-waiting = Zapisane dawno temu
today-this-day = Tego dnia
today-attention = Wymaga uwagi
today-all-failing = Wszystkie kanały, które nie odpowiadają
begin = Pierwsze kroki
begin-progress = Ukończono { $completed } z { $count }
begin-done = Gotowe
begin-follow = Śledź witrynę
begin-follow-words = aby widzieć jej nowe wpisy tutaj i w Kanałach.
begin-save = Zapisz stronę
begin-save-words = aby przeczytać ją później, z wyróżnieniami i notatkami.
begin-watch = Obserwuj cenę
begin-watch-words = lub inną część strony, aby widzieć zmiany tutaj.
begin-continue = Dalej
begin-close = Nie pokazuj więcej
nothing-new = Nic nowego
nothing-feeds = <1>Znajdź więcej witryn</1> lub <2>przenieś kanały</2> z innego czytnika.
nothing-library = <1>Przejrzyj bibliotekę</1> lub <2>przenieś zapisane strony</2>.
nothing-monitors = <1>Obserwuj stronę</1>, aby widzieć jej zmiany tutaj.
