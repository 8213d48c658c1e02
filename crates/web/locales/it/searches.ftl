# Saved searches.

search-renamed = Ricerca rinominata.
search-deleted = Ricerca eliminata.
searches-none = Non hai ricerche salvate. Cerca nella tua libreria o tra le voci, poi scegli “Salva questa ricerca” sopra i risultati.
searches-in-library = Nella libreria
searches-in-entries = Nelle voci dei feed
