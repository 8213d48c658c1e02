# Home page.

home-heading = Czytaj, śledź, zapisuj i obserwuj sieć
home-purpose = { $name } zamienia strony w czysty tekst, przynosi nowości z lubianych witryn, przechowuje to, co chcesz zapamiętać, i powiadamia, gdy strona się zmieni.
home-try = Wypróbuj: wklej adres artykułu
home-read = Czytaj
home-read-words = Dowolny artykuł, dokument lub PDF jako czysty tekst, bez reklam i wyskakujących okien. Posłuchaj go lub zabierz jako e-book.
home-follow = Śledź
home-follow-words = Blogi, wiadomości, podcasty i kanały na jednej liście. Przenieś kanały z innego czytnika.
home-save = Zapisz
home-save-words = Strony i pliki z pełnym tekstem. Wyróżniaj, notuj i odnajduj każde słowo.
home-watch = Obserwuj
home-watch-words = Wiadomość, gdy cena spadnie, produkt wróci do sprzedaży lub strona się zmieni.
home-picture-today = Strona „Dziś”: niższe ceny i nowe wpisy z obserwowanych stron
home-picture-text = Zapisany tekst z podkreślonym zdaniem
home-picture-monitor = Obserwowana cena z wykresem jej wartości
home-everywhere = Używaj w przeglądarce na każdym urządzeniu, w aplikacjach do kanałów i czytania na później oraz na czytnikach. <1>Asystenci AI</1> też mogą, jeśli im pozwolisz.
home-no-account = Ta usługa nie ma jeszcze konta. Załóż pierwsze tutaj lub na serwerze poleceniem { $command }.
home-programs = Dla programów
home-programs-words = Wstaw ten adres przed dowolnym innym lub użyj <1>API</1>. Klucz nie jest potrzebny.
