# Texts of scripts: the list of keys, the notice of new entries, and buttons of reading pages.

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
