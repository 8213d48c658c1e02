# Rules for new entries.

rules-made = Regla creada. Revisa cada entrada nueva.
rules-applied = Regla creada y aplicada a tus entradas no leídas.
rules-deleted = Regla borrada. Las entradas que silenciaba vuelven a tus listas. Las descartadas no se pueden recuperar.
rules-of = Reglas de { $feed }
rules-for-all = Reglas para todas las fuentes
rules-words = Una regla revisa cada entrada nueva. Puede descartarla, silenciarla, marcarla como leída, protegerla de otras reglas, destacarla, guardarla en tu biblioteca o enviarla a canales.
rules-also-for-all = También hay <1>reglas para todas las fuentes</1>.
rules-single-feed = Las reglas de una sola fuente están en la página de esa fuente.
rules-active = Reglas activas
rules-new = Regla nueva
rules-muted-count = { $number } silenciadas
rules-dropped-count = { $number } descartadas
rules-starred-count = { $number } destacadas
rules-saved-count = { $number } guardadas
rules-unsaved-count = { $number } sin guardar, la última { $time }: { $reason }
rules-unsaved-daily-limit = las reglas guardan como máximo { $most } entradas al día
rules-unsaved-storage-limit = tu almacenamiento está lleno
rules-unsaved-deleted = borraste este elemento
rules-unsaved-unavailable = la entrada no se puede guardar
rules-unsaved-failed = no se pudo guardar tras varios intentos
rules-since = creada { $time }
rules-off = Desactivada
rules-off-words = { $off } { $time }: tardaba demasiado
rules-matches = Entradas que cumplen esta regla
rules-nothing-to-test = Aún no hay entradas con las que probarla.
rules-match-count = De las { $examined } entradas más recientes, coincide con { $matched }.
rules-nothing-changed = No ha cambiado nada.
rules-would-drop = Se descartarían: se cuentan y nunca aparecen en tus listas, aunque borres la regla. Aún no ha cambiado nada.
rules-would-mute = Se silenciarían: ocultas en listas, contadores y aplicaciones. Aún no ha cambiado nada.
rules-would-read = Se marcarían como leídas. Aún no ha cambiado nada.
rules-would-keep = Se conservarían, aunque otra regla coincida. Aún no ha cambiado nada.
rules-would-star = Se destacarían y se guardarían en tu biblioteca, como máximo { $most } entradas al día entre todas las reglas. Aún no ha cambiado nada.
rules-would-save = Se guardarían en tu biblioteca, como máximo { $most } entradas al día entre todas las reglas. Aún no ha cambiado nada.
rules-would-notify = Las entradas nuevas como estas se enviarían a los canales. Las que ya existen no se envían. Aún no ha cambiado nada.
rules-more = Y { $number } más.
rules-delete-question = ¿Borrar esta regla?
rules-too-slow = Esta regla se desactivó porque tardaba demasiado con las entradas nuevas. Bórrala y crea una más sencilla.
rules-has-dropped =
    { $count ->
        [one] Ha descartado { $count } entrada. Las entradas descartadas no se pueden recuperar.
       *[other] Ha descartado { $count } entradas. Las entradas descartadas no se pueden recuperar.
    }
rules-has-muted-none = Aún no ha silenciado ninguna entrada.
rules-has-muted =
    { $count ->
        [one] Ha silenciado { $count } entrada. Si borras la regla, vuelve a tus listas.
       *[other] Ha silenciado { $count } entradas. Si borras la regla, vuelven a tus listas.
    }
rules-stay-changed = Las entradas que cambió se quedan como están.
rules-delete = Borrar regla
rules-pattern = Palabras, expresión o fecha
rules-pattern-hint = Mayúsculas y minúsculas dan igual. Una expresión es una expresión regular, como \boferta\b o ^(Anuncio|Patrocinado):. Para archivos, escribe un tipo de medio o una dirección, como audio. Para fechas, escribe 7d (los últimos 7 días), >7d (más antiguas), before:2026-01-31, after:2026, between:2026-01,2026-03 o future.
rules-tags-hint = Solo para Guardar. Opcional, separadas por comas. Si varias reglas guardan una entrada, se aplican las { $rules } más antiguas, con { $tags } etiquetas en total como máximo.
rules-channels = Canales
rules-channels-hint = Solo para «Enviar a canales». Las entradas que una regla descarta, silencia o marca como leídas no se envían.
rules-channels-none = ninguno: se eliminaron
rules-action = Acción
rules-part = Buscar en
rules-kind = Coincidencia
rules-unread-too = Aplicarla también a las entradas no leídas (las 500 más recientes)
rules-preview = Ver coincidencias
rules-create = Crear regla
rules-drop = Descartar
rules-mute = Silenciar
rules-keep = Conservar
rules-save = Guardar
rules-notify = Enviar a canales
rules-drop-note = no se guardan para ti, solo se cuentan
rules-mute-note = ocultas en todas las listas hasta que borres la regla
rules-read-note = solo en la lista de todas las entradas
rules-keep-note = ninguna otra regla las silencia ni las marca
rules-star-note = destacadas y guardadas en tu biblioteca
rules-save-note = guardadas en tu biblioteca, con las etiquetas de abajo
rules-notify-note = enviadas a los canales de abajo, aunque la fuente no tenga canales
rules-part-any = el título, el autor o el texto
rules-part-title = el título
rules-part-author = el autor
rules-part-text = el texto de la fuente
rules-part-url = la dirección
rules-part-published = la fecha de publicación
rules-part-media = los archivos adjuntos
rules-part-category = las categorías
rules-kind-words = Estas palabras exactas
rules-kind-expression = Una expresión regular
rules-summary-words = { $action }: «{ $pattern }» en { $part }
rules-summary-expression = { $action }: { $pattern } en { $part }
