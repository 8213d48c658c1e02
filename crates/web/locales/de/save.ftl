# Form that saves a page.

save-heading = Seite speichern
save-words = Ihr Text wird geladen und in deiner Bibliothek gespeichert. Dort kannst du ihn später lesen, markieren und wiederfinden.
save-no-address = Das Geteilte enthält keine Adresse. Gib die Adresse der Seite ein.
save-title = Titel
save-title-hint = Optional. Sonst wird der Titel der Seite verwendet.
save-tags-hint = Optional, durch Kommas getrennt.
save-library = Zur Bibliothek
save-to = Speichern unter
save-render = Zuerst in einem Browser öffnen
save-render-auto = Wenn die Seite Skripte braucht
save-render-always = Immer
save-render-never = Nie
save-render-hint = Für Seiten, deren Text erst durch Skripte erscheint. Das kostet fünf frische Extraktionen statt einer.
