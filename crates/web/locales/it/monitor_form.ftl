# Form of a new monitor, and its preview.

monitor-new = Nuovo monitor
monitor-new-words = Carrel controlla regolarmente una pagina e segnala quando cambia la parte che ti interessa.
monitor-full = Il tuo piano non consente altri monitor.
monitor-full-used = { $used } di { $limit } in uso.
monitor-full-words = Elimina quello che non ti serve più, o modificane uno per sorvegliare altro.
monitor-full-list = Vai ai tuoi monitor
monitor-full-plan = Piano e utilizzo
monitor-examples = Prova un esempio
monitor-example-change = Ogni cambiamento di una pagina
monitor-example-word = Appare una parola
monitor-example-list = Novità di un elenco
monitor-preview = Anteprima
monitor-preview-again = Nuova anteprima
monitor-preview-empty = Premi Anteprima per vedere che cosa sorveglierà questo monitor. Non usa crediti.
monitor-start = Sorveglia
monitor-cancel = Annulla
step-1 = 1. Che cosa sorvegliare
step-2 = 2. Quando
step-3 = 3. Come ti avvisiamo
monitor-address = Indirizzo della pagina
monitor-address-hint = La pagina pubblica, la mappa del sito o il documento JSON da sorvegliare.
monitor-type = Tipo
target-page = Una pagina
target-page-words = il testo o una sua parte; 1 credito per esecuzione
target-sitemap = Una mappa del sito
target-sitemap-words = indirizzi aggiunti e rimossi; 2 crediti per esecuzione
target-product = Un prodotto
target-product-words = nome, prezzo e disponibilità; 3 crediti per esecuzione
target-calendar = Un calendario
target-calendar-words = gli eventi di un file iCalendar; 2 crediti per esecuzione
target-file = Un file
target-file-words = di qualsiasi formato, per dimensione e hash; 1 credito per esecuzione
target-image = Un’immagine
target-image-words = per il suo aspetto, come quella di una webcam; 2 crediti per esecuzione
target-headers = Intestazioni
target-headers-words = lo stato e le intestazioni della risposta; 1 credito per esecuzione
target-extract = Valori
target-extract-words = come i prezzi, per selettore; 3 crediti per esecuzione
monitor-part = Solo una parte della pagina
monitor-selector = Selettore
monitor-selector-hint = CSS, come #price o li:contains("Tickets"), XPath, come //table[2]//tr, JSONPath, come $.version, o jq, come jq:.items[] | select(.free) | .name. In una pagina, JSONPath e jq leggono i dati dei suoi script: $['ld+json'][0].offers.price o $.__NEXT_DATA__.props. Se sono più d’uno, uno per riga, ciascuno è segnalato anche quando appare o scompare. Per l’aspetto: un selettore CSS.
monitor-filters = Filtri
monitor-filters-hint = Uno per riga, applicati in ordine alle righe della pagina: keep o drop con un’espressione regolare, come drop ^Advert; replace, come replace \d+ views => views; sort; unique. L’anteprima mostra le righe dopo ciascuno.
monitor-sitemap = Filtri della mappa del sito
monitor-include = Includi gli indirizzi
monitor-include-hint = Un modello per riga, come /blog/*.
monitor-exclude = Escludi gli indirizzi
monitor-exclude-hint = Un modello per riga.
monitor-values = Valori
monitor-values-hint = Uno per riga, come price = .price. Un asterisco dopo il nome segna la chiave che identifica un elemento. Se un valore contiene più numeri, scegline uno con first, last, least o greatest tra parentesi, come price (least) = .price. Delle intestazioni, nomina quelle da leggere, come etag = ETag.
monitor-items = Elemento ripetuto
monitor-items-hint = Selettore CSS o XPath dell’elemento ripetuto, come .product. Vuoto: la pagina è un solo elemento.
monitor-empty = L’elenco può essere vuoto, come un elenco di appuntamenti liberi.
monitor-empty-words = Altrimenti un elenco vuoto conta solo se è vuoto due volte.
monitor-headers = Intestazioni
monitor-headers-hint = Una per riga, come etag = ETag. Vuoto: tutte tranne quelle che cambiano sempre.
monitor-interval = Controlla
monitor-not-in-plan = (non nel tuo piano)
every-minutes =
    { $count ->
        [1] ogni minuto
        [one] ogni { $count } minuti
       *[other] ogni { $count } minuti
    }
every-hours =
    { $count ->
        [1] ogni ora
        [one] ogni { $count } ore
       *[other] ogni { $count } ore
    }
every-days =
    { $count ->
        [1] ogni giorno
        [one] ogni { $count } giorni
       *[other] ogni { $count } giorni
    }
every-week = ogni settimana
monitor-trigger = Segnala quando
trigger-any = qualcosa cambia
trigger-text-appears = appare un testo
trigger-text-disappears = scompare un testo
trigger-above = un numero sale sopra
trigger-below = un numero scende sotto
trigger-share = cambia almeno questa percentuale
trigger-added = si aggiunge qualcosa
trigger-removed = si toglie qualcosa
trigger-condition = sono soddisfatte le condizioni qui sotto
monitor-value = Testo o numero
monitor-value-hint = Non serve per «qualcosa cambia».
monitor-one-value = Solo uno dei valori
monitor-value-name = Nome del valore
monitor-value-name-hint = Un nome di Valori; di un prodotto name, price, currency o availability; di un evento title, start, end, location, status o repeats; di un file size o sha256; di intestazioni status o un’intestazione. Vuoto: qualsiasi valore.
monitor-conditions = Condizioni
monitor-conditions-hint = Una per riga; tutte devono essere vere. Una riga con la parola or inizia un’alternativa. Con i valori, inizia con un nome, come price falls by 10%, price new low in 30 days, price between 5 and 9, o not stock contains sold out. Senza valori: contains tickets, matches v\d+, count above 3, length below 200, o similarity below 80.
monitor-repeat = Segnala di nuovo finché è vera
monitor-repeat-after = Segnala di nuovo dopo
monitor-repeat-hint = Ore, come 24. Vuoto: segnala una volta, quando diventa vera.
monitor-ignore = Ignora alcuni cambiamenti
monitor-ignore-label = Ignora i cambiamenti che contengono
monitor-ignore-hint = Un testo per riga. I blocchi che lo contengono sono ignorati.
schedule-days = Giorni e orari
schedule-only-on = Solo di
day-monday = lunedì
day-tuesday = martedì
day-wednesday = mercoledì
day-thursday = giovedì
day-friday = venerdì
day-saturday = sabato
day-sunday = domenica
schedule-week = Quali di questi giorni del mese
schedule-week-all = tutti
week-first = primo
week-second = secondo
week-third = terzo
week-fourth = quarto
week-last = ultimo
schedule-times = A questi orari
schedule-times-hint = Separati da virgole, come 08:30, 17:00. Sostituiscono l’intervallo.
schedule-from = Solo dalle
schedule-from-hint = Come 08:00. In queste ore il monitor segue il suo intervallo.
schedule-to = fino alle
schedule-to-hint = Come 18:00.
schedule-zone = Fuso orario
schedule-zone-hint = Come Europe/Berlin. Vuoto: UTC.
schedule-jitter = Ritardo casuale in minuti
schedule-jitter-hint = Al massimo 120. Vuoto: meno di un minuto.
schedule-not-before = Non prima di
schedule-not-before-hint = Una data come 2026-12-24, o un’ora come 2026-12-24T08:00:00Z.
schedule-muted = Ore di silenzio ed errori
schedule-mute-from = Nessun messaggio dalle
schedule-mute-from-hint = Come 22:00, nel fuso di Giorni e orari. Le esecuzioni continuano; i messaggi attendono la fine.
schedule-mute-to-hint = Come 07:00.
schedule-failures = Avvisami dopo questo numero di errori di fila
schedule-failures-hint = Vuoto: solo quando il monitor si ferma.
monitor-follow = Mostra i cambiamenti anche nei miei feed
monitor-notify = Avvisami tramite
monitor-no-channels = Non hai ancora canali. <1>Aggiungine uno</1> per ricevere avvisi per e-mail, webhook o chat.
monitor-group = Gruppo
monitor-group-none = nessuno
monitor-override = Sostituisci il gruppo
monitor-override-hint = Le opzioni del gruppo sostituiscono quelle di questo modulo, tranne quelle che scegli qui.
setting-interval = Intervallo
setting-channels = Canali
monitor-tags-hint = Facoltativo. Etichette separate da virgole, come casa, prezzi. Al massimo { $count }.
monitor-name = Nome
monitor-name-hint = L’anteprima propone il titolo della pagina; puoi cambiarlo.
monitor-name-limit = Al massimo { $count } caratteri.
request = Richiesta e accesso
request-agent = User agent
request-agent-hint = Vuoto: quello di Carrel.
request-proxy = Proxy
request-proxy-removed = { $name } (non più offerto)
request-headers-hint = Una per riga, come Accept-Language: de. Inserisci i segreti più sotto.
request-post = Invia una richiesta con questo corpo
request-method = Metodo
request-body = Corpo
request-body-hint = Ogni esecuzione lo invia, quindi il suo effetto si ripete.
request-media = Tipo di contenuto del corpo
request-media-hint = Vuoto: dati di modulo.
request-cookies = Conserva i cookie del sito tra le esecuzioni
request-any-status = Uno stato di errore, come 404, è contenuto.
request-any-status-words = Altrimenti l’esecuzione fallisce.
request-credentials = Credenziali
credentials-keep = Mantieni le credenziali salvate
credentials-none = Nessuna
credentials-basic = Nome utente e password
credentials-bearer = Token Bearer
credentials-header = Un’altra intestazione, come una chiave API o un cookie
request-user = Nome utente o dell’intestazione
request-user-hint = Non serve per un token Bearer.
request-secret = Password, token o valore
request-secret-hint = Inviato solo a questo sito, e mai mostrato.
preview-heading = Che cosa sarà sorvegliato
preview-of-page = Trovato ora in «{ $title }»: { $amount }. Nessun credito usato.
preview-of-address = Trovato ora: { $amount }. Nessun credito usato.
preview-lines =
    { $count ->
        [one] 1 riga di testo
       *[other] { $count } righe di testo
    }
preview-addresses =
    { $count ->
        [one] 1 indirizzo
       *[other] { $count } indirizzi
    }
preview-items =
    { $count ->
        [one] 1 elemento
       *[other] { $count } elementi
    }
preview-nothing = niente
preview-number = Il numero da confrontare: { $number }
preview-number-of = Il numero da confrontare di { $item }: { $number }
preview-met = La condizione è già soddisfatta. La prima esecuzione non segnala nulla. Sarà segnalata quando non sarà più soddisfatta e poi lo sarà di nuovo.
preview-met-repeat = La condizione è già soddisfatta. La prima esecuzione non segnala nulla. Se resta soddisfatta, sarà segnalata dopo il numero di ore in «{ $field }».
preview-not-met = La condizione ora non è soddisfatta.
preview-filter =
    { $count ->
        [one] Dopo il filtro { $number }: { $count } riga
       *[other] Dopo il filtro { $number }: { $count } righe
    }
preview-only-first = Sono mostrati solo i primi { $count }.
preview-or-only = O sorveglia solo
preset-address = Un indirizzo migliore
preset-product = Questo prodotto: ogni cambiamento
preset-product-price = Questo prodotto: il prezzo scende
preset-in-stock = Di nuovo disponibile
preset-price-falls = Il prezzo scende
preset-price-changes = Il prezzo cambia
preset-stock = Disponibile o esaurito
preset-list = Novità di questo elenco
preset-part = Questo testo cambia
unwatched-margin = non sorvegliato: fuori dal testo principale; un selettore o un testo atteso lo include
unwatched-clock = non sorvegliato: sembra un orologio o una data della pagina
unwatched-part = i suoi orari e contatori non sono sorvegliati
unwatched-ignored = ignorato dalla tua regola
unwatched-learned = non sorvegliato: cambia a ogni controllo
target-visual = L’aspetto
target-visual-words = di una pagina in un browser, o di un elemento; 3 crediti per esecuzione
rendering = Script
rendering-open = Apri la pagina in un browser, che esegue i suoi script.
rendering-open-words = 3 crediti per esecuzione. Per pagine, prodotti e valori, senza corpo della richiesta né proxy.
rendering-wait = Attendi
rendering-wait-hint = Selettore CSS di un elemento senza il quale la pagina non è completa.
rendering-steps = Passi
rendering-steps-hint = Uno per riga, prima di leggere la pagina: click .more, type #search => boats, press Enter, select #sort => Prezzo, scroll_end, wait 2 (secondi) o wait_text Disponibile. Il manuale li elenca tutti. Con un punto interrogativo (click? .close), un passo è saltato se manca il suo elemento. Per una password o un altro segreto, scrivi secret #password; sotto compare un campo apposito. Gli altri testi sono conservati così come sono.
rendering-cookie-notices = Chiudi gli avvisi sui cookie
rendering-cookie-notices-words = Vengono rifiutati o altrimenti nascosti, mai accettati.
pick-button = Scegli su un’immagine della pagina
pick-hint = Un browser apre la pagina e ne mostra le parti. Conta come cinque nuove estrazioni, come ogni anteprima in un browser.
pick-no-browser = Per scegliere una parte su un’immagine della pagina, a questo servizio serve un browser, che non ha. Anche l’anteprima suggerisce parti.
pick-heading = Scegli una parte della pagina
pick-words = Scegli sull’immagine o nell’elenco la parte da sorvegliare. La pagina si apre poi in un browser a ogni esecuzione: 3 crediti per esecuzione.
pick-cut = Non tutte le parti sono proposte: la pagina è troppo lunga, ha troppe parti o non è stata caricata del tutto.
pick-empty = Nessuna parte della pagina ha un testo che si possa sorvegliare.
pick-another = Scegli un’altra parte
pick-alt = Immagine della pagina
pick-parts = Parti della pagina
pick-chosen = Parti scelte
pick-more = Premi un’altra parte per aggiungerla, o una parte scelta per toglierla.
pick-steps-button = Scegli i passi su un’immagine
pick-purpose = Che cosa scegli?
pick-purpose-part = La parte da sorvegliare
pick-purpose-step = Passi prima di leggere la pagina
pick-steps-heading = Scegli i passi sulla pagina
pick-step-words = Premi un elemento sull’immagine o nell’elenco, poi scegli che cosa farne. Dopo ogni passo, una nuova immagine mostra la pagina; ognuna conta come cinque nuove estrazioni.
pick-steps = Passi finora
pick-step-remove = Rimuovi il passo { $number }
pick-step-on = Passo su «{ $name }»
pick-step-click = Fai clic
pick-step-type = Compila
pick-step-wait = Attendi che ci sia
pick-step-scroll = Scorri fino a lì
pick-step-select = Scegli un’opzione
pick-step-check = Spunta
pick-step-uncheck = Togli la spunta
pick-step-press = Premi un tasto al suo interno
pick-step-hover = Passaci sopra il puntatore
pick-step-wait-text = Attendi un testo al suo interno
pick-step-wait-gone = Attendi che scompaia
pick-step-scroll-end = Scorri fino alla fine del suo elenco
pick-step-remove-element = Rimuovi dalla pagina
pick-step-key = Tasto
pick-step-optional = Salta questo passo se manca l’elemento
pick-step-text = Testo del passo
pick-step-text-hint = Per «Compila», «Scegli un’opzione» e «Attendi un testo». Al massimo { $count } caratteri.
pick-step-add = Aggiungi il passo e mostra la pagina
pick-kind-button = (pulsante)
pick-kind-field = (campo)
pick-step-secret = Compila con un segreto
step-secret = Segreto per { $selector }
step-secret-new = Segreto da inserire
step-secret-hint = Conservato cifrato, inserito solo in questo sito e mai mostrato.
step-secret-set = È impostato. Lascia vuoto per mantenerlo.
monitor-explanation = Modello linguistico
monitor-explanation-words = Se hai attivato il <1>modello linguistico</1>, riceve le differenze di ogni modifica e dice in una frase che cosa è cambiato. I messaggi lo attendono al massimo 10 minuti.
monitor-explanation-explain = Spiega ogni modifica
monitor-explanation-wish = Modifiche che ti interessano
monitor-explanation-wish-hint = Per esempio: solo i cali di prezzo. Al massimo { $count } caratteri. Vuoto se interessano tutte.
monitor-explanation-only = Non inviare messaggi sulle modifiche non rilevanti. Restano nella cronologia e nel feed.
