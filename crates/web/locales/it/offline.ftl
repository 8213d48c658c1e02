# Offline reading: its settings, the list of stored texts, and stored pages.

offline-heading = Lettura offline
offline-words = Questo browser può conservare testi: ciò che hai messo da parte o iniziato a leggere, e le voci non lette. Senza connessione potrai leggerli qui.
offline-own-browser = Sceglilo solo nel tuo browser. Ciò che segni come letto, con una stella, archivi o evidenzi senza connessione viene inviato dopo. Uscendo, i testi e ciò che non è stato inviato vengono eliminati e la lettura offline si disattiva. Servono gli script.
offline-save-amount = Salva
offline-switch-on = Conserva testi qui
offline-stored = Testi conservati
offline-switch-off = Elimina e disattiva
offline-amount = Quantità
offline-size = Fino a { $texts } testi, al massimo { $size } MB con immagini
offline-all-pictures = Tutte le immagini dei testi, non solo quelle che hai visto
offline-storing = I testi sono in fase di salvataggio.
offline-list-words = Puoi leggere questi testi senza connessione. Ciò che segni come letto, con una stella, archivi o evidenzi viene inviato quando torna. Altre modifiche richiedono una connessione.
offline-queue = Modifiche non ancora inviate
offline-nothing = Non c’è ancora nulla da conservare: niente è per dopo o iniziato, e nessuna voce è da leggere.
offline-settings = Impostazioni della lettura offline
offline-off = La lettura offline è disattivata
offline-off-words = Questo browser non conserva testi. <1>Attivala</1> per leggere senza connessione.
offline-refused = Sei offline
offline-refused-words = Non è stato cambiato nulla. Torna indietro e ripeti l’azione quando hai una connessione.
offline-text-words = Sei offline. Questo è il testo conservato. I tuoi segni, stelle ed evidenziazioni vengono inviati quando c’è una connessione.
