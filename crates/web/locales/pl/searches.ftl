# Saved searches.

search-renamed = Zmieniono nazwę wyszukiwania.
search-deleted = Usunięto wyszukiwanie.
searches-query = Zapytanie
searches-none = Nie masz zapisanych wyszukiwań. Wyszukaj coś w bibliotece lub we wpisach, a potem wybierz nad wynikami „Zapisz to wyszukiwanie”.
searches-in-library = W bibliotece
searches-in-entries = We wpisach kanałów
search-feed-created = Kanał ma nowy adres. Wcześniejszy adres już nie działa.
search-feed-deleted = Usunięto kanał. Jego adres już nie działa.
searches-feed-words = Wyszukiwanie może mieć prywatny kanał z 50 najnowszymi wynikami dla dowolnego czytnika. Każdy, kto zna adres, może go czytać.
searches-feed-address = Adres kanału „{ $name }”
searches-feed-create = Utwórz kanał
searches-feed-create-named = Utwórz kanał „{ $name }”
searches-feed-new = Nowy adres kanału
searches-feed-new-named = Nowy adres kanału „{ $name }”
searches-feed-delete = Usuń kanał
searches-feed-delete-named = Usuń kanał „{ $name }”
