# Questions to the language model about a text or the library.

question-ask = Een vraag over deze tekst stellen
question-field = Je vraag
question-send = Vragen
question-requested = Het antwoord wordt geschreven. Deze pagina toont het zodra het klaar is.
question-pending = Het antwoord wordt geschreven.
question-failed = Er is geen antwoord: { $reason }.
question-none = De tekst zegt er niets over.
question-by = Beantwoord door het taalmodel { $name }. Het antwoord kan fout zijn; de citaten komen uit de tekst.
question-left-out = Weggelaten zinnen omdat hun citaat niet in de tekst staat: { $number }.
question-partial = Van een lange tekst zijn alleen het begin en de passages met woorden van de vraag verstuurd.
question-omitted = Niet gelezen: { $number }.
question-library = Je bibliotheek iets vragen
question-library-words = Het antwoord komt uit de teksten van hooguit { $count } items die het best bij de vraag passen. Elke zin heeft een citaat uit het item.
question-library-none = Je teksten zeggen er niets over.
question-items = Gelezen items: { $number }.
question-gone = Het item is verwijderd.
question-follow-up = Vervolgvraag
question-earlier = Eerdere vragen: { $count }
question-unanswered = Geen antwoord in de tekst.
question-complete = Dit gesprek heeft { $count } vragen. Stel een nieuwe vraag om een ander te beginnen.
