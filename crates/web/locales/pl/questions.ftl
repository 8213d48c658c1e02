# Questions to the language model about a text or the library.

question-ask = Zadaj pytanie o ten tekst
question-field = Twoje pytanie
question-send = Zapytaj
question-requested = Odpowiedź jest pisana. Ta strona pokaże ją, gdy będzie gotowa.
question-pending = Odpowiedź jest pisana.
question-failed = Nie ma odpowiedzi: { $reason }.
question-none = Tekst o tym nie mówi.
question-by = Odpowiedź modelu językowego { $name }. Może być błędna; cytaty pochodzą z tekstu.
question-left-out = Pominięte zdania, których cytatu nie ma w tekście: { $number }.
question-partial = Z długiego tekstu wysłano tylko początek i fragmenty ze słowami pytania.
question-omitted = Nieprzeczytane: { $number }.
question-library = Zapytaj swoją bibliotekę
question-library-words = Odpowiedź pochodzi z najlepiej pasujących do pytania tekstów; jest ich najwyżej { $count }. Każde zdanie ma cytat ze swojej pozycji.
question-library-none = Twoje teksty o tym nie mówią.
question-items = Przeczytane pozycje: { $number }.
question-gone = Pozycję usunięto.
question-follow-up = Kolejne pytanie
question-earlier = Wcześniejsze pytania: { $count }
question-unanswered = Brak odpowiedzi w tekście.
question-complete = Liczba pytań w tej rozmowie: { $count }. Zadaj nowe pytanie, aby zacząć inną.
