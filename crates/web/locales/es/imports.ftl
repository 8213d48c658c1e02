# Import of files into the library.

import-words = Puedes importar marcadores, exportaciones de servicios para leer después, resaltados de lectores, referencias, listas de URL y exportaciones del propio Carrel.
import-checked-first = Primero se revisa el archivo. Ves lo que se importaría y luego decides.
import-file = Archivo
import-format = Formato
import-detect = Detectar
import-include = De una exportación de Carrel, importar también fuentes, monitores, ajustes, reglas y posiciones
import-check = Revisar archivo
import-fields = Qué se importa de cada formato
import-servers = <1>Importar de un servidor</1> de Karakeep, wallabag, linkding, Readeck, Miniflux, FreshRSS, Readwise, Raindrop o Pinboard.
import-opml = Importa fuentes <1>como OPML</1>.
import-folders = Carpetas
import-folders-path = Una etiqueta con la ruta
import-folders-tags = Una etiqueta por carpeta
import-folders-none = Sin etiquetas
import-undone = Importación deshecha.
import-no-rows = Ninguna fila se puede reintentar.
import-no-file = El archivo o la lista de sus filas ya no está guardado. Impórtalo de nuevo: lo que existe no se añade dos veces.
import-reloads = Esta página se recarga hasta terminar. Puedes salir y volver.
import-rows-checked = Filas revisadas
import-removed = Se quitó todo lo que añadió la importación, salvo los elementos que has cambiado desde entonces.
import-can-undo = Puedes deshacer esta importación. La opción caduca { $time }. Los elementos que has cambiado se quedan, igual que lo añadido a los que ya tenías.
import-heading-undoing = Deshaciendo la importación
import-heading-checking = Revisando el archivo
import-heading-running = Importando
import-heading-preview = Vista previa de la importación
import-heading-undone = Importación deshecha
import-heading-finished = Importación terminada
import-heading-stopped = Importación detenida
import-heading-failed = La importación falló
import-you-stopped = Detuviste la importación antes de que terminara.
import-unknown-format = El archivo no contiene datos en este formato. Elige otro formato o la detección automática.
import-damaged = El archivo está dañado o no es del tipo que dice ser.
import-too-large = El archivo es demasiado grande, tiene demasiadas filas o contiene una fila que ocupa demasiada memoria.
import-incomplete = No se pudo completar la importación.
import-rows = Filas
import-would-be-new = Serían nuevos
import-new = Nuevos
import-existing = Ya existían
import-skipped = Omitidos
import-failed = Con error
import-annotations = Notas y resaltados
import-part-feed-settings = Ajustes de fuentes
import-part-rules = Reglas
import-part-templates = Plantillas de mensajes
import-part-account-settings = Ajustes de la cuenta
import-part-positions = Posiciones
import-parts-uncounted = También se importarán fuentes, monitores, ajustes, reglas y posiciones. Se cuentan durante la importación.
import-problems =
    { $count ->
        [one] { $count } problema
       *[other] { $count } problemas
    }
import-problems-first =
    { $count ->
        [one] El primer problema
       *[other] Los primeros { $count } problemas
    }
import-row-reason = Fila { $row }: { $reason }
import-stop = Detener
import-to-library = Ir a la biblioteca
import-retry = Reintentar fallidas
import-from-server = Importar de un servidor
import-continue = Continuar
import-other-file = Elegir otro archivo
import-undo = Deshacer importación
import-rows-gone = Las filas ya no se listan, porque importaciones más recientes necesitan el espacio.
import-no-match = Ninguna fila coincide.
import-more-rows = Más filas
import-download-rows = Descargar todas las filas como CSV
import-with-problems = Con problemas
import-annotation = Nota o resaltado
import-untitled = Sin título
import-row = Fila { $row }
import-columns = Columnas
import-columns-words = Esto es lo que Carrel propone para cada columna del archivo. Si cambias un campo, revisa el archivo de nuevo antes de importarlo.
import-check-again = Revisar de nuevo
