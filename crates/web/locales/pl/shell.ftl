# Shell of every page: navigation, footer, times, forms, and messages.

skip = Przejdź do treści
nav-main = Główna nawigacja
nav-today = Dziś
nav-feeds = Kanały
nav-library = Biblioteka
nav-monitors = Monitory
nav-settings = Opcje
nav-read = Czytaj
nav-api = API
nav-about = O serwisie
nav-account = Konto
nav-sign-in = Zaloguj
nav-stored-texts = Zapisane teksty
find = Szukaj
find-everything = Wszystko
find-feeds-and-library = Szukaj w kanałach i bibliotece
signed-in-as = Zalogowano jako
foot-texts = Teksty na stronach do czytania należą do ich autorów. Carrel pokazuje je z odnośnikiem do źródła.
foot-documents = Dokumenty
foot-read = Przeczytaj stronę
foot-handbook = Podręcznik
foot-reader-api = API czytnika
foot-developer-api = API dla programistów
foot-agents = Agenci
foot-problems = Błędy
foot-reading-settings = Ustawienia czytania
foot-llms = llms.txt
description = Carrel pokazuje strony internetowe jako czysty tekst, śledzi kanały, prowadzi bibliotekę i obserwuje zmiany na stronach, dla ludzi i asystentów AI.
error-title = Błąd: { $title }
form-problems =
    { $count ->
        [one] Wystąpił problem
        [few] Wystąpiły { $count } problemy
       *[other] Wystąpiło { $count } problemów
    }
field-email = Adres e-mail
field-password = Hasło
field-new-password = Nowe hasło
field-current-password = Obecne hasło
password-hint = Co najmniej 10 znaków. Kilka słów jest lepsze niż jedno nietypowe słowo.
undo = Cofnij
sample-notice = To konto zawiera przykładowe dane do obejrzenia. Usuń je, gdy zobaczysz już dość.
sample-remove = Usuń przykładowe konto
language = Język
language-hint = Język twoich stron. Niektóre strony są tylko po angielsku.
language-of-browser = Jak w przeglądarce
language-save = Zapisz język
language-saved = Zapisano język.
time-now = przed chwilą
time-in-seconds =
    { $count ->
        [one] za { $count } sekundę
        [few] za { $count } sekundy
       *[other] za { $count } sekund
    }
time-in-minutes =
    { $count ->
        [one] za { $count } minutę
        [few] za { $count } minuty
       *[other] za { $count } minut
    }
time-in-hours =
    { $count ->
        [one] za { $count } godzinę
        [few] za { $count } godziny
       *[other] za { $count } godzin
    }
time-in-days =
    { $count ->
        [one] za { $count } dzień
        [few] za { $count } dni
       *[other] za { $count } dni
    }
time-seconds-ago =
    { $count ->
        [one] { $count } sekundę temu
        [few] { $count } sekundy temu
       *[other] { $count } sekund temu
    }
time-minutes-ago =
    { $count ->
        [one] { $count } minutę temu
        [few] { $count } minuty temu
       *[other] { $count } minut temu
    }
time-hours-ago =
    { $count ->
        [one] { $count } godzinę temu
        [few] { $count } godziny temu
       *[other] { $count } godzin temu
    }
time-days-ago =
    { $count ->
        [one] { $count } dzień temu
        [few] { $count } dni temu
       *[other] { $count } dni temu
    }
manifest-description = Kanały, biblioteka, monitory i każda strona jako czysty tekst.
search-description = Szukaj w kanałach i bibliotece albo otwórz stronę po adresie.
