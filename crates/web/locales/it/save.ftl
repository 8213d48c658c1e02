# Form that saves a page.

save-heading = Salva una pagina
save-words = Il testo viene scaricato e salvato nella tua libreria, dove puoi leggerlo più tardi, evidenziarlo e ritrovarlo.
save-no-address = Ciò che hai condiviso non contiene un indirizzo. Inserisci l’indirizzo della pagina.
save-title = Titolo
save-title-hint = Facoltativo. Altrimenti si usa il titolo della pagina.
save-tags-hint = Facoltativo, separate da virgole.
save-library = Vai alla libreria
save-to = Salva in
save-render = Apri prima in un browser
save-render-auto = Se la pagina richiede script
save-render-always = Sempre
save-render-without-cookie-notices = Sempre, senza avvisi sui cookie
save-render-never = Mai
save-render-hint = Per pagine il cui testo appare solo dopo gli script. Costa cinque nuove estrazioni invece di una.

# Form that uploads files.

upload-heading = Carica file
upload-files = File
upload-hint = PDF, e-book, documenti d’ufficio, testi, pagine web, e-mail e immagini. Con gli script puoi anche trascinare i file su questa pagina.
upload-send = Carica
upload-saved = Salvato
upload-sending = Caricamento:
upload-none = Scegli almeno un file.
upload-refused-size = Non salvato: supera { $size }, il massimo del tuo piano.
upload-refused-storage = Non salvato: lo spazio è esaurito. <1>Vedi l’utilizzo</1>.
upload-refused-type = Non salvato: il contenuto non è del tipo indicato dal nome.
upload-refused = Non salvato: { $reason }
upload-failed = Non salvato. Controlla la connessione, ricarica la pagina e riprova.
