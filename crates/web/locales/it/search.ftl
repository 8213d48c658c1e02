# Search in the library and in feeds, and search by meaning.

search-help = Parole, { $phrase }, { $without }, { $tag } e { $domain } trovano elementi, note, evidenziazioni e voci. Scrivi un indirizzo per aprire la pagina.
search-whole-phrases = "frasi intere"
search-without = -senza
search-all-library = Tutti i risultati nella libreria
search-similar = Nessun risultato esatto. Questi contengono parole simili.
search-all-feeds = Tutti i risultati nei feed
search-again = Cerca di nuovo
search-none = nessun risultato
search-more-than = più di { $amount }
search-note = Nota
search-highlight = Evidenziazione
meaning-requested = La ricerca è in corso. Questa pagina mostra i risultati quando sono pronti.
meaning-words = Descrivi ciò che ricordi di un testo. Non deve contenere queste parole.
meaning-form = Cerca nella libreria per significato
meaning-query = Descrizione del testo
meaning-off = Il modello linguistico è disattivato. <1>Impostazioni</1>
meaning-searching = Ricerca di { $query }. La prima ricerca dura di più, perché i testi vengono confrontati per la prima volta.
meaning-failed = Non ci sono risultati: { $reason }.
meaning-results = Risultati per { $query }
meaning-none = Nessun elemento corrisponde.
meaning-compared = I testi di { $number } elementi sono stati confrontati { $time }.
meaning-unindexed = Non ancora confrontati: { $number }. Cerca di nuovo per continuare.
meaning-request-failed = Una richiesta non è riuscita: { $reason }.
