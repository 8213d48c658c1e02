# Home page.

home-heading = Das Web lesen, verfolgen, speichern und beobachten
home-purpose = { $name } macht aus Webseiten reinen Text, bringt dir Neues von deinen Lieblingsseiten, bewahrt auf, was du behalten willst, und meldet, wenn sich eine Seite ändert.
home-try = Probiere es aus: Füge die Adresse eines Artikels ein
home-read = Lesen
home-read-words = Jeder Artikel, jedes Dokument oder PDF als reiner Text, ohne Werbung und Pop-ups. Höre ihn an oder nimm ihn als E-Book mit.
home-follow = Folgen
home-follow-words = Blogs, Nachrichten, Podcasts und Kanäle in einer Liste. Bring deine Feeds aus einem anderen Reader mit.
home-save = Speichern
home-save-words = Seiten und Dateien mit vollem Text. Markiere, notiere und finde jedes Wort wieder.
home-watch = Beobachten
home-watch-words = Eine Nachricht, wenn ein Preis fällt, ein Produkt wieder lieferbar ist oder sich eine Seite ändert.
home-picture-today = Die Seite „Heute“: gesunkene Preise und neue Einträge der Websites, denen du folgst
home-picture-text = Ein gespeicherter Text mit einem markierten Satz
home-picture-monitor = Ein beobachteter Preis mit dem Verlauf seiner Werte
home-everywhere = Nutze es im Browser auf jedem Gerät, in deinen Feed- und Später-lesen-Apps und auf E-Readern. Auch <1>KI-Assistenten</1> können es nutzen, wenn du es erlaubst.
home-no-account = Dieser Dienst hat noch kein Konto. Erstelle das erste hier oder auf dem Server mit { $command }.
home-programs = Für Programme
home-programs-words = Setze diese Adresse vor eine beliebige andere oder nutze die <1>API</1>. Ein Schlüssel ist nicht nötig.
