# Search in the library and in feeds, and search by meaning.

search-help = Słowa, { $phrase }, { $without }, { $tag } i { $domain } znajdują elementy, notatki, wyróżnienia i wpisy. Wpisz adres, aby otworzyć stronę.
search-whole-phrases = "całe frazy"
search-without = -bez
search-all-library = Wszystkie w bibliotece
search-similar = Brak dokładnych wyników. Te zawierają podobne słowa.
search-all-feeds = Wszystkie w kanałach
search-again = Szukaj ponownie
search-none = brak wyników
search-more-than = ponad { $amount }
search-note = Notatka
search-highlight = Wyróżnienie
meaning-requested = Wyszukiwanie trwa. Ta strona pokaże wyniki, gdy będą gotowe.
meaning-words = Opisz, co pamiętasz z tekstu. Nie musi zawierać tych słów.
meaning-form = Szukaj w bibliotece według znaczenia
meaning-query = Opis tekstu
meaning-off = Model językowy jest wyłączony. <1>Ustawienia</1>
meaning-searching = Szukanie: { $query }. Pierwsze wyszukiwanie trwa dłużej, bo teksty są porównywane po raz pierwszy.
meaning-failed = Brak wyników: { $reason }.
meaning-results = Wyniki dla { $query }
meaning-none = Nic nie pasuje.
meaning-compared = Porównano teksty elementów: { $number }, { $time }.
meaning-unindexed = Jeszcze nieporównane: { $number }. Szukaj ponownie, aby kontynuować.
meaning-request-failed = Żądanie nie powiodło się: { $reason }.
