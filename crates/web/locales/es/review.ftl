# Daily review of highlights.

review = Repasar resaltados
review-due =
    { $count ->
        [one] Hoy toca repasar { $count } resaltado.
       *[other] Hoy toca repasar { $count } resaltados.
    }
review-start = Repasar ahora
review-left =
    { $count ->
        [one] Queda { $count } hoy
       *[other] Quedan { $count } hoy
    }
review-soon = Pronto
review-later = Más adelante
review-never = Nunca más
review-rule =
    { $count ->
        [one] «Pronto» lo trae mañana, «Más adelante» en { $count } día, y después a intervalos cada vez mayores.
       *[other] «Pronto» lo trae mañana, «Más adelante» en { $count } días, y después a intervalos cada vez mayores.
    }
review-none = Hoy no hay nada que repasar.
review-none-words = Un resaltado nuevo se repasa al día siguiente y vuelve a intervalos crecientes.
review-removed = Este resaltado ya no se repasará. Puedes volver a incluirlo en la página de su elemento.
highlight-review-again = Repasar de nuevo
item-highlight-resumed = Este resaltado volverá a repasarse.
review-frequency = Con qué frecuencia vuelve esta fuente
review-frequency-more = Más a menudo
review-frequency-normal = Normal
review-frequency-less = Menos a menudo
review-frequency-never = Nunca
review-frequency-saved = Frecuencia guardada.
review-per-day = Resaltados por día
review-per-day-saved = Número guardado.
review-sources = Fuentes que vuelven más o menos a menudo
review-sources-more = Solo se muestran las { $count } más recientes.
review-mail = Por correo
review-mail-words = Los resaltados pendientes se envían cada día que haya alguno, con enlaces a sus pasajes.
review-mail-to = Se envían cada día a las { $time } a { $address }.
review-mail-start = Enviar a { $address }
review-mail-stop = Dejar de enviar
review-mail-at-hint = Los cambios que los monitores comunican a esta dirección también llegan entonces con este correo, una vez al día.
review-mail-none = <1>Añade un canal de correo</1> para recibirlos.
review-mail-started = Los resaltados pendientes se enviarán por correo.
review-mail-stopped = Los resaltados pendientes ya no se enviarán.
card = Tarjeta de repaso
card-make = Crear una tarjeta
card-change = Cambiar la tarjeta
card-words = En el repaso, la tarjeta pregunta primero y una pulsación muestra la respuesta. Un resaltado tiene una sola tarjeta: al guardar se sustituye.
card-gaps = Ocultar palabras
card-gaps-rule = Palabras que se ocultan
card-gaps-first = Solo se muestran las primeras { $count } palabras.
card-gaps-written = Otras partes que se ocultan, una por línea
card-gaps-save = Guardar huecos
card-question = Hacer una pregunta
card-question-label = Pregunta
card-answer = Respuesta
card-question-save = Guardar pregunta
card-delete = Borrar tarjeta
card-saved = Tarjeta guardada.
card-deleted = Tarjeta borrada.
card-unfit = La tarjeta no coincide con las palabras del resaltado, así que no oculta nada. Elige de nuevo sus huecos.
card-show-answer = Mostrar respuesta
