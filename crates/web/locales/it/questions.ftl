# Questions to the language model about a text or the library.

question-ask = Fai una domanda su questo testo
question-field = La tua domanda
question-send = Chiedi
question-requested = La risposta è in preparazione. Questa pagina la mostrerà quando sarà pronta.
question-pending = La risposta è in preparazione.
question-failed = Non c’è una risposta: { $reason }.
question-none = Il testo non lo dice.
question-by = Risposta del modello linguistico { $name }. Può essere errata; le citazioni vengono dal testo.
question-left-out = Frasi omesse perché la loro citazione non è nel testo: { $number }.
question-partial = Di un testo lungo sono stati inviati solo l’inizio e i passaggi con parole della domanda.
question-omitted = Non letti: { $number }.
question-library = Chiedi alla tua biblioteca
question-library-words = La risposta viene dai testi di al massimo { $count } elementi, i più adatti alla domanda. Ogni frase ha una citazione dal suo elemento.
question-library-none = I tuoi testi non lo dicono.
question-items = Elementi letti: { $number }.
question-gone = L’elemento è stato eliminato.
question-follow-up = Domanda successiva
question-earlier = Domande precedenti: { $count }
question-unanswered = Nessuna risposta nel testo.
question-complete = Questa conversazione ha { $count } domande. Fai una nuova domanda per iniziarne un’altra.
