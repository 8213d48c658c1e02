# Import and export of lists of feeds.

opml-title = Importar y exportar
opml-heading = Importar y exportar fuentes
opml-words = Un archivo OPML, que cualquier lector de fuentes puede exportar. Las carpetas pasan a ser colecciones. Las fuentes que ya sigues no cambian.
opml-download = Descargar fuentes como OPML
opml-running = <1>Hay una importación en curso</1>.
opml-last = Resultado de la última importación
feed-import-running = Importando tus fuentes
feed-import-finished = Tus fuentes están importadas
feed-import-reloads = Esta página se recarga hasta que termine la importación. Puedes salir y volver.
feed-import-checked = Fuentes revisadas
feed-import-empty = El archivo no contiene fuentes.
feed-import-to-feeds = Ir a tus fuentes
feed-import-stopped-words = Las fuentes ya importadas se quedan.
feed-import-unknown = El archivo no es una lista de fuentes en OPML o está dañado. Expórtalo de nuevo desde tu lector. Los marcadores y las páginas guardadas se importan en Biblioteca › Importar.
feed-import-too-large = Leer el archivo requiere demasiado tiempo o memoria. No se importó nada.
feed-import-again = Importa el archivo de nuevo. Las fuentes ya importadas no se añaden dos veces.
feed-import-in-file = Fuentes en el archivo
feed-import-known = Ya seguidas
feed-import-refused = No importadas
feed-import-collections = Colecciones creadas
feed-import-no-collection = Sin colección, porque tu plan no permite más
feed-import-problems = Qué no se importó como en el archivo y por qué
feed-import-problem = Fuente { $row }: { $reason }
feed-import-more = Y { $amount } más.
