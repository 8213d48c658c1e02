# Import of files into the library.

import-words = Możesz importować zakładki, eksporty usług do czytania na później, wyróżnienia z czytników, bibliografie, listy adresów URL i eksporty samego Carrela.
import-checked-first = Plik jest najpierw sprawdzany. Widzisz, co zostałoby zaimportowane, i wtedy decydujesz.
import-file = Plik
import-format = Format
import-detect = Wykryj
import-include = Z eksportu Carrela zaimportuj też kanały, monitory, ustawienia, reguły i pozycje
import-check = Sprawdź plik
import-fields = Co jest importowane z każdego formatu
import-servers = <1>Importuj z serwera</1> Karakeep, wallabag, linkding, Readeck, Miniflux, FreshRSS, Readwise, Raindrop lub Pinboard.
import-opml = Importuj kanały <1>jako OPML</1>.
import-folders = Foldery
import-folders-path = Jedna etykieta ze ścieżką
import-folders-tags = Etykieta dla każdego folderu
import-folders-none = Bez etykiet
import-undone = Import cofnięto.
import-no-rows = Żadnego wiersza nie można ponowić.
import-no-file = Plik lub lista jego wierszy nie jest już przechowywana. Zaimportuj plik ponownie: to, co istnieje, nie zostanie dodane dwa razy.
import-reloads = Ta strona odświeża się, aż zadanie się skończy. Możesz ją opuścić i wrócić.
import-rows-checked = Sprawdzone wiersze
import-removed = Usunięto wszystko, co dodał import, oprócz elementów zmienionych przez ciebie od tego czasu.
import-can-undo = Możesz cofnąć ten import. Możliwość wygasa { $time }. Zmienione przez ciebie elementy zostają, podobnie jak dodatki do już posiadanych.
import-heading-undoing = Cofanie importu
import-heading-checking = Sprawdzanie pliku
import-heading-running = Importowanie
import-heading-preview = Podgląd importu
import-heading-undone = Import cofnięty
import-heading-finished = Import zakończony
import-heading-stopped = Import zatrzymany
import-heading-failed = Import nie powiódł się
import-you-stopped = Zatrzymano import przed końcem.
import-unknown-format = Plik nie zawiera danych w tym formacie. Wybierz inny format lub automatyczne wykrywanie.
import-damaged = Plik jest uszkodzony lub nie jest tego typu, za jaki się podaje.
import-too-large = Plik jest za duży, ma za dużo wierszy lub zawiera wiersz wymagający za dużo pamięci.
import-incomplete = Nie udało się ukończyć importu.
import-rows = Wiersze
import-would-be-new = Byłyby nowe
import-new = Nowe
import-existing = Już istnieją
import-skipped = Pominięte
import-failed = Nieudane
import-annotations = Notatki i wyróżnienia
import-part-feed-settings = Ustawienia kanałów
import-part-rules = Reguły
import-part-templates = Szablony wiadomości
import-part-account-settings = Ustawienia konta
import-part-positions = Pozycje
import-parts-uncounted = Kanały, monitory, ustawienia, reguły i pozycje też zostaną zaimportowane. Zostaną policzone podczas importu.
import-problems =
    { $count ->
        [one] { $count } problem
        [few] { $count } problemy
       *[other] { $count } problemów
    }
import-problems-first =
    { $count ->
        [one] Pierwszy problem
        [few] Pierwsze { $count } problemy
       *[other] Pierwszych { $count } problemów
    }
import-row-reason = Wiersz { $row }: { $reason }
import-stop = Zatrzymaj
import-to-library = Do biblioteki
import-retry = Ponów nieudane
import-from-server = Importuj z serwera
import-continue = Kontynuuj import
import-other-file = Wybierz inny plik
import-undo = Cofnij import
import-rows-gone = Wiersze nie są już wyświetlane, bo nowsze importy potrzebują miejsca.
import-no-match = Brak pasujących wierszy.
import-more-rows = Więcej wierszy
import-download-rows = Pobierz wszystkie wiersze jako CSV
import-with-problems = Z problemami
import-annotation = Notatka lub wyróżnienie
import-untitled = Bez tytułu
import-row = Wiersz { $row }
import-columns = Kolumny
import-columns-words = To propozycja Carrela dla każdej kolumny pliku. Jeśli zmienisz pole, sprawdź plik ponownie przed importem.
import-check-again = Sprawdź ponownie
