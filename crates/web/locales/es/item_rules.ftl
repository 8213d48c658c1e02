# Rules for saved items.

item-rules = Reglas para elementos guardados
item-rules-words = Una regla cambia cada elemento nuevo una sola vez, en cuanto se ha leído su texto. Los elementos importados no se cambian. Las etiquetas públicas o compartidas no se añaden.
item-rules-created = Regla creada. Se aplica a lo que guardes a partir de ahora.
item-rules-changed = Reglas cambiadas.
item-rules-deleted = Regla eliminada.
item-rules-name = Nombre de la regla
item-rules-query = Elementos que encuentra esta búsqueda
item-rules-query-hint = Por ejemplo, domain:example.org o title:factura. Las palabras y los filtros son los de la búsqueda.
item-rules-status = Mover a
item-rules-status-none = No mover
item-rules-adds = Añade las etiquetas: { $tags }
item-rules-moves = Mueve a: { $status }
item-rules-nothing = No cambia nada
item-rules-matches = Coincidencias hasta ahora: { $count }
item-rules-items = Ver elementos
item-rules-withheld = No añadidas, por ser públicas o compartidas: { $tags }
item-rules-edit-named = Editar «{ $name }»
item-rules-up = Subir
item-rules-up-named = Subir «{ $name }»
item-rules-down = Bajar
item-rules-down-named = Bajar «{ $name }»
item-rules-stay = Los elementos que cambió la regla se quedan como están.
