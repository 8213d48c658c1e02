# Reading pages and reading settings.

reading-source = Origen
reading-minutes =
    { $count ->
        [0] menos de un minuto
        [one] 1 minuto
       *[other] { $count } minutos
    }
reading-printed = Origen: { $address }, leído el { $day } a las { $time } UTC.
reading-truncated = Falta una parte del original. Es demasiado largo o no se puede convertir en texto.
reading-paywall = El sitio solo muestra un adelanto a quienes no tienen suscripción.
reading-scripts = El sitio muestra parte de su texto solo en navegadores que ejecutan scripts.
reading-passages = Pasajes que coinciden con tu búsqueda. <1>Mostrar todo el texto</1>
reading-no-match = Nada en este texto coincide con «{ $query }».
reading-next = Página siguiente
reading-formats = Como <1>texto</1>, <2>Markdown</2> o <3>JSON</3>.
reading-save = Guardar
reading-listen = Escuchar
reading-stop = Parar
reading-aa = : ajustes de lectura
reading-more = Más
reading-outline = Índice
reading-check = Comprobar una cita
reading-watch = Vigilar esta página
reading-follow = Seguir este sitio
reading-original = Abrir el original
reading-epub = Descargar como EPUB
reading-markdown = Descargar como Markdown
reading-another = Leer otra página
reading-fetched = Descargado { $age }
reading-fetch-again = Descargar otra vez
reading-find-label = Buscar en este texto
reading-find = Buscar
video-play = Reproducir aquí
video-service = Carga el reproductor de { $service }
quotation = Cita
quotation-check = Comprobar
appearance-save = Guardar ajustes
appearance-theme = Colores
appearance-theme-auto = Como el dispositivo
appearance-theme-light = Claro
appearance-theme-sepia = Sepia
appearance-theme-dark = Oscuro
appearance-size = Tamaño del texto
appearance-width = Ancho del texto
appearance-face = Letra
appearance-face-serif = Con serifa
appearance-face-sans = Sin serifa
appearance-face-legible = Para dislexia
appearance-face-mono = Monoespaciada
appearance-face-own = Una fuente de este dispositivo
appearance-face-name = Nombre de la fuente
appearance-face-name-hint = El nombre en inglés de una fuente instalada en este dispositivo: letras A–Z, cifras, espacios y guiones. En los dispositivos que no la tienen, el texto lleva serifa.
appearance-scroll = Marcar entradas como leídas
appearance-scroll-open = Cuando las abro
appearance-scroll-pass = También al pasar por ellas (necesita scripts)
appearance-pictures = Imágenes
appearance-pictures-show = Mostrar
appearance-pictures-hide = Solo sus descripciones, con enlaces
appearance-spacing = Interlineado
appearance-density = Listas
appearance-density-cosy = Cómodas
appearance-density-compact = Compactas
appearance-density-magazine = Revista
appearance-paged = Avanzar por páginas
appearance-paged-off = No
appearance-paged-on = Espacio, Re Pág y Av Pág, y toques por encima y por debajo del centro de un texto (necesita scripts)
appearance-less = menos
appearance-more = más
paragraph-link = Enlace al párrafo { $number }
paragraph-original = original
picture-unnamed = Imagen
quotation-text = El texto
quotation-wrong = Introduce una cita de 8 a 1000 caracteres y como máximo 200 palabras.
quotation-paragraph = Párrafo { $number } del texto
quotation-exact = El texto contiene esta cita, palabra por palabra.
quotation-close = El texto contiene un pasaje parecido.
quotation-close-share = El { $share } de las palabras coincide.
quotation-differences = Diferencias
quotation-legend = Tachado: solo en la cita. Subrayado: solo en el texto.
quotation-absent = El texto no contiene esta cita.
quotation-absent-words = El pasaje más parecido coincide en un { $share }. La página puede haber cambiado, o la cita es de otra página.
quotation-only-quoted = solo en la cita:
quotation-only-text = solo en el texto:
quotation-context = Contexto
reader-limited = Has abierto muchas páginas en poco tiempo.
reader-what-to-do = Qué hacer:
reader-wait =
    { $count ->
        [one] Espera 1 segundo e inténtalo de nuevo.
       *[other] Espera { $count } segundos e inténtalo de nuevo.
    }
reader-another = Leer otra página
reader-about = Acerca de { $code }
reader-original = Abrir el original
reader-try-http = Probar http://
reader-no-page = Página no encontrada
reader-no-page-step = Revisa si la dirección tiene errores. Para leer una página de otro sitio, introduce su dirección abajo.
reader-gone = El sitio no tiene esa página
reader-gone-step = Abre el original para comprobar la dirección. La página puede haberse movido o eliminado.
reader-no-address = Introduce una dirección
reader-no-address-step = Pega la dirección de la página que quieres leer.
reader-address = Introduce una dirección completa
reader-address-step = Una dirección completa empieza por https:// o http://, sin nombre de usuario ni contraseña.
