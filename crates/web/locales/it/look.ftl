# Reading settings.

look-saved = Impostazioni salvate in questo browser.
look-saved-account = Impostazioni salvate per tutti i tuoi browser.
look-offline-off = La lettura offline è disattivata. I testi in questo browser sono stati eliminati.
look-words = Aspetto e comportamento delle pagine e dei testi in tutti i browser in cui hai effettuato l’accesso. Una modifica è visibile subito; salvala per applicarla a ogni pagina.
look-only-here = Solo in questo browser
look-only-here-words = Gli altri tuoi browser restano come sono.
look-save = Salva impostazioni
look-sample = Il porto si sveglia prima della città. Le barche uscite alle quattro rientrano una dopo l’altra, e i gabbiani le conoscono tutte.
look-ways = Salva e cerca da ovunque
look-bookmark = Trascina questo link tra i preferiti. Salva la pagina che stai guardando: { $link }
look-bookmark-link = Salva in Carrel
look-install = Installa Carrel come app dal menu del browser. Su un telefono, le altre app possono poi condividere pagine con Carrel.
look-keys = I tuoi feed e la tua libreria hanno tasti come quelli di altri lettori. Premi lì { $key } per vederli.
look-search-engine = Puoi anche cercare dal browser: aggiungi Carrel come motore di ricerca, con l’indirizzo { $address }.
appearance-words = Aspetto dei testi in questo browser. Una modifica è visibile subito; salvala per applicarla a tutte le pagine.
appearance-offline = Con un account, un browser può anche <1>conservare testi da leggere offline</1>.
appearance-refused = Le impostazioni non sono state salvate perché le ha inviate un altro sito. Sceglile di nuovo.
appearance-unread = Non è stato possibile leggere le impostazioni. Sceglile di nuovo.
appearance-face-wrong = Le impostazioni non sono state salvate. Inserisci il nome del carattere: da 1 a 60 lettere A–Z, cifre, spazi e trattini.
