# First steps of a new account.

welcome-followed = Ora segui questi feed. Le loro voci appaiono tra qualche minuto.
welcome-none = Niente è selezionato. Seleziona dei feed, poi seguili.
welcome-follow-words = Le nuove voci dei siti che segui arrivano in un unico elenco.
welcome-site = Indirizzo di un sito
welcome-bring = Da un altro lettore: <1>porta i tuoi feed (OPML)</1>. Da un browser: <2>porta i tuoi segnalibri</2>.
welcome-save-words = La tua libreria conserva il testo completo. Puoi evidenziarlo, aggiungere note e ritrovare ogni parola.
welcome-page = Indirizzo di una pagina
welcome-ways = <1>Salva da qualsiasi pagina con un clic</1>.
welcome-watch-words = Carrel controlla la pagina per te e ti avvisa quando il prezzo scende o cambia qualcos’altro.
welcome-watched = Indirizzo di un prodotto o di una pagina
welcome-today = Vai a Oggi
welcome-skip = Salta questi passi
welcome-suggested = Oppure scegli tra questi feed
welcome-follow-selected = Segui i selezionati
topic-news = Notizie
topic-science = Scienza
topic-technology = Tecnologia
topic-programming = Programmazione
topic-culture = Idee e cultura
topic-comics = Fumetti e cucina
