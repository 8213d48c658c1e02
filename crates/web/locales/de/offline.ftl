# Offline reading: its settings, the list of stored texts, and stored pages.

offline-heading = Offline lesen
offline-words = Dieser Browser kann Texte speichern: was du für später markiert oder zu lesen begonnen hast und ungelesene Einträge. Ohne Verbindung kannst du sie dann hier lesen.
offline-own-browser = Wähle das nur in deinem eigenen Browser. Was du ohne Verbindung als gelesen markierst, mit einem Stern versiehst, archivierst oder markierst, wird danach gesendet. Beim Abmelden werden die Texte und nicht Gesendetes gelöscht und das Offline-Lesen ausgeschaltet. Es braucht Skripte.
offline-save-amount = Menge speichern
offline-switch-on = Texte hier speichern
offline-stored = Gespeicherte Texte
offline-switch-off = Löschen und ausschalten
offline-amount = Menge
offline-size = Bis zu { $texts } Texte, höchstens { $size } MB mit Bildern
offline-all-pictures = Alle Bilder der Texte, nicht nur die schon gesehenen
offline-storing = Die Texte werden gespeichert.
offline-list-words = Diese Texte kannst du ohne Verbindung lesen. Was du dabei als gelesen markierst, mit einem Stern versiehst, archivierst oder markierst, wird gesendet, sobald es eine gibt. Andere Änderungen brauchen eine Verbindung.
offline-queue = Noch nicht gesendete Änderungen
offline-nothing = Es gibt noch nichts zu speichern: Nichts ist für später markiert oder begonnen, und kein Eintrag ist ungelesen.
offline-settings = Einstellungen des Offline-Lesens
offline-off = Offline-Lesen ist aus
offline-off-words = Dieser Browser speichert keine Texte. <1>Schalte es ein</1>, um ohne Verbindung zu lesen.
offline-refused = Du bist offline
offline-refused-words = Nichts wurde geändert. Geh zurück und wiederhole die Aktion, wenn du eine Verbindung hast.
offline-text-words = Du bist offline. Das ist der gespeicherte Text. Deine Markierungen und Sterne werden gesendet, sobald es eine Verbindung gibt.
