# Offline reading: its settings, the list of stored texts, and stored pages.

offline-heading = Lectura sin conexión
offline-words = Este navegador puede guardar textos: lo que dejaste para después o empezaste a leer, y las entradas no leídas. Sin conexión podrás leerlos aquí.
offline-own-browser = Elígelo solo en tu propio navegador. Lo que marques como leído, destaques, archives o resaltes sin conexión se envía después. Al cerrar sesión se borran los textos y lo no enviado, y se desactiva la lectura sin conexión, que necesita scripts.
offline-save-amount = Guardar cantidad
offline-switch-on = Guardar textos aquí
offline-stored = Textos guardados
offline-switch-off = Borrar y desactivar
offline-amount = Cantidad
offline-size = Hasta { $texts } textos, como máximo { $size } MB con imágenes
offline-all-pictures = Todas las imágenes de los textos, no solo las que has visto
offline-storing = Los textos se están guardando.
offline-list-words = Puedes leer estos textos sin conexión. Lo que marques como leído, destaques, archives o resaltes sin ella se envía cuando la haya. Otros cambios necesitan conexión.
offline-queue = Cambios aún sin enviar
offline-nothing = Aún no hay nada que guardar: nada está para después ni empezado, y no hay entradas sin leer.
offline-settings = Ajustes de la lectura sin conexión
offline-off = La lectura sin conexión está desactivada
offline-off-words = Este navegador no guarda textos. <1>Actívala</1> para leer sin conexión.
offline-refused = Estás sin conexión
offline-refused-words = No se cambió nada. Vuelve atrás y repite la acción cuando tengas conexión.
offline-text-words = Estás sin conexión. Este es el texto guardado. Tus marcas, destacados y resaltados se envían cuando haya conexión.
