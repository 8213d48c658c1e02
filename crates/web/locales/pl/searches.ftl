# Saved searches.

search-renamed = Zmieniono nazwę wyszukiwania.
search-deleted = Usunięto wyszukiwanie.
searches-none = Nie masz zapisanych wyszukiwań. Wyszukaj coś w bibliotece lub we wpisach, a potem wybierz nad wynikami „Zapisz to wyszukiwanie”.
searches-in-library = W bibliotece
searches-in-entries = We wpisach kanałów
