# Import and export of lists of feeds.

opml-title = Import i eksport
opml-heading = Import i eksport kanałów
opml-words = Plik OPML, który potrafi wyeksportować każdy czytnik kanałów. Foldery stają się kolekcjami. Kanały już śledzone pozostają bez zmian.
opml-download = Pobierz kanały jako OPML
opml-running = <1>Trwa import</1>.
opml-last = Wynik ostatniego importu
feed-import-running = Importowanie kanałów
feed-import-finished = Kanały zostały zaimportowane
feed-import-reloads = Ta strona odświeża się do końca importu. Możesz ją opuścić i wrócić.
feed-import-checked = Sprawdzone kanały
feed-import-empty = Plik nie zawiera kanałów.
feed-import-to-feeds = Do kanałów
feed-import-stopped-words = Już zaimportowane kanały zostają.
feed-import-unknown = Plik nie jest listą kanałów w OPML lub jest uszkodzony. Wyeksportuj go ponownie z czytnika. Zakładki i zapisane strony importuje się na stronie Biblioteka › Import.
feed-import-too-large = Odczyt pliku wymaga za dużo czasu lub pamięci. Nic nie zaimportowano.
feed-import-again = Zaimportuj plik ponownie. Już zaimportowane kanały nie zostaną dodane dwa razy.
feed-import-in-file = Kanały w pliku
feed-import-known = Już śledzone
feed-import-refused = Niezaimportowane
feed-import-collections = Utworzone kolekcje
feed-import-no-collection = Bez kolekcji, bo twój plan nie pozwala na więcej
feed-import-problems = Czego nie zaimportowano tak jak w pliku i dlaczego
feed-import-problem = Kanał { $row }: { $reason }
feed-import-more = I jeszcze { $amount }.
