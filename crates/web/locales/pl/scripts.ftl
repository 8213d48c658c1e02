# Texts of scripts: the list of keys, the notice of new entries, and buttons of reading pages.

keys-title = Klawisze
script-close = Zamknij
key-next = następny wpis lub tekst
key-previous = poprzedni wpis lub tekst
key-open = otwórz
key-next-page = następna strona listy
key-back = wstecz
key-mark = oznacz jako przeczytane lub nieprzeczytane
key-mark-previous = oznacz jako przeczytane lub nieprzeczytane i przejdź do poprzedniego
key-mark-all = oznacz wszystko jako przeczytane
key-star = dodaj gwiazdkę lub zapisz
key-archive = archiwizuj
key-full = pełna strona
key-original-tab = oryginał, w nowej karcie
key-original = oryginał
key-attachment = odtwórz nagranie lub otwórz plik
key-feed = wpisy kanału
key-refresh = pobierz teraz kanały z listy
key-follow = śledź witrynę
key-unfollow = przestań śledzić kanał
key-select = zaznacz; z klawiszem Shift i kliknięciem: zakres
key-undo = cofnij
key-search = szukaj
key-today = Dziś
key-unread = nieprzeczytane wpisy
key-all = wszystkie wpisy
key-read = przeczytane wpisy
key-starred = wpisy z gwiazdką
key-feeds = kanały
key-collections = kolekcje
key-library = biblioteka
key-monitors = monitory
key-settings = opcje
key-top = początek strony
key-close = zamknij
key-help = te klawisze
copy-markdown = Kopiuj jako Markdown
copy-markdown-done = Skopiowano.
copy-markdown-failed = Nie udało się skopiować. Pobierz tekst.
script-copy = Kopiuj
copy-done = Skopiowano
copy-failed = Nie udało się skopiować
copy-failed-selected = Nie udało się skopiować. Tekst jest zaznaczony.
script-share = Udostępnij…
note-jump = Przejdź do przypisu
entries-new-count =
    { $count ->
        [one] { $count } nowy wpis
        [few] { $count } nowe wpisy
       *[many] { $count } nowych wpisów
    }
entries-new-most = { $count } lub więcej nowych wpisów
minutes-left =
    { $count ->
        [one] została { $count } minuta
        [few] zostały { $count } minuty
       *[many] zostało { $count } minut
    }
