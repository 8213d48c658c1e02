# Families and teams.

teams-heading = Rodzina i zespoły
teams-left = Nie jesteś już w zespole.
teams-deleted = Usunięto zespół. To, co było udostępnione, jest znów tylko twoje.
teams-words = Udostępniaj etykiety biblioteki i zmiany monitorów osobom, które znasz. Ty decydujesz, kto czyta, a kto też dodaje strony.
teams-new = Nowy zespół
teams-name-hint = Na przykład „Rodzina”. Członkowie ją widzą.
teams-create = Utwórz zespół
teams-member-of = Należysz do
teams-membership-reader = Właściciel: { $owner }. Możesz czytać. { $link }
teams-membership-editor = Właściciel: { $owner }. Możesz czytać oraz dodawać i usuwać strony. { $link }
teams-shared = Udostępnione tobie
teams-leave = Opuść
teams-leave-named = Opuść „{ $name }”
teams-yours = Twoje zespoły
teams-no-members = brak członków
teams-members-count =
    { $count ->
        [one] { $count } członek
        [few] { $count } członków
       *[other] { $count } członków
    }
teams-join-title = Dołącz do zespołu
teams-join-reader = { $owner } zaprasza cię do zespołu { $team }. Możesz czytać to, co udostępnia właściciel. Zobaczy on twój adres e-mail, { $email }. Możesz odejść w każdej chwili.
teams-join-editor = { $owner } zaprasza cię do zespołu { $team }. Możesz czytać to, co udostępnia właściciel, oraz dodawać i usuwać strony. Właściciel zobaczy twój adres e-mail, { $email }. Możesz odejść w każdej chwili.
teams-join = Dołącz
team-title = Zespół
team-members = Członkowie
team-invite-heading = Zaproś kogoś
team-tags = Udostępnione etykiety
team-tags-words = Członkowie widzą strony z tymi etykietami: tytuł, adres, kiedy je zapisano i początek tekstu, jeśli pobrano go z adresu. Notatki, wyróżnienia i pliki pozostają prywatne.
team-monitors = Udostępnione monitory
team-monitors-words = Członkowie widzą nazwy i zmiany tych monitorów.
team-delete-link = Usuń zespół…
team-created = Utworzono zespół. Zaproś jego członków.
team-invited = Utworzono zaproszenie. Wygasa za 7 dni i działa raz.
team-revoked = Unieważniono zaproszenie. Odnośnik już nie działa.
team-removed = Usunięto członka. Przekazany odnośnik poniżej działa, dopóki go nie unieważnisz.
team-role-changed = Zmieniono rolę.
team-sharing-changed = Zmieniono udostępnianie.
team-no-members = Brak członków.
team-role = Rola
team-role-of = Rola: { $email }
team-change-role = Zmień rolę: { $email }
team-change = Zmień
team-reader = Czytelnik
team-editor = Redaktor: dodaje i usuwa strony
team-mailed = Wysłano na { $email }
team-link-to-pass = Odnośnik do przekazania
team-as-reader = jako czytelnik
team-as-editor = jako redaktor
team-expires = wygasa { $time }
team-invitation-link = Odnośnik zaproszenia
team-email-hint = Zostaw puste, aby dostać odnośnik do przekazania.
team-invite = Zaproś
team-stop = Przestań udostępniać
team-stop-named = Przestań udostępniać „{ $name }”
team-tag = Etykieta
team-share-tag = Udostępnij etykietę
team-monitor = Monitor
team-share-monitor = Udostępnij monitor
team-delete-question = Usunąć zespół { $name }?
team-delete-words = Członkowie natychmiast tracą dostęp. Twoje etykiety, pozycje i monitory pozostają bez zmian.
team-delete = Usuń zespół
