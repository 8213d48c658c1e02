# Pages that anyone with their link may read: groups, tags, and changes of monitors.

public-not-found = Página no encontrada
public-not-found-words = El enlace es incorrecto. Comprueba que esté completo.
public-gone = Esta página ya no es pública
public-gone-words = Su propietario la borró o le dio un enlace nuevo.
public-gone-title = Ya no es pública
public-unavailable = No disponible temporalmente
public-unavailable-words = Inténtalo de nuevo en unos segundos.
public-group-follow = Sigue los cambios en un lector de fuentes: <1>RSS</1>, <2>Atom</2>, <3>JSON Feed</3>.
public-no-monitors = Aún no hay monitores.
public-tag-not-found = El enlace es incorrecto, o su propietario ya no comparte esta página.
public-tag-follow = Sigue esta lista en un lector de fuentes: <1>RSS</1>, <2>Atom</2>, <3>JSON Feed</3>.
public-no-items = Aún no hay elementos.
public-newest = Se muestran los { $number } elementos más recientes.
change-not-found = Cambio no encontrado
change-not-found-words = El enlace es incorrecto, o el cambio se borró.
change-gone = Este enlace ya no es válido
change-gone-words = Su fuente tiene un enlace nuevo o ya no es pública.
change-gone-title = Enlace no válido
change-of = Cambio de { $monitor }
change-detected = Detectado
change-address = Dirección
change-differences = Diferencias
change-views = Vistas
change-sides = Lado a lado
change-inline = En el texto
change-before = Antes
change-after = Después
change-rest =
    { $count ->
        [one] No se muestra { $count } diferencia más.
       *[other] No se muestran { $count } diferencias más.
    }
change-legend = El texto eliminado está tachado; el añadido, subrayado.
change-unknown-size = tamaño desconocido
change-no-screenshot = Esta captura no está guardada: es demasiado grande o antigua, o el espacio para capturas está agotado.
change-earlier = Cambio anterior
change-later = Cambio posterior
change-count-added = { $count } añadidas
change-count-removed = { $count } eliminadas
change-count-changed = { $count } cambiadas
change-count-moved = { $count } movidas
change-unchanged =
    { $count ->
        [one] { $count } línea sin cambios
       *[other] { $count } líneas sin cambios
    }
change-whole = La fuente cambió demasiado para compararla línea por línea.
change-before-value = Antes:
change-after-value = Después:
change-link = Enlace: { $link }
change-fell = bajó { $amount }
change-rose = subió { $amount }
change-new = Nuevo
change-removed = Eliminado
change-changed = Cambiado
change-moved = Movido
change-removed-part = eliminado:
change-added-part = añadido:
change-explanation-pending = El modelo de lenguaje está explicando el cambio.
change-explanation-none = El modelo de lenguaje no ha explicado el cambio: { $reason }.
change-explanation-by = Escrito por el modelo de lenguaje { $name }. Puede ser incorrecto.
change-explanation-irrelevant = Según él, el cambio no importa para el deseo.
change-explanation-withheld = Según él, el cambio no importa para el deseo, por eso no se envió ningún mensaje.
