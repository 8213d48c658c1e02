# Mails about an account.

reset-subject = Stel een nieuw wachtwoord in voor Carrel
reset-body =
    Iemand heeft een nieuw wachtwoord gevraagd voor het account { $email } bij { $origin }.

    Als jij dat was, open dan deze link binnen een uur. Hij werkt tot er een wachtwoord is ingesteld.

    { $link }

    Als jij het niet was, negeer dan deze mail. Er verandert niets zolang de link niet wordt gebruikt.
grant-made-subject = Er is een app met je Carrel-account verbonden
grant-made-event = Een app heeft toestemming gekregen om je account bij { $origin } te gebruiken.
grant-made-advice =
    Als jij dat was, hoef je niets te doen. Zo niet, trek de toegang in en stel een nieuw wachtwoord in:

    { $link }
grant-reused-subject = De toegang van een app tot je Carrel-account is ingetrokken
grant-reused-event = Een token van deze app is een tweede keer gebruikt. Dat gebeurt als het is gekopieerd. De toegang van de app is meteen ingetrokken, met al haar tokens.
grant-reused-advice =
    Als je de app nog gebruikt, verbind haar dan opnieuw. Recente activiteit van je apps en sleutels:

    { $link }
grant-name = Naam volgens de app: ‘{ $name }’ (niet gecontroleerd)
grant-host = Keert terug naar: { $host }
grant-reads = Rechten: lezen
grant-changes = Rechten: lezen en wijzigen
grant-time = Toegestaan: { $time }
email-request = Iemand met een account bij { $origin } wil dit e-mailadres daarvoor gebruiken.
email-taken-subject = Dit e-mailadres heeft al een account
email-taken-advice = Het adres heeft daar al een account, dus er is niets gewijzigd. Als jij dat was, log dan in met dit adres of verwijder eerst dat account. Als jij het niet was, negeer dan deze mail.
email-confirm-subject = Bevestig je nieuwe e-mailadres voor Carrel
email-confirm-advice =
    Als jij dat was, open dan deze link binnen een dag en druk op de knop:

    { $link }

    Als jij het niet was, negeer dan deze mail. Er verandert niets zolang de link niet wordt gebruikt.
email-changed-subject = Het e-mailadres van je Carrel-account is gewijzigd
email-changed-body =
    Het e-mailadres van je account bij { $origin } is gewijzigd van { $before } in { $after }.

    Als jij dat was, vervang dan het oude adres in je feedapps en op je e-readers. Fever-apps hebben een nieuwe API-sleutel nodig.

    Als jij het niet was, open dan deze link binnen 7 dagen. Hij herstelt dit adres en stelt een nieuw wachtwoord in:

    { $link }
team-subject = Uitnodiging voor een team in Carrel
team-body =
    De eigenaar van het account { $owner } bij { $origin } nodigt je uit voor een team en deelt er bewaarde pagina’s mee.

    Open deze link binnen 7 dagen om mee te doen. Je hebt daar een account nodig:

    { $link }

    Als je de afzender niet kent, negeer dan deze mail.
