# Mails about an account.

reset-subject = Imposta una nuova password per Carrel
reset-body =
    Qualcuno ha chiesto una nuova password per l’account { $email } su { $origin }.

    Se sei stato tu, apri questo link entro un’ora. Vale finché non viene impostata una password.

    { $link }

    Se non sei stato tu, ignora questa e-mail. Nulla cambia finché il link non viene usato.
grant-made-subject = Un’app è stata collegata al tuo account Carrel
grant-made-event = A un’app è stato permesso di usare il tuo account su { $origin }.
grant-made-advice =
    Se sei stato tu, non c’è nulla da fare. Altrimenti, revoca il suo accesso e imposta una nuova password:

    { $link }
grant-reused-subject = L’accesso di un’app al tuo account Carrel è stato revocato
grant-reused-event = Un token di quest’app è stato usato una seconda volta, cosa che accade se è stato copiato. L’accesso dell’app è stato revocato subito, con tutti i suoi token.
grant-reused-advice =
    Se usi ancora l’app, collegala di nuovo. Attività recente delle tue app e delle tue chiavi:

    { $link }
grant-name = Nome indicato dall’app: «{ $name }» (non verificato)
grant-host = Ritorna a: { $host }
grant-reads = Permessi: lettura
grant-changes = Permessi: lettura e modifica
grant-time = Consentita: { $time }
email-request = Una persona con un account su { $origin } vuole usare questo indirizzo e-mail per il suo account.
email-taken-subject = Questo indirizzo e-mail ha già un account
email-taken-advice = L’indirizzo ha già un account su quel servizio, quindi nulla è stato cambiato. Se sei stato tu, accedi con questo indirizzo oppure elimina prima quell’account. Se non sei stato tu, ignora questa e-mail.
email-confirm-subject = Conferma il tuo nuovo indirizzo e-mail per Carrel
email-confirm-advice =
    Se sei stato tu, apri questo link entro un giorno e premi il pulsante:

    { $link }

    Se non sei stato tu, ignora questa e-mail. Nulla cambia finché il link non viene usato.
email-changed-subject = L’indirizzo e-mail del tuo account Carrel è stato cambiato
email-changed-body =
    L’indirizzo e-mail del tuo account su { $origin } è stato cambiato da { $before } a { $after }.

    Se sei stato tu, sostituisci il vecchio indirizzo nelle tue app di feed e sui tuoi e-reader. Le app Fever richiedono una nuova chiave API.

    Se non sei stato tu, apri questo link entro 7 giorni. Ripristina questo indirizzo e imposta una nuova password:

    { $link }
team-subject = Invito a un team in Carrel
team-body =
    Il titolare dell’account { $owner } su { $origin } ti invita in un team e condivide con esso pagine salvate.

    Per unirti, apri questo link entro 7 giorni. Ti serve un account su quel servizio:

    { $link }

    Se non conosci il mittente, ignora questa e-mail.
