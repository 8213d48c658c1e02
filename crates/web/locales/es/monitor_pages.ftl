# Groups, lists, and changes of monitors, and the forms that edit, copy, and delete one.

groups-heading = Grupos de monitores
groups-deleted = Grupo borrado. Sus monitores conservan sus ajustes.
groups-words = Los monitores de un grupo comparten ajustes, como el intervalo, las horas de silencio y los canales. Un grupo puede tener una página y una fuente públicas.
groups-public = público
groups-new = Grupo nuevo
groups-create = Crear grupo
groups-count =
    { $count ->
        [one] { $count } monitor
       *[other] { $count } monitores
    }
groups-in-group = { $link } en este grupo.
group-made = Grupo creado. Elígelo en el formulario de un monitor, o para monitores seleccionados en la lista.
group-saved = Grupo guardado.
group-title = Grupo
group-publish = Página y fuente públicas
group-publish-words = Cualquiera con el enlace puede leer los nombres de los monitores y sus cambios. Si lo desactivas, los enlaces dejan de funcionar para siempre.
group-new-monitor = Nuevo monitor aquí
group-shared-words = Los ajustes compartidos valen para cada monitor del grupo, salvo que tenga los suyos. Si dejas de compartir un ajuste, cada monitor conserva su valor.
group-check = Revisar
group-own-interval = el ajuste de cada monitor
group-share-days = Compartir estos días y horas
group-share-channels = Compartir estos canales
group-page = Página pública
group-page-words = Cualquiera con este enlace puede leer la página. Si la página es privada, trata el enlace como una contraseña.
group-page-link = Enlace de la página
group-delete-question = ¿Borrar el grupo { $name }?
group-delete-words = Sus monitores se quedan, con sus ajustes actuales. Su página y su fuente públicas dejan de funcionar para siempre.
group-delete = Borrar grupo
duplicate-name = { $name } (copia)
duplicate-heading = Duplicar { $name }
duplicate-words = La copia tiene todos los ajustes de este monitor y vigila otra dirección. Después puedes editarla.
duplicate-create = Crear copia
lists-heading = Importar y exportar monitores
lists-words = Una copia de changedetection.io (ZIP), una lista de urlwatch (urls.yaml) o una exportación de este servicio. Los monitores que ya tienes no cambian.
lists-download = Descargar monitores (JSON)
lists-imported = Tus monitores están importados
lists-program = El archivo es una lista de { $program }.
lists-new = Nuevos
lists-existing = Existentes
lists-refused = No importados
lists-not-read = No leídos
lists-not-read-words = Algunos monitores no se leyeron: están dañados o la lista tiene más de 1000.
lists-show = Ver monitores
lists-line-new = { $monitor }: nuevo
lists-line-existing = { $monitor }: ya existía
lists-line-refused = { $monitor }: no importado. { $reason }
lists-without = Sin: { $settings }
changes-search = Buscar en los cambios
changes-no-match-newest = Sin coincidencias entre los cambios más recientes.
changes-no-match = Ningún cambio coincide.
changes-older = Cambios anteriores
monitor-edit-heading = Editar { $name }
monitor-edit-preview-empty = La vista previa muestra qué cambios pasados se notificarían con estos ajustes.
monitor-edit-baseline = Si cambias la dirección o lo que se vigila en ella, la próxima ejecución es la nueva referencia.
monitor-edit-preview = Probar con el pasado
monitor-edit-replayed =
    { $count ->
        [one] Con estos ajustes, se habría notificado { $left } de { $count } último cambio.
       *[other] Con estos ajustes, se habrían notificado { $left } de los últimos { $count } cambios.
    }
monitor-edit-reported = notificado: { $change }
monitor-edit-not-reported = no notificado: { $change }
monitor-edit-unknown = desconocido: { $change }
monitor-edit-past = Cambios pasados
monitor-rotate-question = ¿Reemplazar el enlace de la fuente de { $name }?
monitor-rotate-words = El enlace actual de la fuente y todos los enlaces a cambios dejan de funcionar al instante. Los lectores necesitan el enlace nuevo. El monitor y la página que revisa no cambian.
monitor-rotate = Reemplazar enlace
monitor-delete-question = ¿Borrar { $name }?
monitor-delete-words = Sus ejecuciones y cambios se borran, y su fuente responde 410 Gone. No se puede deshacer.
monitor-delete-button = Borrar monitor
