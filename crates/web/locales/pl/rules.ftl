# Rules for new entries.

rules-made = Utworzono regułę. Sprawdza każdy nowy wpis.
rules-applied = Utworzono regułę i zastosowano ją do nieprzeczytanych wpisów.
rules-deleted = Usunięto regułę. Wyciszone przez nią wpisy wróciły na listy. Odrzuconych wpisów nie można przywrócić.
rules-of = Reguły kanału { $feed }
rules-for-all = Reguły dla wszystkich kanałów
rules-words = Reguła sprawdza każdy nowy wpis. Może go odrzucić, wyciszyć, oznaczyć jako przeczytany, chronić przed innymi regułami, oznaczyć gwiazdką, zapisać w bibliotece lub wysłać przez powiadomienia.
rules-also-for-all = Są też <1>reguły dla wszystkich kanałów</1>.
rules-single-feed = Reguły pojedynczego kanału są na stronie tego kanału.
rules-active = Aktywne reguły
rules-new = Nowa reguła
rules-muted-count = wyciszono: { $number }
rules-dropped-count = odrzucono: { $number }
rules-starred-count = z gwiazdką: { $number }
rules-saved-count = zapisano: { $number }
rules-unsaved-count = nie zapisano: { $number }, ostatnio { $time }: { $reason }
rules-unsaved-daily-limit = dzienny limit wpisów zapisywanych przez reguły: { $most }
rules-unsaved-storage-limit = brak wolnego miejsca
rules-unsaved-deleted = ten element został przez ciebie usunięty
rules-unsaved-unavailable = nie można zapisać wpisu
rules-unsaved-failed = zapis kilkakrotnie się nie powiódł
rules-since = utworzona { $time }
rules-off = Wyłączona
rules-off-words = { $off } { $time }: działała zbyt długo
rules-matches = Wpisy pasujące do tej reguły
rules-nothing-to-test = Nie ma jeszcze wpisów do wypróbowania.
rules-match-count = Liczba najnowszych wpisów: { $examined }; pasuje: { $matched }.
rules-nothing-changed = Nic się nie zmieniło.
rules-would-drop = Zostałyby odrzucone: policzone i nigdy na twoich listach, nawet po usunięciu reguły. Nic się jeszcze nie zmieniło.
rules-would-mute = Zostałyby wyciszone: ukryte na listach, w licznikach i aplikacjach. Nic się jeszcze nie zmieniło.
rules-would-read = Zostałyby oznaczone jako przeczytane. Nic się jeszcze nie zmieniło.
rules-would-keep = Zostałyby zachowane, nawet jeśli pasuje inna reguła. Nic się jeszcze nie zmieniło.
rules-would-star = Zostałyby oznaczone gwiazdką i zapisane w bibliotece. Dzienny limit wpisów dla wszystkich reguł: { $most }. Nic się jeszcze nie zmieniło.
rules-would-save = Zostałyby zapisane w bibliotece. Dzienny limit wpisów dla wszystkich reguł: { $most }. Nic się jeszcze nie zmieniło.
rules-would-notify = Nowe wpisy tego rodzaju byłyby wysyłane przez kanały powiadomień. Wpisy, które już są, nie zostaną wysłane. Nic się jeszcze nie zmieniło.
rules-more = I jeszcze { $number }.
rules-delete-question = Usunąć tę regułę?
rules-too-slow = Ta reguła została wyłączona, bo na nowych wpisach działała zbyt długo. Usuń ją i utwórz prostszą.
rules-has-dropped =
    { $count ->
        [one] Odrzuciła { $count } wpis. Odrzuconych wpisów nie można przywrócić.
        [few] Odrzuciła { $count } wpisy. Odrzuconych wpisów nie można przywrócić.
       *[other] Odrzuciła { $count } wpisów. Odrzuconych wpisów nie można przywrócić.
    }
rules-has-muted-none = Nie wyciszyła jeszcze żadnego wpisu.
rules-has-muted =
    { $count ->
        [one] Wyciszyła { $count } wpis. Po usunięciu reguły wróci na listy.
        [few] Wyciszyła { $count } wpisy. Po usunięciu reguły wrócą na listy.
       *[other] Wyciszyła { $count } wpisów. Po usunięciu reguły wrócą na listy.
    }
rules-stay-changed = Zmienione przez nią wpisy pozostaną bez zmian.
rules-delete = Usuń regułę
rules-pattern = Słowa, wyrażenie lub data
rules-pattern-hint = Wielkość liter nie ma znaczenia. Wyrażenie to wyrażenie regularne, na przykład \bpromocja\b lub ^(Reklama|Sponsorowane):. Dla plików podaj typ multimediów lub adres, na przykład audio. Dla dat podaj 7d (ostatnie 7 dni), >7d (starsze), before:2026-01-31, after:2026, between:2026-01,2026-03 lub future.
rules-tags-hint = Tylko dla działania Zapisz. Opcjonalnie, rozdzielone przecinkami. Jeśli wpis zapisuje kilka reguł, działają najstarsze (najwyżej { $rules }). Limit etykiet jednego wpisu: { $tags }.
rules-channels = Kanały powiadomień
rules-channels-hint = Tylko dla działania „Wyślij przez powiadomienia”. Wpisy, które reguła odrzuca, wycisza lub oznacza jako przeczytane, nie są wysyłane.
rules-channels-none = brak: zostały usunięte
rules-action = Działanie
rules-part = Szukaj w
rules-kind = Dopasuj
rules-unread-too = Zastosuj też do nieprzeczytanych wpisów (500 najnowszych)
rules-preview = Podgląd
rules-create = Utwórz regułę
rules-drop = Odrzuć
rules-mute = Wycisz
rules-keep = Zachowaj
rules-save = Zapisz
rules-notify = Wyślij przez powiadomienia
rules-drop-note = nie są dla ciebie zapisywane, tylko liczone
rules-mute-note = ukryte na wszystkich listach, dopóki nie usuniesz reguły
rules-read-note = tylko na liście wszystkich wpisów
rules-keep-note = żadna inna reguła ich nie wyciszy ani nie oznaczy
rules-star-note = oznaczone gwiazdką i zapisane w bibliotece
rules-save-note = zapisane w bibliotece, z etykietami podanymi niżej
rules-notify-note = wysyłane przez kanały powiadomień wybrane niżej, nawet jeśli ten kanał ich nie ma
rules-part-any = tytuł, autor lub tekst
rules-part-title = tytuł
rules-part-author = autor
rules-part-text = tekst z kanału
rules-part-url = adres
rules-part-published = data publikacji
rules-part-media = załączone pliki
rules-part-category = kategorie
rules-kind-words = Dokładnie te słowa
rules-kind-expression = Wyrażenie regularne
rules-summary-words = { $action }: „{ $pattern }” — { $part }
rules-summary-expression = { $action }: { $pattern } — { $part }
