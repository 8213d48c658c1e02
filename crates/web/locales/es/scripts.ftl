# Texts of scripts: the list of keys, the notice of new entries, buttons of reading pages, listening, offline reading,
# passkeys, and pictures of quotes.

keys-title = Teclas
script-close = Cerrar
key-next = entrada o texto siguiente
key-previous = entrada o texto anterior
key-open = abrir
key-next-page = página siguiente de una lista
key-back = atrás
key-mark = marcar como leído o no leído
key-mark-previous = marcar como leído o no leído e ir al anterior
key-mark-all = marcar todo como leído
key-star = destacar o guardar
key-archive = archivar
key-next-paragraph = párrafo siguiente
key-previous-paragraph = párrafo anterior
key-highlight = resaltar las palabras seleccionadas o el párrafo
key-highlight-note = resaltar con una nota
key-passage = usar el modelo de lenguaje en las palabras seleccionadas o el párrafo
key-full = página completa
key-original-tab = original, en una pestaña nueva
key-original = original
key-attachment = reproducir la grabación o abrir el archivo
key-feed = entradas de la fuente
key-refresh = actualizar ahora las fuentes de la lista
key-follow = seguir un sitio
key-unfollow = dejar de seguir la fuente
key-select = seleccionar; con Mayús y un clic: un rango
key-undo = deshacer
key-search = buscar
key-today = Hoy
key-unread = entradas no leídas
key-all = todas las entradas
key-read = entradas leídas
key-starred = entradas destacadas
key-feeds = fuentes
key-collections = colecciones
key-library = biblioteca
key-monitors = monitores
key-settings = ajustes
key-top = arriba
key-close = cerrar
key-help = estas teclas
copy-markdown = Copiar como Markdown
copy-markdown-done = Copiado.
copy-markdown-failed = No se pudo copiar. Descarga el texto.
script-copy = Copiar
copy-done = Copiado
copy-failed = No se pudo copiar
copy-failed-selected = No se pudo copiar. El texto está seleccionado.
script-share = Compartir…
note-jump = Ir a la nota
entries-new-count =
    { $count ->
        [one] 1 entrada nueva
       *[other] { $count } entradas nuevas
    }
entries-new-most = { $count } o más entradas nuevas
minutes-left =
    { $count ->
        [one] queda 1 minuto
       *[other] quedan { $count } minutos
    }
listen-pause = Pausa
listen-continue = Continuar
listen-previous = Párrafo anterior
listen-next = Párrafo siguiente
listen-next-text = Texto siguiente
listen-all = Escuchar todo
listen-voice = Voz
listen-voice-any = Automática
listen-failed = Este navegador no ha podido leer el texto en voz alta.
stored-not-possible = Este navegador no puede guardar textos. Necesita una conexión segura (https) con este servidor.
stored-not-allowed = Este navegador no permite guardar textos.
stored-count = Textos guardados en este navegador: { $stored } de { $count } ({ $size }).
queued-text = Texto
queued-waiting = En espera de conexión.
queued-remove = Quitar
queued-removed = Quitado.
queued-stored = Guardado. Se enviará cuando haya conexión.
queued-highlight-stored = El resaltado está guardado. Se enviará cuando haya conexión.
queued-not-stored = No se ha podido guardar. Conéctate para enviar lo pendiente.
queued-failed = No realizado: { $reason }
queued-show = Mostrar
queued-reload = Recargar
queued-sent-count =
    { $count ->
        [one] Se ha enviado { $count } cambio hecho sin conexión.
       *[other] Se han enviado { $count } cambios hechos sin conexión.
    }
queued-failed-count =
    { $count ->
        [one] No se ha podido hacer { $count } cambio hecho sin conexión.
       *[other] No se han podido hacer { $count } cambios hechos sin conexión.
    }
passkey-unsupported = Este navegador no admite llaves de acceso.
passkey-exists = Este dispositivo ya tiene una llave de acceso de tu cuenta.
passkey-not-given = El navegador no ha dado ninguna llave de acceso. Inténtalo de nuevo.
picture-of-quote = Como imagen
picture-description = La cita con su fuente
picture-failed = No se ha podido crear la imagen.
picture-download = Descargar imagen
picture-share = Compartir imagen…
picture-share-failed = No se ha podido compartir. Descarga la imagen.
picture-shortened = La cita es demasiado larga para una imagen, así que la imagen solo tiene el principio.
