# Questions to the language model about a text or the library.

question-ask = Preguntar sobre este texto
question-field = Tu pregunta
question-send = Preguntar
question-requested = La respuesta se está escribiendo. Esta página la mostrará cuando esté lista.
question-pending = La respuesta se está escribiendo.
question-failed = No hay respuesta: { $reason }.
question-none = El texto no lo dice.
question-by = Respondido por el modelo de lenguaje { $name }. La respuesta puede ser incorrecta; las citas son del texto.
question-left-out = Frases omitidas porque su cita no está en el texto: { $number }.
question-partial = De un texto largo solo se enviaron el principio y los pasajes con palabras de la pregunta.
question-omitted = Sin leer: { $number }.
question-library = Preguntar a tu biblioteca
question-library-words = La respuesta viene de los textos de como máximo { $count } elementos, los que mejor encajan con la pregunta. Cada frase tiene una cita de su elemento.
question-library-none = Tus textos no lo dicen.
question-items = Elementos leídos: { $number }.
question-gone = El elemento se eliminó.
question-follow-up = Pregunta de seguimiento
question-earlier = Preguntas anteriores: { $count }
question-unanswered = Sin respuesta en el texto.
question-complete = Esta conversación tiene { $count } preguntas. Haz una pregunta nueva para empezar otra.
