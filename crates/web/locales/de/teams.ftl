# Families and teams.

teams-heading = Familie und Teams
teams-left = Du hast das Team verlassen.
teams-deleted = Team gelöscht. Was du geteilt hast, gehört wieder nur dir.
teams-words = Teile Schlagwörter deiner Bibliothek und die Änderungen von Wächtern mit Menschen, die du kennst. Du entscheidest, wer liest und wer auch Seiten hinzufügt.
teams-new = Neues Team
teams-name-hint = Etwa „Familie“. Die Mitglieder sehen ihn.
teams-create = Team erstellen
teams-member-of = Du bist Mitglied von
teams-membership-reader = Inhaber: { $owner }. Du kannst lesen. { $link }
teams-membership-editor = Inhaber: { $owner }. Du kannst lesen und Seiten hinzufügen und entfernen. { $link }
teams-shared = Mit dir geteilt
teams-leave = Verlassen
teams-leave-named = „{ $name }“ verlassen
teams-yours = Deine Teams
teams-no-members = noch keine Mitglieder
teams-members-count =
    { $count ->
        [one] { $count } Mitglied
       *[other] { $count } Mitglieder
    }
teams-join-title = Einem Team beitreten
teams-join-reader = { $owner } lädt dich in das Team { $team } ein. Du kannst lesen, was der Inhaber teilt. Der Inhaber sieht deine E-Mail-Adresse, { $email }. Du kannst das Team jederzeit verlassen.
teams-join-editor = { $owner } lädt dich in das Team { $team } ein. Du kannst lesen, was der Inhaber teilt, und Seiten hinzufügen und entfernen. Der Inhaber sieht deine E-Mail-Adresse, { $email }. Du kannst das Team jederzeit verlassen.
teams-join = Beitreten
team-title = Team
team-members = Mitglieder
team-invite-heading = Jemanden einladen
team-tags = Geteilte Schlagwörter
team-tags-words = Mitglieder sehen die Seiten mit diesen Schlagwörtern: Titel, Adresse, wann du sie gespeichert hast, und den Anfang des Textes, wenn er von der Adresse geladen wurde. Notizen, Markierungen und Dateien bleiben privat.
team-monitors = Geteilte Wächter
team-monitors-words = Mitglieder sehen die Namen und die Änderungen dieser Wächter.
team-delete-link = Team löschen …
team-created = Team erstellt. Lade seine Mitglieder ein.
team-invited = Einladung erstellt. Sie läuft in 7 Tagen ab und gilt einmal.
team-revoked = Einladung widerrufen. Ihr Link funktioniert nicht mehr.
team-removed = Mitglied entfernt. Ein weitergegebener Link unten funktioniert, bis du ihn widerrufst.
team-role-changed = Rolle geändert.
team-sharing-changed = Freigabe geändert.
team-no-members = Noch keine Mitglieder.
team-role = Rolle
team-role-of = Rolle von { $email }
team-change-role = Rolle von { $email } ändern
team-change = Ändern
team-reader = Leser
team-editor = Editor: fügt Seiten hinzu und entfernt sie
team-mailed = Gemailt an { $email }
team-link-to-pass = Link zum Weitergeben
team-as-reader = als Leser
team-as-editor = als Editor
team-expires = läuft { $time } ab
team-invitation-link = Link der Einladung
team-email-hint = Leer lassen, um einen Link zum Weitergeben zu erhalten.
team-invite = Einladen
team-stop = Nicht mehr teilen
team-stop-named = „{ $name }“ nicht mehr teilen
team-tag = Schlagwort
team-share-tag = Schlagwort teilen
team-monitor = Wächter
team-share-monitor = Wächter teilen
team-delete-question = Das Team { $name } löschen?
team-delete-words = Seine Mitglieder verlieren sofort den Zugriff. Deine Schlagwörter, Texte und Wächter bleiben, wie sie sind.
team-delete = Team löschen
