# Sign-in and sign-up.

sign-in = Accedi
sign-in-passkey = Accedi con una passkey
oidc-sign-in = Accedi con { $name }
sign-in-forgot = Password dimenticata?
sign-in-new = Non hai ancora un account? <1>Creane uno</1>.
sign-in-for-app = Un’app chiede l’accesso al tuo account. Accedi o crea un account per vedere la richiesta. Nulla è consentito senza la tua approvazione.
sign-up = Registrati
sign-up-heading = Crea un account
sign-up-button = Crea account
sign-up-closed = La registrazione è chiusa. Chiedi un account al gestore di questo servizio.
sign-up-purpose = Segui siti, salva pagine nella tua libreria e ricevi un messaggio quando una pagina cambia. Bastano un indirizzo e-mail e una password.
sign-up-invitation = Invito
sign-up-invitation-hint = Il codice che hai ricevuto. Vale una volta sola.
sign-up-known = Hai già un account? <1>Accedi</1>.
purpose-today = Accedi per vedere la tua giornata
purpose-today-words = «Oggi» è la tua pagina iniziale: le nuove voci dei tuoi feed, i cambiamenti delle pagine che sorvegli e ciò che hai salvato per ultimo.
purpose-feeds = Accedi per vedere i tuoi feed
purpose-feeds-words = Segui blog, siti di notizie e podcast: le nuove voci arrivano in un solo elenco, qui e nelle tue app. Puoi portare i feed da un altro lettore.
purpose-library = Accedi per aprire la tua libreria
purpose-library-words = La tua libreria conserva pagine e file con il testo completo, le tue evidenziazioni e le tue note. Puoi cercare ogni parola, leggere offline su un e-reader ed esportare tutto in qualsiasi momento.
purpose-monitors = Accedi per vedere i tuoi monitor
purpose-monitors-words = Un monitor controlla regolarmente una pagina web e segnala ogni cambiamento reale: un prezzo più basso, un prodotto di nuovo disponibile, un nuovo paragrafo. I messaggi arrivano per e-mail, in chat o in qualsiasi lettore di feed.
purpose-search = Accedi per cercare
purpose-search-words = La ricerca comprende la tua libreria, le tue evidenziazioni e note e le voci dei tuoi feed.
