# Export of the library.

export-everything = Tutto
export-everything-words = Testi, file, etichette, note ed evidenziazioni, con i tuoi feed, stelle, regole, monitor e le loro modifiche. Si può importare di nuovo.
export-bookmarks = Segnalibri
export-bookmarks-words = Indirizzi, titoli ed etichette, per qualsiasi browser.
export-table = Una tabella
export-table-words = Una riga per elemento, per un foglio di calcolo.
export-cards = Schede
export-cards-words = Spazi vuoti e domande delle tue evidenziazioni, come testo per Anki.
export-create = Crea esportazione
export-feeds = Esporta i tuoi feed <1>come OPML</1>.
export-creating = Creazione dell’esportazione
export-reloads = Questa pagina si ricarica finché l’esportazione è pronta. Puoi lasciarla e tornare.
export-written = Elementi scritti
export-progress = { $done } di { $total }
export-failed = Esportazione non riuscita
export-failed-words = Non è stato possibile creare l’esportazione. <1>Riprova</1>.
export-yours = La tua esportazione
export-expires = I file vengono eliminati { $time }.
export-delete = Elimina esportazione
export-part = Scarica parte { $number }
export-kilobytes = { $amount } KB
