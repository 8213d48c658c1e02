# Details, notes, tags, copies, and deletion of library items.

edit-author = Autor
edit-tags-hint = Separadas por comas; 12 como máximo.
edit-kind = Tipo
note-item-deleted = Su elemento se borró.
note-item-deleted-titled = Su elemento se borró: { $title }.
note-delete-highlight = Borrar resaltado
note-back = Volver al elemento
note-delete = Borrar nota
quote-share = Compartir esta cita
quote-title = Compartir una cita
quote-back = Volver al resaltado
quote-text = Cita con su fuente
quote-original = La cita en la página original
quote-original-words = { $link }. El enlace marca la cita en la mayoría de los navegadores.
quote-own = <1>El resaltado en tu biblioteca</1>. Solo tú puedes abrir este enlace.
public-tag-published = La etiqueta es pública. Comparte su enlace.
public-tag-private = La etiqueta vuelve a ser privada. Su enlace anterior ya no funciona.
public-tag-name = Etiqueta
public-tag-hint = En la página aparecen sus elementos con dirección web pública: título, dirección, cuándo los guardaste y el principio del texto si se obtuvo de esa dirección. Nunca tus notas, resaltados, otras etiquetas ni archivos.
public-tags = Etiquetas públicas
public-tags-words = Una etiqueta pública tiene una página y una fuente que cualquiera con el enlace puede leer, sin cuenta.
public-tags-yours = Tus etiquetas públicas
public-tags-publish-heading = Publicar una etiqueta
public-tags-publish = Publicar
public-tag-link = Enlace de «{ $tag }»
public-tag-feeds = <1>Abrir la página</1>. Su fuente está disponible como <2>RSS</2>, <3>Atom</3> y <4>JSON Feed</4>.
public-tag-hide-named = Hacer privada «{ $tag }»
public-tag-hide = Hacer privada
shared-added = Página añadida.
shared-removed = Página quitada de esta etiqueta. El propietario aún la tiene.
shared-joined = Te has unido al equipo.
shared-none = Nada todavía. Cuando alguien te invite a un equipo, sus etiquetas y monitores aparecerán aquí.
shared-teams = Tus equipos
shared-can-add = puedes añadir páginas
shared-no-changes = sin cambios todavía
shared-no-pages = Aún no hay páginas.
shared-pages = Páginas
shared-older = Páginas anteriores
shared-tag = Etiqueta compartida
shared-save = Guardar en mi biblioteca
shared-add-page = Añadir una página
shared-add-hint = Se guarda en la biblioteca del propietario.
shared-add = Añadir
shared-remove = Quitar
shared-remove-named = Quitar «{ $name }»
shared-changes = Últimos cambios
shared-monitor = Monitor compartido
copy-requested = La página se está copiando. Esta vista se recarga hasta que la copia esté lista.
copy-deleted = Copia borrada.
copy-page = Página
copy-page-words = Un archivo con texto, estilos e imágenes, sin scripts. Se abre en cualquier navegador.
copy-picture = Imagen
copy-picture-words = La página entera como PNG.
copy-pdf-words = La página como se imprime.
copy-words = Una copia ocupa tu almacenamiento y cuesta cinco extracciones nuevas. Forma parte de tu exportación.
copy-open = Abrir la copia
copy-from = { $time }, { $size } KB
copy-waiting = Copiando.
copy-fault-storage = No se pudo copiar la página: tu almacenamiento está agotado. Borra archivos o elementos.
copy-fault-robots = No se pudo copiar la página: su sitio no permite que la lean programas.
copy-fault-content = No se pudo copiar la página: es demasiado grande o compleja para un navegador.
copy-fault-browser = No se pudo copiar la página: el navegador no respondió. Inténtalo de nuevo.
copy-fault-queue = La página no se copió: había demasiadas copias en espera. Inténtalo de nuevo.
copy-fault-limit = La página no se copió: las extracciones nuevas de hoy para copias automáticas se han agotado. Inténtalo de nuevo ahora o mañana.
copy-fault-address = No se pudo copiar la página: no se pudo abrir. Revisa la dirección e inténtalo de nuevo.
copy-replace = Reemplazar
copy-create = Copiar
copies-automatic = Copias automáticas de páginas
copies-saved = Copias automáticas guardadas.
copies-words = Carrel puede copiar la página de cada elemento nuevo que guardes por su dirección, tal como la muestra un navegador. Si no eliges ningún formato, no se copia ninguna página. No se copian las páginas que envió la extensión o un correo.
copies-formats = Formatos
copies-imports = Copiar también las páginas de los elementos importados, primero los más recientes, como máximo { $count } copias al día
copies-limits = Una copia ocupa tu almacenamiento y cuesta cinco extracciones nuevas. Las copias automáticas usan como máximo la mitad de las extracciones nuevas de un día. Si se alcanza un límite, el elemento lo indica.
delete-items-question =
    { $count ->
        [one] ¿Borrar este elemento?
       *[other] ¿Borrar estos { $count } elementos?
    }
delete-items-words = Al cabo de un minuto se borran definitivamente, con sus archivos. Hasta entonces puedes deshacerlo.
delete-items-annotations = Borrar también sus notas y resaltados. Si no, se quedan y puedes encontrarlos buscando.
delete-items-title = Borrar
tags-none = Aún no hay etiquetas. Añade una en la página de un elemento, o a varios en la lista.
tags-words = Si das a una etiqueta el nombre de otra, las dos se unen. Si esa otra es pública o compartida con un equipo, también lo serán los elementos de ambas. Una etiqueta puede tener una <1>página pública</1>.
tags-more = Más etiquetas
tags-yours = Tus etiquetas
tags-count =
    { $count ->
        [one] { $count } elemento
       *[other] { $count } elementos
    }
tags-remove-named = Quitar «{ $name }» de todo
copy-left-out = Omitido: { $parts }.
copy-pictures =
    { $count ->
        [one] 1 imagen
       *[other] { $count } imágenes
    }
copy-fonts =
    { $count ->
        [one] 1 fuente
       *[other] { $count } fuentes
    }
copy-styles =
    { $count ->
        [one] 1 hoja de estilo
       *[other] { $count } hojas de estilo
    }
copy-media =
    { $count ->
        [one] 1 audio o vídeo
       *[other] { $count } audios o vídeos
    }
copy-frames =
    { $count ->
        [one] 1 marco u objeto
       *[other] { $count } marcos u objetos
    }
copy-cut = La página puede estar incompleta, porque alcanzó un límite.
