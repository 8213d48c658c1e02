# Texts of scripts: the list of keys, the notice of new entries, buttons of reading pages, listening, offline reading,
# passkeys, and pictures of quotes.

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
key-next-paragraph = następny akapit
key-previous-paragraph = poprzedni akapit
key-highlight = wyróżnij zaznaczone słowa lub akapit
key-highlight-note = wyróżnij z notatką
key-passage = użyj modelu językowego do zaznaczonych słów lub akapitu
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
listen-pause = Wstrzymaj
listen-continue = Kontynuuj
listen-previous = Poprzedni akapit
listen-next = Następny akapit
listen-next-text = Następny tekst
listen-all = Słuchaj wszystkich
listen-voice = Głos
listen-voice-any = Automatyczny
listen-failed = Ta przeglądarka nie mogła odczytać tekstu na głos.
stored-not-possible = Ta przeglądarka nie może zapisywać tekstów. Potrzebne jest bezpieczne połączenie (https) z tym serwerem.
stored-not-allowed = Ta przeglądarka nie pozwala zapisywać tekstów.
stored-count = Teksty zapisane w tej przeglądarce: { $stored } z { $count } ({ $size }).
queued-text = Tekst
queued-waiting = Czeka na połączenie.
queued-remove = Usuń
queued-removed = Usunięto.
queued-stored = Zapisano. Zostanie wysłane, gdy będzie połączenie.
queued-highlight-stored = Wyróżnienie jest zapisane. Zostanie wysłane, gdy będzie połączenie.
queued-not-stored = Nie udało się zapisać. Połącz się, aby wysłać to, co czeka.
queued-failed = Nie wykonano: { $reason }
queued-show = Pokaż
queued-reload = Wczytaj ponownie
queued-sent-count =
    { $count ->
        [one] Wysłano { $count } zmianę wykonaną offline.
        [few] Wysłano { $count } zmiany wykonane offline.
       *[many] Wysłano { $count } zmian wykonanych offline.
    }
queued-failed-count =
    { $count ->
        [one] Nie udało się wprowadzić { $count } zmiany wykonanej offline.
        [few] Nie udało się wprowadzić { $count } zmian wykonanych offline.
       *[many] Nie udało się wprowadzić { $count } zmian wykonanych offline.
    }
passkey-unsupported = Ta przeglądarka nie obsługuje kluczy dostępu.
passkey-exists = To urządzenie ma już klucz dostępu do Twojego konta.
passkey-not-given = Przeglądarka nie podała klucza dostępu. Spróbuj ponownie.
picture-of-quote = Jako obraz
picture-description = Cytat ze źródłem
picture-failed = Nie udało się utworzyć obrazu.
picture-download = Pobierz obraz
picture-share = Udostępnij obraz…
picture-share-failed = Nie udało się udostępnić. Pobierz obraz.
picture-shortened = Cytat jest za długi na obraz, więc obraz zawiera tylko jego początek.
