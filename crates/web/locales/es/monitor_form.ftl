# Form of a new monitor, and its preview.

monitor-new = Nuevo monitor
monitor-new-words = Carrel comprueba una página con regularidad y avisa cuando cambia la parte que te interesa.
monitor-full = Tu plan no permite más monitores.
monitor-full-used = { $used } de { $limit } en uso.
monitor-full-words = Elimina uno que ya no necesites, o edita uno para vigilar otra cosa.
monitor-full-list = Ir a tus monitores
monitor-full-plan = Plan y uso
monitor-examples = Prueba un ejemplo
monitor-example-change = Cualquier cambio de una página
monitor-example-word = Aparece una palabra
monitor-example-list = Novedades de una lista
monitor-preview = Vista previa
monitor-preview-again = Nueva vista previa
monitor-preview-empty = Pulsa Vista previa para ver qué vigilará este monitor. No usa créditos.
monitor-start = Vigilar
monitor-cancel = Cancelar
step-1 = 1. Qué vigilar
step-2 = 2. Cuándo
step-3 = 3. Cómo te avisamos
monitor-address = Dirección de la página
monitor-address-hint = La página pública, el mapa del sitio o el documento JSON que vigilar.
monitor-type = Tipo
target-page = Una página
target-page-words = su texto o una parte; 1 crédito por ejecución
target-sitemap = Un mapa del sitio
target-sitemap-words = direcciones añadidas y quitadas; 2 créditos por ejecución
target-product = Un producto
target-product-words = su nombre, precio y disponibilidad; 3 créditos por ejecución
target-calendar = Un calendario
target-calendar-words = sus eventos, de un archivo iCalendar; 2 créditos por ejecución
target-file = Un archivo
target-file-words = de cualquier formato, por su tamaño y hash; 1 crédito por ejecución
target-image = Una imagen
target-image-words = por su aspecto, como la de una cámara web; 2 créditos por ejecución
target-headers = Cabeceras
target-headers-words = el estado y las cabeceras de la respuesta; 1 crédito por ejecución
target-extract = Valores
target-extract-words = como precios, por selector; 3 créditos por ejecución
monitor-part = Solo una parte de la página
monitor-selector = Selector
monitor-selector-hint = CSS, como #price o li:contains("Tickets"), XPath, como //table[2]//tr, JSONPath, como $.version, o jq, como jq:.items[] | select(.free) | .name. En una página, JSONPath y jq leen los datos de sus scripts: $['ld+json'][0].offers.price o $.__NEXT_DATA__.props. Si hay varios, uno por línea, también se avisa cuando uno aparece o desaparece. Para el aspecto: un selector CSS.
monitor-filters = Filtros
monitor-filters-hint = Uno por línea, aplicados en orden a las líneas de la página: keep o drop con una expresión regular, como drop ^Advert; replace, como replace \d+ views => views; sort; unique. La vista previa muestra las líneas tras cada uno.
monitor-sitemap = Filtros del mapa del sitio
monitor-include = Incluir direcciones
monitor-include-hint = Un patrón por línea, como /blog/*.
monitor-exclude = Excluir direcciones
monitor-exclude-hint = Un patrón por línea.
monitor-values = Valores
monitor-values-hint = Uno por línea, como price = .price. Un asterisco tras el nombre marca la clave que identifica un elemento. Si un valor contiene varios números, elige uno con first, last, least o greatest entre paréntesis, como price (least) = .price. De las cabeceras, nombra las que se leen, como etag = ETag.
monitor-items = Elemento repetido
monitor-items-hint = Selector CSS o XPath del elemento repetido, como .product. Vacío: la página es un solo elemento.
monitor-empty = La lista puede estar vacía, como una lista de citas libres.
monitor-empty-words = Si no, una lista vacía solo cuenta si lo está dos veces.
monitor-headers = Cabeceras
monitor-headers-hint = Una por línea, como etag = ETag. Vacío: todas menos las que siempre difieren.
monitor-interval = Comprobar
monitor-not-in-plan = (no está en tu plan)
every-minutes =
    { $count ->
        [1] cada minuto
        [one] cada { $count } minutos
       *[other] cada { $count } minutos
    }
every-hours =
    { $count ->
        [1] cada hora
        [one] cada { $count } horas
       *[other] cada { $count } horas
    }
every-days =
    { $count ->
        [1] cada día
        [one] cada { $count } días
       *[other] cada { $count } días
    }
every-week = cada semana
monitor-trigger = Avisar cuando
trigger-any = algo cambie
trigger-text-appears = aparezca un texto
trigger-text-disappears = desaparezca un texto
trigger-above = un número suba de
trigger-below = un número baje de
trigger-share = cambie al menos este porcentaje
trigger-added = se añada algo
trigger-removed = se quite algo
trigger-condition = se cumplan las condiciones de abajo
monitor-value = Texto o número
monitor-value-hint = No hace falta para «algo cambie».
monitor-one-value = Solo uno de los valores
monitor-value-name = Nombre del valor
monitor-value-name-hint = Un nombre de Valores; de un producto name, price, currency o availability; de un evento title, start, end, location, status o repeats; de un archivo size o sha256; de cabeceras status o una cabecera. Vacío: cualquier valor.
monitor-conditions = Condiciones
monitor-conditions-hint = Una por línea; todas deben cumplirse. Una línea con la palabra or empieza una alternativa. Con valores, empieza por un nombre, como price falls by 10%, price new low in 30 days, price between 5 and 9, o not stock contains sold out. Sin valores: contains tickets, matches v\d+, count above 3, length below 200, o similarity below 80.
monitor-repeat = Avisar de nuevo mientras se cumpla
monitor-repeat-after = Avisar de nuevo tras
monitor-repeat-hint = Horas, como 24. Vacío: avisar una vez, cuando se cumpla.
monitor-ignore = Ignorar algunos cambios
monitor-ignore-label = Ignorar cambios que contengan
monitor-ignore-hint = Un texto por línea. Se ignoran los bloques que lo contienen.
schedule-days = Días y horas
schedule-only-on = Solo el
day-monday = lunes
day-tuesday = martes
day-wednesday = miércoles
day-thursday = jueves
day-friday = viernes
day-saturday = sábado
day-sunday = domingo
schedule-week = Cuáles de estos días del mes
schedule-week-all = todos
week-first = primero
week-second = segundo
week-third = tercero
week-fourth = cuarto
week-last = último
schedule-times = A estas horas
schedule-times-hint = Separadas por comas, como 08:30, 17:00. Sustituyen al intervalo.
schedule-from = Solo desde
schedule-from-hint = Como 08:00. El monitor se ejecuta a su intervalo en esas horas.
schedule-to = hasta
schedule-to-hint = Como 18:00.
schedule-zone = Zona horaria
schedule-zone-hint = Como Europe/Berlin. Vacío: UTC.
schedule-jitter = Retraso aleatorio en minutos
schedule-jitter-hint = 120 como máximo. Vacío: menos de un minuto.
schedule-not-before = No antes de
schedule-not-before-hint = Una fecha como 2026-12-24, o una hora como 2026-12-24T08:00:00Z.
schedule-muted = Horas de silencio y fallos
schedule-mute-from = Sin mensajes desde
schedule-mute-from-hint = Como 22:00, en la zona horaria de Días y horas. Las ejecuciones siguen; los mensajes esperan al final.
schedule-mute-to-hint = Como 07:00.
schedule-failures = Avisarme tras tantos fallos seguidos
schedule-failures-hint = Vacío: solo cuando el monitor se detenga.
monitor-follow = Mostrar los cambios también en mis fuentes
monitor-notify = Avisarme por
monitor-no-channels = Aún no tienes canales. <1>Añade uno</1> para recibir avisos por correo, webhook o chat.
monitor-group = Grupo
monitor-group-none = ninguno
monitor-override = Prevalecer sobre el grupo
monitor-override-hint = Los ajustes del grupo sustituyen a los de este formulario, salvo los que marques aquí.
setting-interval = Intervalo
setting-channels = Canales
monitor-tags-hint = Opcional. Etiquetas separadas por comas, como casa, precios. { $count } como máximo.
monitor-name = Nombre
monitor-name-hint = La vista previa propone el título de la página; puedes cambiarlo.
monitor-name-limit = { $count } caracteres como máximo.
request = Solicitud y acceso
request-agent = Agente de usuario
request-agent-hint = Vacío: el de Carrel.
request-proxy = Proxy
request-proxy-removed = { $name } (ya no se ofrece)
request-headers-hint = Una por línea, como Accept-Language: de. Escribe los secretos abajo.
request-post = Enviar una solicitud con este cuerpo
request-method = Método
request-body = Cuerpo
request-body-hint = Cada ejecución lo envía, así que su efecto se repite.
request-media = Tipo de medio del cuerpo
request-media-hint = Vacío: datos de formulario.
request-cookies = Guardar las cookies del sitio entre ejecuciones
request-any-status = Un estado de error, como 404, es contenido.
request-any-status-words = Si no, esa ejecución falla.
request-credentials = Credenciales
credentials-keep = Mantener las credenciales guardadas
credentials-none = Ninguna
credentials-basic = Usuario y contraseña
credentials-bearer = Token Bearer
credentials-header = Otra cabecera, como una clave de API o una cookie
request-user = Usuario o nombre de la cabecera
request-user-hint = No hace falta para un token Bearer.
request-secret = Contraseña, token o valor
request-secret-hint = Se envía solo a este sitio y nunca se muestra.
preview-heading = Qué se vigilará
preview-of-page = Encontrado ahora en «{ $title }»: { $amount }. No se usaron créditos.
preview-of-address = Encontrado ahora: { $amount }. No se usaron créditos.
preview-lines =
    { $count ->
        [one] 1 línea de texto
       *[other] { $count } líneas de texto
    }
preview-addresses =
    { $count ->
        [one] 1 dirección
       *[other] { $count } direcciones
    }
preview-items =
    { $count ->
        [one] 1 elemento
       *[other] { $count } elementos
    }
preview-nothing = nada
preview-number = El número que comparar: { $number }
preview-number-of = El número que comparar de { $item }: { $number }
preview-met = La condición ya se cumple. La primera ejecución no avisa de nada. Se avisará cuando deje de cumplirse y vuelva a cumplirse.
preview-met-repeat = La condición ya se cumple. La primera ejecución no avisa de nada. Si se sigue cumpliendo, se avisará tras el número de horas de «{ $field }».
preview-not-met = La condición no se cumple ahora.
preview-filter =
    { $count ->
        [one] Tras el filtro { $number }: { $count } línea
       *[other] Tras el filtro { $number }: { $count } líneas
    }
preview-only-first = Solo se muestran los primeros { $count }.
preview-or-only = O vigila solo
preset-address = Una dirección mejor
preset-product = Este producto: cualquier cambio
preset-product-price = Este producto: baja el precio
preset-in-stock = Disponible otra vez
preset-price-falls = Baja el precio
preset-price-changes = Cambia el precio
preset-stock = Disponible o agotado
preset-list = Novedades de esta lista
preset-part = Cambia este texto
unwatched-margin = no vigilado: fuera del texto principal; un selector o un texto esperado lo incluye
unwatched-clock = no vigilado: parece un reloj o una fecha de la página
unwatched-part = sus horas y contadores no se vigilan
unwatched-ignored = ignorado por tu regla
unwatched-learned = no vigilado: cambia en cada comprobación
target-visual = El aspecto
target-visual-words = de una página en un navegador, o de un elemento; 3 créditos por ejecución
rendering = Scripts
rendering-open = Abrir la página en un navegador, que ejecuta sus scripts.
rendering-open-words = 3 créditos por ejecución. Para páginas, productos y valores, sin cuerpo de la solicitud ni proxy.
rendering-wait = Esperar a
rendering-wait-hint = Selector CSS de un elemento sin el que la página no está completa.
rendering-steps = Pasos
rendering-steps-hint = Uno por línea, antes de leer la página: click .more, type #search => boats, press Enter, select #sort => Precio, scroll_end, wait 2 (segundos) o wait_text En stock. El manual los enumera todos. Con un signo de interrogación (click? .close), un paso se omite si falta su elemento. Para una contraseña u otro secreto, escribe secret #password; debajo aparece un campo para él. Los demás textos se guardan tal cual.
rendering-cookie-notices = Descartar los avisos de cookies
rendering-cookie-notices-words = Se rechazan o, si no, se ocultan; nunca se aceptan.
pick-button = Elegir en una imagen de la página
pick-hint = Un navegador abre la página y muestra sus partes. Cuenta como cinco extracciones nuevas, igual que cada vista previa en un navegador.
pick-no-browser = Para elegir una parte en una imagen de la página, este servicio necesita un navegador, que no tiene. La vista previa también sugiere partes.
pick-heading = Elige una parte de la página
pick-words = Elige en la imagen o en la lista la parte que se vigilará. La página se abre entonces en un navegador en cada ejecución: 3 créditos por ejecución.
pick-cut = No se ofrecen todas las partes: la página es demasiado larga, tiene demasiadas partes o no se cargó por completo.
pick-empty = Ninguna parte de la página tiene un texto que se pueda vigilar.
pick-another = Elegir otra parte
pick-alt = Imagen de la página
pick-parts = Partes de la página
pick-chosen = Partes elegidas
pick-more = Pulsa otra parte para añadirla, o una parte elegida para quitarla.
pick-steps-button = Elegir pasos en una imagen
pick-purpose = ¿Qué eliges?
pick-purpose-part = La parte que se vigila
pick-purpose-step = Pasos antes de leer la página
pick-steps-heading = Elige pasos en la página
pick-step-words = Pulsa un elemento en la imagen o en la lista y elige qué hacer con él. Después de cada paso, una imagen nueva muestra la página; cada una cuenta como cinco extracciones nuevas.
pick-steps = Pasos hasta ahora
pick-step-remove = Quitar el paso { $number }
pick-step-on = Paso en «{ $name }»
pick-step-click = Hacer clic
pick-step-type = Rellenar
pick-step-wait = Esperar a que aparezca
pick-step-scroll = Desplazarse hasta él
pick-step-select = Elegir una opción
pick-step-check = Marcar
pick-step-uncheck = Desmarcar
pick-step-press = Pulsar una tecla en él
pick-step-hover = Pasar el puntero por encima
pick-step-wait-text = Esperar un texto en él
pick-step-wait-gone = Esperar a que desaparezca
pick-step-scroll-end = Desplazarse hasta el final de su lista
pick-step-remove-element = Quitar de la página
pick-step-key = Tecla
pick-step-optional = Omitir este paso si falta el elemento
pick-step-text = Texto del paso
pick-step-text-hint = Para «Rellenar», «Elegir una opción» y «Esperar un texto». { $count } caracteres como máximo.
pick-step-add = Añadir el paso y mostrar la página
pick-kind-button = (botón)
pick-kind-field = (campo)
pick-step-secret = Rellenar con un secreto
step-secret = Secreto para { $selector }
step-secret-new = Secreto para rellenar
step-secret-hint = Se guarda cifrado, se escribe solo en este sitio y nunca se muestra.
step-secret-set = Está guardado. Déjalo vacío para conservarlo.
monitor-explanation = Modelo de lenguaje
monitor-explanation-words = Si has activado el <1>modelo de lenguaje</1>, recibe las diferencias de cada cambio y dice en una frase qué ha cambiado. Los mensajes lo esperan 10 minutos como máximo.
monitor-explanation-explain = Explicar cada cambio
monitor-explanation-wish = Cambios que te importan
monitor-explanation-wish-hint = Por ejemplo: solo bajadas de precio. Como máximo { $count } caracteres. Vacío si importan todos.
monitor-explanation-only = No enviar mensajes sobre cambios sin importancia. Siguen en el historial y en la fuente.
