# Saved searches.

search-renamed = Ricerca rinominata.
search-deleted = Ricerca eliminata.
searches-query = Testo da cercare
searches-none = Non hai ricerche salvate. Cerca nella tua libreria o tra le voci, poi scegli “Salva questa ricerca” sopra i risultati.
searches-in-library = Nella libreria
searches-in-entries = Nelle voci dei feed
search-feed-created = Il feed ha un nuovo indirizzo. Un indirizzo precedente non funziona più.
search-feed-deleted = Feed eliminato. Il suo indirizzo non funziona più.
searches-feed-words = Una ricerca può avere un feed privato dei suoi 50 risultati più recenti per qualsiasi lettore. Chi conosce l’indirizzo può leggerlo.
searches-feed-address = Indirizzo del feed di “{ $name }”
searches-feed-create = Crea feed
searches-feed-create-named = Crea un feed di “{ $name }”
searches-feed-new = Nuovo indirizzo del feed
searches-feed-new-named = Nuovo indirizzo del feed di “{ $name }”
searches-feed-delete = Elimina feed
searches-feed-delete-named = Elimina il feed di “{ $name }”
