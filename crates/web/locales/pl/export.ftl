# Export of the library.

export-everything = Wszystko
export-everything-words = Teksty, pliki, etykiety, notatki i wyróżnienia oraz twoje kanały, gwiazdki, reguły, monitory i ich zmiany. Można je ponownie zaimportować.
export-bookmarks = Zakładki
export-bookmarks-words = Adresy, tytuły i etykiety, dla każdej przeglądarki.
export-table = Tabela
export-table-words = Jeden wiersz na element, do arkusza.
export-cards = Fiszki
export-cards-words = Luki i pytania do twoich wyróżnień, jako tekst dla Anki.
export-create = Utwórz eksport
export-feeds = Eksportuj swoje kanały <1>jako OPML</1>.
export-creating = Tworzenie eksportu
export-reloads = Ta strona odświeża się, aż eksport będzie gotowy. Możesz ją opuścić i wrócić.
export-written = Zapisane elementy
export-progress = { $done } z { $total }
export-failed = Eksport nie powiódł się
export-failed-words = Nie udało się utworzyć eksportu. <1>Spróbuj ponownie</1>.
export-yours = Twój eksport
export-expires = Pliki zostaną usunięte { $time }.
export-delete = Usuń eksport
export-part = Pobierz część { $number }
export-kilobytes = { $amount } KB
