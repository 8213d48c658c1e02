# List of monitors, and the states of a monitor.

monitors-deleted = Monitor eliminado. Su fuente responde ahora 410 Gone.
monitors-purpose = Un monitor comprueba una página, un mapa del sitio o unos valores según un horario y avisa de los cambios, aquí y en cualquier lector de fuentes.
monitors-api = Con la API:
monitors-groups = Grupos
monitors-lists = Importar y exportar
monitors-none-in-group = No hay monitores en este grupo.
monitors-none-tagged = Ningún monitor tiene esta etiqueta.
monitors-pause-selected = Pausar la selección
monitors-resume-selected = Reanudar la selección
monitors-pause-tagged = Pausar los { $count } con esta etiqueta
monitors-resume-tagged = Reanudar los { $count } con esta etiqueta
monitors-usage = { $used } de { $most } monitores; quedan { $left } de { $credits } créditos este mes.
monitors-unchanged = sin cambios
monitors-change-selected = Cambiar la selección
monitors-add-tags = Añadir etiquetas
monitors-remove-tags = Quitar etiquetas
monitors-separated = Separadas por comas.
monitors-also-notify = Avisar también por
monitors-no-longer-notify = Dejar de avisar por
monitors-updated =
    { $count ->
        [one] { $count } monitor actualizado.
       *[other] { $count } monitores actualizados.
    }
monitors-left = No se pudieron actualizar { $count }: superan el plan, tienen demasiadas etiquetas o canales, o ya no existen.
monitors-caption = Tus monitores, los más nuevos primero
monitors-select = Seleccionar
monitors-select-named = Seleccionar { $name }
monitors-last-change = Último cambio
monitors-next-run = Próxima ejecución
monitors-none-yet = todavía nada
monitor-active = activo
monitor-failed = con errores
monitor-paused = en pausa
monitor-over-plan = en pausa: supera el plan
failure-selector-none = La parte vigilada no está en la página
failure-selector = El selector no se puede evaluar en la página
failure-settings = Los ajustes del monitor no son válidos
