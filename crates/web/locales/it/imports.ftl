# Import of files into the library.

import-words = Puoi importare segnalibri, esportazioni di servizi per leggere dopo, evidenziazioni di lettori, riferimenti, elenchi di URL ed esportazioni di Carrel stesso.
import-checked-first = Il file viene prima controllato. Vedi che cosa verrebbe importato, poi decidi.
import-file = File
import-format = Formato
import-detect = Rileva
import-include = Da un’esportazione di Carrel, importa anche feed, monitor, impostazioni, regole e posizioni
import-check = Controlla file
import-fields = Che cosa viene importato da ogni formato
import-servers = <1>Importa da un server</1> di Karakeep, wallabag, linkding, Readeck, Miniflux, FreshRSS, Readwise, Raindrop o Pinboard.
import-opml = Importa feed <1>come OPML</1>.
import-folders = Cartelle
import-folders-path = Un’etichetta con il percorso
import-folders-tags = Un’etichetta per cartella
import-folders-none = Nessuna etichetta
import-undone = Importazione annullata.
import-no-rows = Nessuna riga può essere ritentata.
import-no-file = Il file o l’elenco delle sue righe non è più conservato. Importalo di nuovo: ciò che esiste non viene aggiunto due volte.
import-reloads = Questa pagina si ricarica fino alla fine. Puoi lasciarla e tornare.
import-rows-checked = Righe controllate
import-removed = Tutto ciò che l’importazione aveva aggiunto è stato rimosso, tranne gli elementi che hai modificato da allora.
import-can-undo = Puoi annullare questa importazione. L’opzione scade { $time }. Gli elementi che hai modificato restano, come le aggiunte a quelli che avevi già.
import-heading-undoing = Annullamento dell’importazione
import-heading-checking = Controllo del file
import-heading-running = Importazione in corso
import-heading-preview = Anteprima dell’importazione
import-heading-undone = Importazione annullata
import-heading-finished = Importazione completata
import-heading-stopped = Importazione interrotta
import-heading-failed = Importazione non riuscita
import-you-stopped = Hai interrotto l’importazione prima della fine.
import-unknown-format = Il file non contiene dati in questo formato. Scegli un altro formato o il rilevamento automatico.
import-damaged = Il file è danneggiato o non è del tipo dichiarato.
import-too-large = Il file è troppo grande, ha troppe righe o contiene una riga che richiede troppa memoria.
import-incomplete = Non è stato possibile completare l’importazione.
import-rows = Righe
import-would-be-new = Sarebbero nuovi
import-new = Nuovi
import-existing = Già presenti
import-skipped = Saltati
import-failed = Non riusciti
import-annotations = Note ed evidenziazioni
import-part-feed-settings = Impostazioni dei feed
import-part-rules = Regole
import-part-templates = Modelli dei messaggi
import-part-account-settings = Impostazioni dell’account
import-part-positions = Posizioni
import-parts-uncounted = Verranno importati anche feed, monitor, impostazioni, regole e posizioni. Vengono contati durante l’importazione.
import-problems =
    { $count ->
        [one] { $count } problema
       *[other] { $count } problemi
    }
import-problems-first =
    { $count ->
        [one] Il primo problema
       *[other] I primi { $count } problemi
    }
import-row-reason = Riga { $row }: { $reason }
import-stop = Interrompi
import-to-library = Vai alla libreria
import-retry = Riprova le righe
import-from-server = Importa da un server
import-continue = Continua
import-other-file = Scegli un altro file
import-undo = Annulla importazione
import-rows-gone = Le righe non sono più elencate, perché importazioni più recenti hanno bisogno dello spazio.
import-no-match = Nessuna riga corrisponde.
import-more-rows = Altre righe
import-download-rows = Scarica tutte le righe come CSV
import-with-problems = Con problemi
import-annotation = Nota o evidenziazione
import-untitled = Senza titolo
import-row = Riga { $row }
import-columns = Colonne
import-columns-words = Questo è ciò che Carrel propone per ogni colonna del file. Se cambi un campo, controlla di nuovo il file prima di importarlo.
import-check-again = Controlla di nuovo
