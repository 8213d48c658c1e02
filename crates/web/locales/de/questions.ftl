# Questions to the language model about a text or the library.

question-ask = Frage zu diesem Text stellen
question-field = Deine Frage
question-send = Fragen
question-requested = Die Antwort wird geschrieben. Diese Seite zeigt sie, sobald sie da ist.
question-pending = Die Antwort wird geschrieben.
question-failed = Es gibt keine Antwort: { $reason }.
question-none = Dazu sagt der Text nichts.
question-by = Vom Sprachmodell { $name } beantwortet. Die Antwort kann falsch sein; die Zitate stammen aus dem Text.
question-left-out = Weggelassene Sätze, deren Zitat nicht im Text steht: { $number }.
question-partial = Von einem langen Text wurden nur der Anfang und die Stellen mit Wörtern der Frage gesendet.
question-omitted = Nicht gelesen: { $number }.
question-library = Deine Bibliothek fragen
question-library-words = Die Antwort kommt aus höchstens { $count } gespeicherten Texten, die am besten zur Frage passen. Jeder Satz hat ein Zitat aus seinem Text.
question-library-none = Dazu sagen deine Texte nichts.
question-items = Gelesene Texte: { $number }.
question-gone = Der Text wurde gelöscht.
question-follow-up = Nachfrage
question-earlier = Frühere Fragen: { $count }
question-unanswered = Keine Antwort im Text.
question-complete = Dieses Gespräch hat { $count } Fragen. Beginne mit einer neuen Frage ein anderes.
