# Language model: what is sent to it, and the switch of the account.

model = Modello linguistico
model-purpose = Un modello linguistico può riassumere gli elementi salvati e le voci non lette. È spento finché non lo attivi.
model-manage = Gestisci il modello
model-is-on = Il modello linguistico è { $state } per il tuo account.
model-is-off = Il modello linguistico è { $state } per il tuo account. Non gli viene inviato nulla.
model-on = attivo
model-off = spento
model-switch-on = Attiva
model-switch-off = Spegni
model-switched-on = Attivato. La pagina di un elemento salvato ha un pulsante per riassumerlo, e le voci di una raccolta hanno un link a un riassunto.
model-switched-off = Spento. Non viene inviato più nulla. I riassunti esistenti restano.
model-sent = Che cosa viene inviato
model-sent-summary = Per il riassunto di un elemento: il titolo, i primi { $characters } caratteri del testo e al massimo { $tags } nomi delle tue etichette.
model-sent-briefing = Per il riassunto di una raccolta: i titoli di al massimo { $entries } voci non lette e i primi { $characters } caratteri dei loro riassunti.
model-sent-search = Per una ricerca per significato: le parole che cerchi. Nella libreria: i titoli e i primi { $characters } caratteri dei testi dei tuoi { $items } elementi più recenti.
model-sent-entries = Per una ricerca per significato nei feed: i titoli e i primi { $characters } caratteri dei riassunti delle tue { $unread } voci non lette e { $starred } preferite più recenti.
model-sent-when = Solo quando premi { $summarize } nella pagina di un elemento o { $briefing } nella pagina di una raccolta, quando cerchi per significato o quando lo chiede un programma con la tua chiave.
model-sent-never = Mai il tuo nome, il tuo indirizzo, le tue note o le tue evidenziazioni.
model-briefing-button = Scrivi un riassunto
model-where = Dove viene inviato
model-where-words = Al modello { $model } su { $host }, scelto dal gestore di questa installazione. Il gestore di quel server può leggere ciò che viene inviato.
model-with-embeddings = { $model } (per una ricerca per significato, { $other })
model-answer = Che cosa succede alla risposta
model-answer-words = La risposta è mostrata come testo e può essere sbagliata. Non cambia nulla: le etichette suggerite vengono aggiunte solo quando le premi.
model-limit = Il tuo piano consente { $amount } richieste al giorno.
model-answer-numbers = In una ricerca per significato le risposte sono elenchi di numeri. Quelli dei tuoi testi vengono eliminati quando spegni il modello. Quelli di una voce servono anche ad altri account con lo stesso feed, tranne per newsletter, monitor e feed con accesso.
