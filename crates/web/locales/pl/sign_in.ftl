# Sign-in and sign-up.

sign-in = Zaloguj się
sign-in-passkey = Zaloguj się kluczem dostępu
oidc-sign-in = Zaloguj przez { $name }
sign-in-forgot = Nie pamiętasz hasła?
sign-in-new = Nie masz jeszcze konta? <1>Załóż je</1>.
sign-in-for-app = Aplikacja prosi o dostęp do twojego konta. Zaloguj się lub załóż konto, aby zobaczyć prośbę. Bez twojej zgody nic nie jest dozwolone.
sign-up = Rejestracja
sign-up-heading = Załóż konto
sign-up-button = Załóż konto
sign-up-closed = Rejestracja jest zamknięta. Poproś operatora tej usługi o konto.
sign-up-purpose = Śledź witryny, zapisuj strony w bibliotece i dostawaj wiadomość, gdy strona się zmieni. Wystarczy adres e-mail i hasło.
sign-up-invitation = Zaproszenie
sign-up-invitation-hint = Otrzymany kod. Działa jeden raz.
sign-up-known = Masz już konto? <1>Zaloguj się</1>.
purpose-today = Zaloguj się, aby zobaczyć swój dzień
purpose-today-words = „Dziś” to twoja strona startowa: nowe wpisy z kanałów, zmiany obserwowanych stron i to, co ostatnio zapisano.
purpose-feeds = Zaloguj się, aby zobaczyć swoje kanały
purpose-feeds-words = Śledź blogi, serwisy informacyjne i podcasty: ich nowe wpisy trafiają na jedną listę, tutaj i w twoich aplikacjach. Możesz przenieść kanały z innego czytnika.
purpose-library = Zaloguj się, aby otworzyć bibliotekę
purpose-library-words = Biblioteka przechowuje strony i pliki z pełnym tekstem, twoje wyróżnienia i notatki. Możesz szukać każdego słowa, czytać offline na czytniku i w każdej chwili wszystko wyeksportować.
purpose-monitors = Zaloguj się, aby zobaczyć swoje monitory
purpose-monitors-words = Monitor regularnie sprawdza stronę i zgłasza każdą prawdziwą zmianę: niższą cenę, produkt znów dostępny, nowy akapit. Wiadomości przychodzą e-mailem, na czat lub do dowolnego czytnika kanałów.
purpose-search = Zaloguj się, aby szukać
purpose-search-words = Wyszukiwanie obejmuje bibliotekę, wyróżnienia i notatki oraz wpisy z kanałów.
