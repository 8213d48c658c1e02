# Shell of every page: navigation, footer, times, forms, and messages.

skip = Vai al contenuto
nav-main = Navigazione principale
nav-today = Oggi
nav-feeds = Feed
nav-library = Libreria
nav-monitors = Monitor
nav-settings = Opzioni
nav-read = Leggi
nav-api = API
nav-about = Info
nav-account = Account
nav-sign-in = Accedi
nav-stored-texts = Testi salvati
find = Cerca
find-everything = Tutto
find-feeds-and-library = Cerca nei feed e nella libreria
signed-in-as = Accesso eseguito come
foot-texts = I testi delle pagine di lettura appartengono ai loro autori. Carrel li mostra con un link alla fonte.
foot-documents = Documenti
foot-read = Leggi una pagina
foot-handbook = Manuale
foot-reader-api = API di lettura
foot-developer-api = API per sviluppatori
foot-agents = Agenti
foot-problems = Errori
foot-reading-settings = Opzioni di lettura
foot-llms = llms.txt
description = Carrel mostra le pagine web come testo pulito, segue i feed, conserva una libreria e sorveglia i cambiamenti delle pagine, per persone e assistenti IA.
error-title = Errore: { $title }
form-problems =
    { $count ->
        [one] C’è un problema
       *[other] Ci sono { $count } problemi
    }
field-email = Indirizzo e-mail
field-password = Password
field-new-password = Nuova password
field-current-password = Password attuale
password-hint = Almeno 10 caratteri. Più parole sono meglio di una sola parola insolita.
undo = Annulla
sample-notice = Questo account contiene dati di esempio da esplorare. Rimuovilo quando hai visto abbastanza.
sample-remove = Rimuovi l’account di esempio
language = Lingua
language-hint = Lingua delle tue pagine. Alcune pagine sono solo in inglese.
language-of-browser = Come il browser
language-save = Salva la lingua
language-saved = Lingua salvata.
time-now = proprio ora
time-in-seconds =
    { $count ->
        [one] tra 1 secondo
       *[other] tra { $count } secondi
    }
time-in-minutes =
    { $count ->
        [one] tra 1 minuto
       *[other] tra { $count } minuti
    }
time-in-hours =
    { $count ->
        [one] tra 1 ora
       *[other] tra { $count } ore
    }
time-in-days =
    { $count ->
        [one] tra 1 giorno
       *[other] tra { $count } giorni
    }
time-seconds-ago =
    { $count ->
        [one] 1 secondo fa
       *[other] { $count } secondi fa
    }
time-minutes-ago =
    { $count ->
        [one] 1 minuto fa
       *[other] { $count } minuti fa
    }
time-hours-ago =
    { $count ->
        [one] 1 ora fa
       *[other] { $count } ore fa
    }
time-days-ago =
    { $count ->
        [one] 1 giorno fa
       *[other] { $count } giorni fa
    }
manifest-description = Feed, una libreria, monitor e qualsiasi pagina come testo pulito.
search-description = Cerca nei tuoi feed e nella tua libreria, o apri una pagina dal suo indirizzo.
