# Saved searches.

search-renamed = Suche umbenannt.
search-deleted = Suche gelöscht.
searches-none = Du hast keine gespeicherten Suchen. Suche in deiner Bibliothek oder in deinen Einträgen und wähle dann über den Treffern „Diese Suche speichern“.
searches-in-library = In der Bibliothek
searches-in-entries = In Einträgen von Feeds
