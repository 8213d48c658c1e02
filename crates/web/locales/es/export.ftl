# Export of the library.

export-everything = Todo
export-everything-words = Textos, archivos, etiquetas, notas y resaltados, y tus fuentes, destacados, reglas, monitores y sus cambios. Se puede importar de nuevo.
export-bookmarks = Marcadores
export-bookmarks-words = Direcciones, títulos y etiquetas, para cualquier navegador.
export-table = Una tabla
export-table-words = Una línea por elemento, para una hoja de cálculo.
export-cards = Tarjetas
export-cards-words = Huecos y preguntas de tus resaltados, como texto para Anki.
export-create = Crear exportación
export-feeds = Exporta tus fuentes <1>como OPML</1>.
export-creating = Creando la exportación
export-reloads = Esta página se recarga hasta que la exportación esté lista. Puedes salir y volver.
export-written = Elementos escritos
export-progress = { $done } de { $total }
export-failed = La exportación falló
export-failed-words = No se pudo crear la exportación. <1>Inténtalo de nuevo</1>.
export-yours = Tu exportación
export-expires = Los archivos se borran { $time }.
export-delete = Borrar exportación
export-part = Descargar parte { $number }
export-kilobytes = { $amount } KB
