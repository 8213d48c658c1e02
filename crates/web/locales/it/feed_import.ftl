# Import and export of lists of feeds.

opml-title = Importa ed esporta
opml-heading = Importa ed esporta feed
opml-words = Un file OPML, che ogni lettore di feed può esportare. Le cartelle diventano raccolte. I feed che segui già restano invariati.
opml-download = Scarica i feed come OPML
opml-running = <1>È in corso un’importazione</1>.
opml-last = Risultato dell’ultima importazione
feed-import-running = Importazione dei feed
feed-import-finished = I tuoi feed sono importati
feed-import-reloads = Questa pagina si ricarica fino alla fine dell’importazione. Puoi lasciarla e tornare.
feed-import-checked = Feed controllati
feed-import-empty = Il file non contiene feed.
feed-import-to-feeds = Vai ai tuoi feed
feed-import-stopped-words = I feed già importati restano.
feed-import-unknown = Il file non è un elenco di feed in OPML o è danneggiato. Esportalo di nuovo dal tuo lettore. Segnalibri e pagine salvate si importano in Libreria › Importa.
feed-import-too-large = La lettura del file richiede troppo tempo o memoria. Non è stato importato nulla.
feed-import-again = Importa di nuovo il file. I feed già importati non vengono aggiunti due volte.
feed-import-in-file = Feed nel file
feed-import-known = Già seguiti
feed-import-refused = Non importati
feed-import-collections = Raccolte create
feed-import-no-collection = Senza raccolta, perché il tuo piano non ne consente altre
feed-import-problems = Che cosa non è stato importato come nel file, e perché
feed-import-problem = Feed { $row }: { $reason }
feed-import-more = E altri { $amount }.
