# Families and teams.

teams-heading = Familie en teams
teams-left = Je hebt het team verlaten.
teams-deleted = Team verwijderd. Wat je deelde, is weer alleen van jou.
teams-words = Deel labels van je bibliotheek en de wijzigingen van monitors met mensen die je kent. Jij bepaalt wie leest en wie ook pagina’s toevoegt.
teams-new = Nieuw team
teams-name-hint = Zoals ‘Familie’. De leden zien hem.
teams-create = Team maken
teams-member-of = Je bent lid van
teams-membership-reader = Eigenaar: { $owner }. Je kunt lezen. { $link }
teams-membership-editor = Eigenaar: { $owner }. Je kunt lezen, en pagina’s toevoegen en verwijderen. { $link }
teams-shared = Met jou gedeeld
teams-leave = Verlaten
teams-leave-named = ‘{ $name }’ verlaten
teams-yours = Je teams
teams-no-members = nog geen leden
teams-members-count =
    { $count ->
        [one] { $count } lid
       *[other] { $count } leden
    }
teams-join-title = Lid worden van een team
teams-join-reader = { $owner } nodigt je uit voor het team { $team }. Je kunt lezen wat de eigenaar deelt. De eigenaar ziet je e-mailadres, { $email }. Je kunt altijd vertrekken.
teams-join-editor = { $owner } nodigt je uit voor het team { $team }. Je kunt lezen wat de eigenaar deelt, en pagina’s toevoegen en verwijderen. De eigenaar ziet je e-mailadres, { $email }. Je kunt altijd vertrekken.
teams-join = Lid worden
team-title = Team
team-members = Leden
team-invite-heading = Iemand uitnodigen
team-tags = Gedeelde labels
team-tags-words = Leden zien de pagina’s met deze labels: titel, adres, wanneer je ze bewaarde, en het begin van de tekst als die van het adres is opgehaald. Notities, markeringen en bestanden blijven privé.
team-monitors = Gedeelde monitors
team-monitors-words = Leden zien de namen en de wijzigingen van deze monitors.
team-delete-link = Team verwijderen…
team-created = Team gemaakt. Nodig de leden uit.
team-invited = Uitnodiging gemaakt. Die verloopt over 7 dagen en werkt één keer.
team-revoked = Uitnodiging ingetrokken. De link werkt niet meer.
team-removed = Lid verwijderd. Een doorgegeven link hieronder werkt tot je die intrekt.
team-role-changed = Rol gewijzigd.
team-sharing-changed = Delen gewijzigd.
team-no-members = Nog geen leden.
team-role = Rol
team-role-of = Rol van { $email }
team-change-role = Rol van { $email } wijzigen
team-change = Wijzigen
team-reader = Lezer
team-editor = Redacteur: voegt pagina’s toe en verwijdert ze
team-mailed = Gemaild naar { $email }
team-link-to-pass = Link om door te geven
team-as-reader = als lezer
team-as-editor = als redacteur
team-expires = verloopt { $time }
team-invitation-link = Link van de uitnodiging
team-email-hint = Laat leeg voor een link die je zelf doorgeeft.
team-invite = Uitnodigen
team-stop = Niet meer delen
team-stop-named = ‘{ $name }’ niet meer delen
team-tag = Label
team-share-tag = Label delen
team-monitor = Monitor
team-share-monitor = Monitor delen
team-delete-question = Het team { $name } verwijderen?
team-delete-words = De leden verliezen meteen de toegang. Je labels, items en monitors blijven zoals ze zijn.
team-delete = Team verwijderen
