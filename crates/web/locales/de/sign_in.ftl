# Sign-in and sign-up.

sign-in = Anmelden
sign-in-passkey = Mit einem Passkey anmelden
oidc-sign-in = Mit { $name } anmelden
sign-in-forgot = Passwort vergessen?
sign-in-new = Noch kein Konto? <1>Konto erstellen</1>.
sign-in-for-app = Eine App bittet um Zugriff auf dein Konto. Melde dich an oder erstelle ein Konto, um die Anfrage zu sehen. Ohne deine Zustimmung ist nichts erlaubt.
sign-up = Registrieren
sign-up-heading = Konto erstellen
sign-up-button = Konto erstellen
sign-up-closed = Die Registrierung ist geschlossen. Bitte den Betreiber dieses Dienstes um ein Konto.
sign-up-purpose = Folge Websites, speichere Seiten in deiner Bibliothek und erhalte eine Nachricht, wenn sich eine Seite ändert. Du brauchst nur eine E-Mail-Adresse und ein Passwort.
sign-up-invitation = Einladung
sign-up-invitation-hint = Der Code, den du erhalten hast. Er gilt einmal.
sign-up-known = Schon ein Konto? <1>Anmelden</1>.
purpose-today = Melde dich an, um deinen Tag zu sehen
purpose-today-words = „Heute“ ist deine Startseite: neue Einträge deiner Feeds, Änderungen der Seiten, die du beobachtest, und was du zuletzt gespeichert hast.
purpose-feeds = Melde dich an, um deine Feeds zu sehen
purpose-feeds-words = Folge Blogs, Nachrichtenseiten und Podcasts: Ihre neuen Einträge kommen in einer Liste an, hier und in deinen Feed-Apps. Du kannst deine Feeds aus einem anderen Reader mitbringen.
purpose-library = Melde dich an, um deine Bibliothek zu öffnen
purpose-library-words = Deine Bibliothek bewahrt Seiten und Dateien mit vollem Text, deinen Markierungen und Notizen auf. Du kannst jedes Wort suchen, offline auf einem E-Reader lesen und jederzeit alles exportieren.
purpose-monitors = Melde dich an, um deine Wächter zu sehen
purpose-monitors-words = Ein Wächter prüft eine Webseite regelmäßig und meldet jede echte Änderung: einen niedrigeren Preis, ein wieder lieferbares Produkt, einen neuen Absatz. Nachrichten kommen per E-Mail, im Chat oder in jedem Feedreader.
purpose-search = Melde dich an, um zu suchen
purpose-search-words = Die Suche umfasst deine Bibliothek, deine Markierungen und Notizen und die Einträge deiner Feeds.
