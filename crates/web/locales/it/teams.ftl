# Families and teams.

teams-heading = Famiglia e team
teams-left = Hai lasciato il team.
teams-deleted = Team eliminato. Ciò che condividevi è di nuovo solo tuo.
teams-words = Condividi etichette della tua libreria e i cambiamenti dei monitor con persone che conosci. Decidi tu chi legge e chi aggiunge anche pagine.
teams-new = Nuovo team
teams-name-hint = Per esempio «Famiglia». I membri lo vedono.
teams-create = Crea team
teams-member-of = Fai parte di
teams-membership-reader = Proprietario: { $owner }. Puoi leggere. { $link }
teams-membership-editor = Proprietario: { $owner }. Puoi leggere, e aggiungere e rimuovere pagine. { $link }
teams-shared = Condivisi con te
teams-leave = Lascia
teams-leave-named = Lascia «{ $name }»
teams-yours = I tuoi team
teams-no-members = ancora nessun membro
teams-members-count =
    { $count ->
        [one] { $count } membro
       *[other] { $count } membri
    }
teams-join-title = Entra in un team
teams-join-reader = { $owner } ti invita nel team { $team }. Puoi leggere ciò che il proprietario condivide. Vedrà il tuo indirizzo e-mail, { $email }. Puoi uscire in qualsiasi momento.
teams-join-editor = { $owner } ti invita nel team { $team }. Puoi leggere ciò che il proprietario condivide, e aggiungere e rimuovere pagine. Il proprietario vedrà il tuo indirizzo e-mail, { $email }. Puoi uscire in qualsiasi momento.
teams-join = Entra
team-title = Team
team-members = Membri
team-invite-heading = Invita qualcuno
team-tags = Etichette condivise
team-tags-words = I membri vedono le pagine con queste etichette: titolo, indirizzo, quando le hai salvate e l’inizio del testo se è stato scaricato dall’indirizzo. Note, evidenziazioni e file restano privati.
team-monitors = Monitor condivisi
team-monitors-words = I membri vedono i nomi e i cambiamenti di questi monitor.
team-delete-link = Elimina team…
team-created = Team creato. Invita i suoi membri.
team-invited = Invito creato. Scade tra 7 giorni e vale una volta.
team-revoked = Invito revocato. Il link non funziona più.
team-removed = Membro rimosso. Un link qui sotto che hai passato vale finché non lo revochi.
team-role-changed = Ruolo cambiato.
team-sharing-changed = Condivisione cambiata.
team-no-members = Ancora nessun membro.
team-role = Ruolo
team-role-of = Ruolo di { $email }
team-change-role = Cambia il ruolo di { $email }
team-change = Cambia
team-reader = Lettore
team-editor = Editor: aggiunge e rimuove pagine
team-mailed = Inviato a { $email }
team-link-to-pass = Link da passare
team-as-reader = come lettore
team-as-editor = come editor
team-expires = scade { $time }
team-invitation-link = Link dell’invito
team-email-hint = Lascia vuoto per avere un link da passare tu.
team-invite = Invita
team-stop = Non condividere più
team-stop-named = Non condividere più «{ $name }»
team-tag = Etichetta
team-share-tag = Condividi etichetta
team-monitor = Monitor
team-share-monitor = Condividi monitor
team-delete-question = Eliminare il team { $name }?
team-delete-words = I membri perdono subito l’accesso. Etichette, elementi e monitor restano come sono.
team-delete = Elimina team
