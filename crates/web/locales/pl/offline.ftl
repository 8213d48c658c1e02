# Offline reading: its settings, the list of stored texts, and stored pages.

offline-heading = Czytanie offline
offline-words = Ta przeglądarka może przechowywać teksty: odłożone na później lub zaczęte oraz nieprzeczytane wpisy. Bez połączenia przeczytasz je tutaj.
offline-own-browser = Wybierz to tylko we własnej przeglądarce. To, co bez połączenia oznaczysz jako przeczytane, gwiazdką, zarchiwizujesz lub wyróżnisz, zostanie wysłane później. Wylogowanie usuwa teksty i niewysłane zmiany oraz wyłącza czytanie offline. Wymaga ono skryptów.
offline-save-amount = Zapisz ilość
offline-switch-on = Przechowuj teksty tutaj
offline-stored = Przechowywane teksty
offline-switch-off = Usuń i wyłącz
offline-amount = Ilość
offline-size = Do { $texts } tekstów, najwyżej { $size } MB z obrazami
offline-all-pictures = Wszystkie obrazy tekstów, nie tylko już obejrzane
offline-storing = Teksty są zapisywane.
offline-list-words = Te teksty można czytać bez połączenia. To, co wtedy oznaczysz jako przeczytane, gwiazdką, zarchiwizujesz lub wyróżnisz, zostanie wysłane, gdy połączenie wróci. Inne zmiany wymagają połączenia.
offline-queue = Zmiany jeszcze niewysłane
offline-nothing = Nie ma jeszcze nic do zapisania: nic nie jest odłożone ani zaczęte i nie ma nieprzeczytanych wpisów.
offline-settings = Ustawienia czytania offline
offline-off = Czytanie offline jest wyłączone
offline-off-words = Ta przeglądarka nie przechowuje tekstów. <1>Włącz je</1>, aby czytać bez połączenia.
offline-refused = Jesteś offline
offline-refused-words = Nic nie zmieniono. Wróć i powtórz działanie, gdy będzie połączenie.
offline-text-words = Jesteś offline. To przechowywany tekst. Twoje oznaczenia, gwiazdki i wyróżnienia zostaną wysłane po połączeniu.
