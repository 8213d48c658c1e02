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
quotation = Cita
quotation-check = Comprobar
look-save = Guardar ajustes
look-theme = Colores
look-theme-auto = Como el dispositivo
look-theme-light = Claro
look-theme-sepia = Sepia
look-theme-dark = Oscuro
look-size = Tamaño del texto
look-size-m = Mediano
look-size-s = Pequeño
look-size-l = Grande
look-size-xl = Muy grande
look-width = Ancho del texto
look-width-medium = Medio
look-width-narrow = Estrecho
look-width-wide = Ancho
look-face = Letra
look-face-serif = Con serifa
look-face-sans = Sin serifa
look-scroll = Marcar entradas como leídas
look-scroll-open = Cuando las abro
look-scroll-pass = También al pasar por ellas (necesita scripts)
look-pictures = Imágenes
look-pictures-show = Mostrar
look-pictures-hide = Solo sus descripciones, con enlaces
look-spacing = Interlineado
look-spacing-normal = Normal
look-spacing-tight = Estrecho
look-spacing-loose = Amplio
look-density = Listas
look-density-cosy = Cómodas
look-density-compact = Compactas
look-density-magazine = Revista
