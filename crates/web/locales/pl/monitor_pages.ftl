# Groups, lists, and changes of monitors, and the forms that edit, copy, and delete one.

groups-heading = Grupy monitorów
groups-deleted = Usunięto grupę. Jej monitory zachowują ustawienia.
groups-words = Monitory grupy mają wspólne ustawienia, jak odstęp, ciche godziny i powiadomienia. Grupa może mieć publiczną stronę i kanał.
groups-public = publiczna
groups-new = Nowa grupa
groups-create = Utwórz grupę
groups-count =
    { $count ->
        [one] { $count } monitor
        [few] { $count } monitory
       *[other] { $count } monitorów
    }
groups-in-group = { $link } w tej grupie.
group-made = Utworzono grupę. Wybierz ją w formularzu monitora lub dla zaznaczonych monitorów na liście.
group-saved = Zapisano grupę.
group-title = Grupa
group-publish = Publiczna strona i kanał
group-publish-words = Każdy z linkiem może czytać nazwy monitorów i ich zmiany. Po wyłączeniu linki przestaną działać na zawsze.
group-new-monitor = Nowy monitor tutaj
group-shared-words = Wspólne ustawienia dotyczą każdego monitora grupy, chyba że ma własne. Gdy przestaniesz współdzielić ustawienie, każdy monitor zachowa jego wartość.
group-check = Sprawdzaj
group-own-interval = ustawienie każdego monitora
group-share-days = Współdziel te dni i godziny
group-share-channels = Współdziel te powiadomienia
group-page = Strona publiczna
group-page-words = Każdy z tym linkiem może czytać stronę. Jeśli strona jest prywatna, traktuj link jak hasło.
group-page-link = Link strony
group-delete-question = Usunąć grupę { $name }?
group-delete-words = Jej monitory zostają z obecnymi ustawieniami. Publiczna strona i kanał przestaną działać na zawsze.
group-delete = Usuń grupę
duplicate-name = { $name } (kopia)
duplicate-heading = Duplikuj { $name }
duplicate-words = Kopia ma wszystkie ustawienia tego monitora i obserwuje inny adres. Możesz ją potem edytować.
duplicate-create = Utwórz kopię
lists-heading = Import i eksport monitorów
lists-words = Kopia z changedetection.io (ZIP), lista z urlwatch (urls.yaml) lub eksport tej usługi. Posiadane już monitory pozostają bez zmian.
lists-download = Pobierz monitory jako JSON
lists-imported = Monitory zostały zaimportowane
lists-program = Plik jest listą z programu { $program }.
lists-new = Nowe
lists-existing = Istniejące
lists-refused = Niezaimportowane
lists-not-read = Nieodczytane
lists-not-read-words = Niektórych monitorów nie odczytano: są uszkodzone lub lista ma ich ponad 1000.
lists-show = Pokaż monitory
lists-line-new = { $monitor }: nowy
lists-line-existing = { $monitor }: już istniał
lists-line-refused = { $monitor }: niezaimportowany. { $reason }
lists-without = Bez: { $settings }
changes-search = Szukaj w zmianach
changes-no-match-newest = Brak wyników wśród najnowszych zmian.
changes-no-match = Brak pasujących zmian.
changes-older = Starsze zmiany
monitor-edit-heading = Edytuj { $name }
monitor-edit-preview-empty = Podgląd pokaże, które wcześniejsze zmiany zostałyby zgłoszone przy tych ustawieniach.
monitor-edit-baseline = Jeśli zmienisz adres lub to, co jest obserwowane, następne sprawdzenie będzie nową podstawą.
monitor-edit-preview = Sprawdź na przeszłych
monitor-edit-replayed =
    { $count ->
        [one] Przy tych ustawieniach zgłoszono by zmian: { $left } z ostatniej { $count }.
        [few] Przy tych ustawieniach zgłoszono by zmian: { $left } z ostatnich { $count }.
       *[other] Przy tych ustawieniach zgłoszono by zmian: { $left } z ostatnich { $count }.
    }
monitor-edit-reported = zgłoszono: { $change }
monitor-edit-not-reported = nie zgłoszono: { $change }
monitor-edit-unknown = nieznane: { $change }
monitor-edit-past = Wcześniejsze zmiany
monitor-rotate-question = Zastąpić link kanału { $name }?
monitor-rotate-words = Obecny link kanału i wszystkie linki do zmian od razu przestaną działać. Czytniki potrzebują nowego linku. Monitor i sprawdzana strona pozostają te same.
monitor-rotate = Zastąp link
monitor-delete-question = Usunąć { $name }?
monitor-delete-words = Jego sprawdzenia i zmiany zostaną usunięte, a kanał odpowie 410 Gone. Tego nie można cofnąć.
monitor-delete-button = Usuń monitor
