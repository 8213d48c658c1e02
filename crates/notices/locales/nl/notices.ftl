# Messages to the channels of an account.

credits-most-title = 80 % van de monitorcredits van deze maand is gebruikt
credits-most-text = { $used } van { $limit } credits zijn gebruikt. Als er geen meer over zijn, wachten monitors op de volgende maand.
credits-none-title = De monitorcredits van deze maand zijn op
credits-none-text = Monitors zonder credits draaien weer in het eerste uur van de volgende maand.
sign-in-title = Nieuwe aanmelding bij je account
sign-in-text = Een browser die nog niet met dit account was gebruikt, heeft ingelogd vanuit { $network }: { $time }. Als jij dat was, hoef je niets te doen. Zo niet, stel een nieuw wachtwoord in.
factor-added-title = Er is een tweede factor aan je account toegevoegd
passkey-added-title = Er is een passkey aan je account toegevoegd
single-sign-on-added-title = Single sign-on is met je account verbonden
single-sign-on-removed-title = Single sign-on is losgekoppeld van je account
factor-removed-title = De tweede factor van je account is verwijderd
sign-in-changed-text = Tijdstip: { $time }. Als jij dat was, hoef je niets te doen. Zo niet, stel een nieuw wachtwoord in.
key-title = Er is een API-sleutel gemaakt
key-text = De naam is ‘{ $name }’. Als jij hem niet hebt gemaakt, trek hem dan in en stel een nieuw wachtwoord in.
app-title = Er is een app met je account verbonden
app-text = De app noemt zich ‘{ $app }’; die naam is niet gecontroleerd. Als je dit niet hebt toegestaan, trek de toegang dan in en stel een nieuw wachtwoord in.
off-title = Het kanaal ‘{ $name }’ is uitgeschakeld
off-gone = Het antwoordde dat het geen berichten meer wil (410).
off-refused = De mailserver zegt dat dit adres niet bestaat.
off-failing = Drie dagen lang kon er geen bericht worden bezorgd.
off-text = { $why } Berichten worden zeven dagen bewaard en verstuurd als het kanaal weer wordt ingeschakeld.
plan-title =
    { $count ->
        [one] { $count } kanaal is uitgeschakeld
       *[other] { $count } kanalen zijn uitgeschakeld
    }
plan-text = Actieve kanalen in je abonnement: hoogstens { $limit }. De nieuwste zijn uitgeschakeld: { $names }. Hun berichten worden zeven dagen bewaard.
quoted = ‘{ $name }’
test-title = Test van dit kanaal
test-text = Zo komen berichten van Carrel aan.
digest-title = Wat er gebeurde tot { $date }
today-unread = Ongelezen
today-changes = Wijzigingen
today-started = Verder lezen
today-saved = Onlangs bewaard
today-waiting = Lang geleden bewaard
today-this-day = Op deze dag
today-attention = Vraagt je aandacht
today-highlights = Markeringen om te herhalen
today-review =
    { $count ->
        [one] Vandaag is er { $count } markering te herhalen.
       *[other] Vandaag zijn er { $count } markeringen te herhalen.
    }
stop-link = Afmelden
several-title = Meerdere wijzigingen
entries-title =
    { $count ->
        [one] 1 nieuw item
       *[other] { $count } nieuwe items
    }
item-saved-title = Bewaard: { $title }
items-saved-title =
    { $count ->
        [one] 1 item is bewaard
       *[other] { $count } items zijn bewaard
    }
missed-title = Wat dit kanaal heeft gemist
collected-count =
    { $count ->
        [one] Eén bericht:
       *[other] { $count } berichten:
    }
more = En nog { $count }.
more-short = en nog { $count }
snooze = Deze monitor uitstellen of dempen: { $link }
snooze-short = Uitstellen of dempen: { $link }
template-failed = (De sjabloon van dit kanaal is mislukt. { $error }.)
stop = Deze berichten stoppen: { $link }
confirm-subject = Bevestig dit adres voor berichten van Carrel
confirm-body =
    Iemand met een account bij { $origin } wil berichten van dat account naar dit adres laten sturen.

    Als jij dat bent, open dan deze link en druk op de knop:

    { $link }

    Zo niet, doe dan niets: er wordt je dan niets gestuurd.
