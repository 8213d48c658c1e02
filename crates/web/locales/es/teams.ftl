# Families and teams.

teams-heading = Familia y equipos
teams-left = Has dejado el equipo.
teams-deleted = Equipo borrado. Lo que compartías vuelve a ser solo tuyo.
teams-words = Comparte etiquetas de tu biblioteca y los cambios de monitores con personas que conoces. Tú decides quién lee y quién también añade páginas.
teams-new = Equipo nuevo
teams-name-hint = Por ejemplo, «Familia». Los miembros lo ven.
teams-create = Crear equipo
teams-member-of = Eres miembro de
teams-membership-reader = Propietario: { $owner }. Puedes leer. { $link }
teams-membership-editor = Propietario: { $owner }. Puedes leer, y añadir y quitar páginas. { $link }
teams-shared = Compartido contigo
teams-leave = Salir
teams-leave-named = Salir de «{ $name }»
teams-yours = Tus equipos
teams-no-members = aún sin miembros
teams-members-count =
    { $count ->
        [one] { $count } miembro
       *[other] { $count } miembros
    }
teams-join-title = Unirse a un equipo
teams-join-reader = { $owner } te invita al equipo { $team }. Puedes leer lo que comparte el propietario, que verá tu correo, { $email }. Puedes salir en cualquier momento.
teams-join-editor = { $owner } te invita al equipo { $team }. Puedes leer lo que comparte el propietario, y añadir y quitar páginas. El propietario verá tu correo, { $email }. Puedes salir en cualquier momento.
teams-join = Unirse
team-title = Equipo
team-members = Miembros
team-invite-heading = Invitar a alguien
team-tags = Etiquetas compartidas
team-tags-words = Los miembros ven las páginas con estas etiquetas: título, dirección, cuándo las guardaste y el comienzo del texto si se descargó de la dirección. Las notas, resaltados y archivos siguen siendo privados.
team-monitors = Monitores compartidos
team-monitors-words = Los miembros ven los nombres y los cambios de estos monitores.
team-delete-link = Borrar equipo…
team-created = Equipo creado. Invita a sus miembros.
team-invited = Invitación creada. Caduca en 7 días y sirve una vez.
team-revoked = Invitación revocada. Su enlace ya no funciona.
team-removed = Miembro quitado. Un enlace de abajo que hayas compartido funciona hasta que lo revoques.
team-role-changed = Rol cambiado.
team-sharing-changed = Uso compartido actualizado.
team-no-members = Aún no hay miembros.
team-role = Rol
team-role-of = Rol de { $email }
team-change-role = Cambiar el rol de { $email }
team-change = Cambiar
team-reader = Lector
team-editor = Editor: añade y quita páginas
team-mailed = Enviada a { $email }
team-link-to-pass = Enlace para compartir
team-as-reader = como lector
team-as-editor = como editor
team-expires = caduca { $time }
team-invitation-link = Enlace de la invitación
team-email-hint = Déjalo vacío para obtener un enlace que compartas tú.
team-invite = Invitar
team-stop = Dejar de compartir
team-stop-named = Dejar de compartir «{ $name }»
team-tag = Etiqueta
team-share-tag = Compartir etiqueta
team-monitor = Monitor
team-share-monitor = Compartir monitor
team-delete-question = ¿Borrar el equipo { $name }?
team-delete-words = Sus miembros pierden el acceso de inmediato. Tus etiquetas, elementos y monitores quedan como están.
team-delete = Borrar equipo
