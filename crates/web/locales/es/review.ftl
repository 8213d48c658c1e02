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
review-send = Enviar a tus canales
review-send-words = Los resaltados pendientes se envían cada día que haya alguno, con enlaces a sus pasajes.
review-send-to = Se envían cada día a las { $time } a { $address }.
review-send-start = Enviar a { $address }
review-send-stop = Dejar de enviar
review-send-at-hint = Los mensajes sobre monitores y fuentes a este canal también llegan entonces una vez al día, en este mensaje.
review-send-none = <1>Añade un canal</1> para recibirlos por correo o en un chat.
review-send-started = Los resaltados pendientes se enviarán.
review-send-stopped = Los resaltados pendientes ya no se enviarán.
review-themes = Repasos temáticos
review-themes-words = Cada uno muestra su propio número de resaltados por día, además del repaso general.
review-themes-edit = Añadir o cambiar repasos temáticos
review-theme-new = Nuevo repaso temático
review-theme-name = Nombre
review-theme-choose = Qué resaltados
review-theme-tag = Con la etiqueta
review-theme-item = De la fuente
review-theme-search = Encontrados por la búsqueda guardada
review-theme-same = La fuente actual
review-theme-add = Añadir
review-theme-delete = Eliminar repaso
review-theme-stay = Sus resaltados se conservan.
review-theme-created = Repaso temático añadido.
review-theme-changed = Repaso temático cambiado.
review-theme-deleted = Repaso temático eliminado.
review-theme-no-search = La búsqueda guardada se eliminó. Elige otros resaltados.
review-theme-no-item = La fuente se eliminó.
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
