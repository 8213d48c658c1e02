# Reading settings.

look-saved = Ajustes guardados en este navegador.
look-saved-account = Ajustes guardados para todos tus navegadores.
look-offline-off = La lectura sin conexión está desactivada. Se han eliminado los textos de este navegador.
look-words = Apariencia y comportamiento de las páginas y los textos en todos los navegadores en los que has iniciado sesión. Un cambio se ve al momento; guárdalo para aplicarlo a todas las páginas.
look-only-here = Solo en este navegador
look-only-here-words = Tus otros navegadores no cambian.
look-save = Guardar ajustes
look-sample = El puerto despierta antes que la ciudad. Los barcos que salieron a las cuatro vuelven uno tras otro, y las gaviotas los conocen a todos.
look-ways = Guardar y buscar desde cualquier lugar
look-bookmark = Arrastra este enlace a tus marcadores. Guarda la página que estás viendo: { $link }
look-bookmark-link = Guardar en Carrel
look-install = Instala Carrel como aplicación desde el menú de tu navegador. En un teléfono, otras aplicaciones podrán compartir páginas con ella.
look-keys = Tus fuentes y tu biblioteca tienen teclas como las de otros lectores. Pulsa { $key } allí para verlas.
look-search-engine = También puedes buscar desde tu navegador: añade Carrel como buscador, con la dirección { $address }.
appearance-words = Apariencia de los textos en este navegador. Un cambio se ve al momento; guárdalo para aplicarlo a todas las páginas.
appearance-offline = Con una cuenta, un navegador también puede <1>guardar textos para leerlos sin conexión</1>.
appearance-refused = Los ajustes no se guardaron porque los envió otro sitio. Elígelos de nuevo.
appearance-unread = No se pudieron leer los ajustes. Elígelos de nuevo.
appearance-face-wrong = Los ajustes no se guardaron. Escribe el nombre de la fuente: de 1 a 60 letras A–Z, cifras, espacios y guiones.
