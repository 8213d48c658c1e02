# Home page.

home-heading = Leggi, segui, salva e sorveglia il web
home-purpose = { $name } trasforma le pagine web in testo pulito, ti porta le novità dei siti che ti piacciono, conserva ciò che vuoi ricordare e ti avvisa quando una pagina cambia.
home-try = Provalo: incolla l’indirizzo di un articolo
home-read = Leggi
home-read-words = Qualsiasi articolo, documento o PDF come testo pulito, senza pubblicità né pop-up. Ascoltalo, o portalo con te come e-book.
home-follow = Segui
home-follow-words = Blog, notizie, podcast e canali in un’unica lista. Porta i tuoi feed da un altro lettore.
home-save = Salva
home-save-words = Pagine e file con il testo completo. Evidenzia, prendi note e ritrova ogni parola.
home-watch = Sorveglia
home-watch-words = Un messaggio quando un prezzo scende, un prodotto torna disponibile o una pagina cambia.
home-picture-today = La pagina “Oggi”: prezzi scesi e nuove voci dei siti seguiti
home-picture-text = Un testo salvato con una frase evidenziata
home-picture-monitor = Un prezzo tenuto d’occhio con il grafico dei suoi valori
home-everywhere = Usalo nel browser di ogni dispositivo, nelle tue app di feed e di lettura differita e sugli e-reader. Anche gli <1>assistenti IA</1> possono usarlo, se lo consenti.
home-no-account = Questo servizio non ha ancora account. Crea il primo qui, o sul server con { $command }.
home-programs = Per i programmi
home-programs-words = Metti questo indirizzo davanti a qualsiasi altro, o usa l’<1>API</1>. Non serve una chiave.
