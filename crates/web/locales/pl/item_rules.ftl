# Rules for saved items.

item-rules = Reguły dla zapisanych pozycji
item-rules-words = Reguła zmienia każdą nową pozycję jeden raz, gdy tylko odczytano jej tekst. Zaimportowane pozycje nie są zmieniane. Etykiety publiczne i udostępnione nie są dodawane.
item-rules-created = Utworzono regułę. Działa na to, co zapiszesz od teraz.
item-rules-changed = Zmieniono reguły.
item-rules-deleted = Usunięto regułę.
item-rules-name = Nazwa reguły
item-rules-query = Pozycje znalezione przez to wyszukiwanie
item-rules-query-hint = Na przykład domain:example.org lub title:faktura. Słowa i filtry są takie jak w wyszukiwaniu.
item-rules-status = Przenieś do
item-rules-status-none = Nie przenoś
item-rules-adds = Dodaje etykiety: { $tags }
item-rules-moves = Przenosi do: { $status }
item-rules-nothing = Niczego nie zmienia
item-rules-matches = Dotychczasowe trafienia: { $count }
item-rules-items = Pokaż pozycje
item-rules-withheld = Niedodawane, bo publiczne lub udostępnione: { $tags }
item-rules-edit-named = Edytuj „{ $name }”
item-rules-up = W górę
item-rules-up-named = Przesuń „{ $name }” w górę
item-rules-down = W dół
item-rules-down-named = Przesuń „{ $name }” w dół
item-rules-stay = Pozycje zmienione przez regułę pozostaną bez zmian.
