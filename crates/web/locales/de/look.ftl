# Reading settings.

look-saved = Einstellungen in diesem Browser gespeichert.
look-saved-account = Einstellungen für alle deine Browser gespeichert.
look-offline-off = Offline-Lesen ist aus. Die Texte in diesem Browser wurden gelöscht.
look-words = Aussehen und Verhalten von Seiten und Texten in allen Browsern, in denen du angemeldet bist. Eine Änderung ist sofort sichtbar; speichere sie, damit sie auf jeder Seite gilt.
look-only-here = Nur in diesem Browser
look-only-here-words = Deine anderen Browser bleiben, wie sie sind.
look-save = Einstellungen speichern
look-sample = Der Hafen erwacht vor der Stadt. Boote, die um vier hinausfuhren, kehren eines nach dem anderen heim, und die Möwen kennen jedes von ihnen.
look-ways = Von überall speichern und suchen
look-bookmark = Zieh diesen Link zu deinen Lesezeichen. Er speichert die Seite, die du gerade ansiehst: { $link }
look-bookmark-link = In Carrel speichern
look-install = Installiere Carrel über das Menü deines Browsers als App. Auf dem Telefon können andere Apps dann Seiten mit Carrel teilen.
look-keys = Deine Feeds und deine Bibliothek lassen sich mit der Tastatur bedienen wie andere Leseprogramme. Drücke dort { $key }, um die Tasten zu sehen.
look-search-engine = Du kannst auch direkt im Browser suchen: Füge Carrel als Suchmaschine hinzu, mit der Adresse { $address }.
appearance-words = Aussehen der Texte in diesem Browser. Eine Änderung ist sofort sichtbar; speichere sie, damit sie auf jeder Seite gilt.
appearance-offline = Mit einem Konto kann ein Browser auch <1>Texte zum Lesen ohne Verbindung speichern</1>.
appearance-refused = Die Einstellungen wurden nicht gespeichert, weil eine andere Website sie geschickt hat. Wähle sie noch einmal.
appearance-unread = Die Einstellungen konnten nicht gelesen werden. Wähle sie noch einmal.
appearance-face-wrong = Die Einstellungen wurden nicht gespeichert. Gib den Namen der Schrift ein: 1 bis 60 Buchstaben A–Z, Ziffern, Leerzeichen und Bindestriche.
