# Rules for saved items.

item-rules = Regole per gli elementi salvati
item-rules-words = Una regola modifica ogni nuovo elemento una sola volta, appena il suo testo è stato letto. Gli elementi importati non vengono modificati. Le etichette pubbliche o condivise non vengono aggiunte.
item-rules-created = Regola creata. Vale per ciò che salvi da ora in poi.
item-rules-changed = Regole modificate.
item-rules-deleted = Regola eliminata.
item-rules-name = Nome della regola
item-rules-query = Elementi trovati da questa ricerca
item-rules-query-hint = Per esempio domain:example.org o title:fattura. Parole e filtri sono quelli della ricerca.
item-rules-status = Sposta in
item-rules-status-none = Non spostare
item-rules-adds = Aggiunge le etichette: { $tags }
item-rules-moves = Sposta in: { $status }
item-rules-nothing = Non cambia nulla
item-rules-matches = Corrispondenze finora: { $count }
item-rules-items = Mostra elementi
item-rules-withheld = Non aggiunte, perché pubbliche o condivise: { $tags }
item-rules-edit-named = Modifica “{ $name }”
item-rules-up = Su
item-rules-up-named = Sposta “{ $name }” in su
item-rules-down = Giù
item-rules-down-named = Sposta “{ $name }” in giù
item-rules-stay = Gli elementi che la regola ha modificato restano come sono.
