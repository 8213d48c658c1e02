# Saved searches.

search-renamed = Suche umbenannt.
search-deleted = Suche gelöscht.
searches-query = Suchanfrage
searches-none = Du hast keine gespeicherten Suchen. Suche in deiner Bibliothek oder in deinen Einträgen und wähle dann über den Treffern „Diese Suche speichern“.
searches-in-library = In der Bibliothek
searches-in-entries = In Einträgen von Feeds
search-feed-created = Der Feed hat eine neue Adresse. Frühere Adressen funktionieren nicht mehr.
search-feed-deleted = Feed gelöscht. Seine Adresse funktioniert nicht mehr.
searches-feed-words = Eine Suche kann einen privaten Feed ihrer 50 neuesten Treffer für jeden Feedreader haben. Wer die Adresse kennt, kann ihn lesen.
searches-feed-address = Adresse des Feeds von „{ $name }“
searches-feed-create = Feed erstellen
searches-feed-create-named = Feed von „{ $name }“ erstellen
searches-feed-new = Neue Feed-Adresse
searches-feed-new-named = Neue Adresse des Feeds von „{ $name }“
searches-feed-delete = Feed löschen
searches-feed-delete-named = Feed von „{ $name }“ löschen
