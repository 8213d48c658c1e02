# Mails about an account.

reset-subject = Ustaw nowe hasło do Carrel
reset-body =
    Ktoś poprosił o nowe hasło do konta { $email } w serwisie { $origin }.

    Jeśli to ty, otwórz ten link w ciągu godziny. Działa, dopóki hasło nie zostanie ustawione.

    { $link }

    Jeśli to nie ty, zignoruj tę wiadomość. Nic się nie zmieni, dopóki link nie zostanie użyty.
grant-made-subject = Z twoim kontem Carrel połączono aplikację
grant-made-event = Aplikacja otrzymała dostęp do twojego konta w serwisie { $origin }.
grant-made-advice =
    Jeśli to ty, nie musisz nic robić. Jeśli nie, odbierz jej dostęp i ustaw nowe hasło:

    { $link }
grant-reused-subject = Aplikacja utraciła dostęp do twojego konta Carrel
grant-reused-event = Token tej aplikacji został użyty drugi raz, co zdarza się, gdy ktoś go skopiuje. Dostęp aplikacji od razu odebrano, razem ze wszystkimi tokenami.
grant-reused-advice =
    Jeśli nadal używasz aplikacji, połącz ją ponownie. Ostatnia aktywność twoich aplikacji i kluczy:

    { $link }
grant-name = Nazwa podana przez aplikację: „{ $name }” (niezweryfikowana)
grant-host = Wraca do: { $host }
grant-reads = Uprawnienia: odczyt
grant-changes = Uprawnienia: odczyt i zmiany
grant-time = Zezwolono: { $time }
email-request = Ktoś, kto ma konto w serwisie { $origin }, chce używać do niego tego adresu e-mail.
email-taken-subject = Ten adres e-mail ma już konto
email-taken-advice = Adres ma tam już konto, więc nic nie zmieniono. Jeśli to ty, zaloguj się tym adresem albo najpierw usuń tamto konto. Jeśli to nie ty, zignoruj tę wiadomość.
email-confirm-subject = Potwierdź nowy adres e-mail w Carrel
email-confirm-advice =
    Jeśli to ty, otwórz ten link w ciągu doby i naciśnij przycisk:

    { $link }

    Jeśli to nie ty, zignoruj tę wiadomość. Nic się nie zmieni, dopóki link nie zostanie użyty.
email-changed-subject = Adres e-mail twojego konta Carrel został zmieniony
email-changed-body =
    Adres e-mail twojego konta w serwisie { $origin } zmieniono z { $before } na { $after }.

    Jeśli to ty, zmień stary adres w swoich aplikacjach kanałów i na czytnikach. Aplikacje Fever wymagają nowego klucza API.

    Jeśli to nie ty, otwórz ten link w ciągu 7 dni. Przywróci on ten adres i pozwoli ustawić nowe hasło:

    { $link }
team-subject = Zaproszenie do zespołu w Carrel
team-body =
    Właściciel konta { $owner } w serwisie { $origin } zaprasza cię do zespołu i udostępnia mu zapisane strony.

    Aby dołączyć, otwórz ten link w ciągu 7 dni. Potrzebujesz tam konta:

    { $link }

    Jeśli nie znasz nadawcy, zignoruj tę wiadomość.
