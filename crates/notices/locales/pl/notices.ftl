# Messages to the channels of an account.

credits-most-title = Zużyto 80 % kredytów monitorów na ten miesiąc
credits-most-text = Zużyte kredyty: { $used } z { $limit }. Gdy się skończą, monitory poczekają na następny miesiąc.
credits-none-title = Kredyty monitorów na ten miesiąc się skończyły
credits-none-text = Monitory bez kredytów ruszą znowu w pierwszej godzinie następnego miesiąca.
sign-in-title = Nowe logowanie do twojego konta
sign-in-text = Zalogowano się z przeglądarki, której nie używano dotąd z tym kontem, z { $network }: { $time }. Jeśli to ty, nie musisz nic robić. Jeśli nie, ustaw nowe hasło.
factor-added-title = Do twojego konta dodano drugi składnik logowania
passkey-added-title = Do twojego konta dodano klucz dostępu
single-sign-on-added-title = Połączono logowanie jednokrotne z twoim kontem
single-sign-on-removed-title = Odłączono logowanie jednokrotne od twojego konta
factor-removed-title = Usunięto drugi składnik logowania twojego konta
sign-in-changed-text = Czas: { $time }. Jeśli to ty, nie musisz nic robić. Jeśli nie, ustaw nowe hasło.
key-title = Utworzono klucz API
key-text = Jego nazwa to „{ $name }”. Jeśli to nie ty go utworzyłeś lub utworzyłaś, unieważnij go i ustaw nowe hasło.
app-title = Z twoim kontem połączono aplikację
app-text = Podaje się za „{ $app }”; ta nazwa nie jest zweryfikowana. Jeśli nie było na to twojej zgody, odbierz jej dostęp i ustaw nowe hasło.
off-title = Wyłączono kanał powiadomień „{ $name }”
off-gone = Odpowiedział, że nie chce więcej wiadomości (410).
off-refused = Serwer poczty zgłasza, że ten adres nie istnieje.
off-failing = Przez trzy dni nie udało się dostarczyć żadnej wiadomości.
off-text = { $why } Wiadomości są przechowywane przez siedem dni i zostaną wysłane po ponownym włączeniu kanału.
plan-title =
    { $count ->
        [one] Wyłączono { $count } kanał powiadomień
        [few] Wyłączono { $count } kanały powiadomień
       *[many] Wyłączono { $count } kanałów powiadomień
    }
plan-text = Twój plan pozwala na aktywne kanały powiadomień: { $limit }. Najnowsze wyłączono: { $names }. Ich wiadomości są przechowywane przez siedem dni.
quoted = „{ $name }”
test-title = Test tego kanału
test-text = Tak docierają wiadomości z Carrel.
digest-title = Co się wydarzyło do { $date }
today-unread = Nieprzeczytane
today-changes = Zmiany
today-started = Czytaj dalej
today-saved = Ostatnio zapisane
today-waiting = Zapisane dawno temu
today-this-day = Tego dnia
today-attention = Wymaga uwagi
today-highlights = Wyróżnienia do powtórki
today-review =
    { $count ->
        [one] { $count } wyróżnienie do powtórki na dziś.
        [few] { $count } wyróżnienia do powtórki na dziś.
       *[other] { $count } wyróżnień do powtórki na dziś.
    }
stop-link = Zrezygnuj
several-title = Kilka zmian
entries-title =
    { $count ->
        [one] { $count } nowy wpis
        [few] { $count } nowe wpisy
       *[many] { $count } nowych wpisów
    }
item-saved-title = Zapisano: { $title }
items-saved-title =
    { $count ->
        [one] Zapisano { $count } element
        [few] Zapisano { $count } elementy
       *[many] Zapisano { $count } elementów
    }
missed-title = Co ominęło ten kanał
collected-count =
    { $count ->
        [one] Jedna wiadomość:
        [few] { $count } wiadomości:
       *[many] { $count } wiadomości:
    }
more = I jeszcze { $count }.
more-short = i jeszcze { $count }
snooze = Odłóż lub wycisz ten monitor: { $link }
snooze-short = Odłóż lub wycisz: { $link }
template-failed = (Szablon tego kanału nie zadziałał. { $error }.)
stop = Aby nie dostawać tych wiadomości: { $link }
confirm-subject = Potwierdź ten adres do wiadomości z Carrel
confirm-body =
    Ktoś, kto ma konto w serwisie { $origin }, chce wysyłać wiadomości tego konta na ten adres.

    Jeśli to ty, otwórz ten link i naciśnij przycisk:

    { $link }

    Jeśli nie, nie rób nic: wtedy nic nie zostanie do ciebie wysłane.
