# Rules for saved items.

item-rules = Règles pour les éléments enregistrés
item-rules-words = Une règle modifie chaque nouvel élément une seule fois, dès que son texte a été lu. Les éléments importés ne sont pas modifiés. Les étiquettes publiques ou partagées ne sont pas ajoutées.
item-rules-created = Règle créée. Elle s’applique à ce que vous enregistrez désormais.
item-rules-changed = Règles modifiées.
item-rules-deleted = Règle supprimée.
item-rules-name = Nom de la règle
item-rules-query = Éléments trouvés par cette recherche
item-rules-query-hint = Par exemple domain:example.org ou title:facture. Les mots et les filtres sont ceux de la recherche.
item-rules-status = Déplacer vers
item-rules-status-none = Ne pas déplacer
item-rules-adds = Ajoute les étiquettes : { $tags }
item-rules-moves = Déplace vers : { $status }
item-rules-nothing = Ne modifie rien
item-rules-matches = Résultats jusqu’ici : { $count }
item-rules-items = Voir les éléments trouvés
item-rules-withheld = Non ajoutées, car publiques ou partagées : { $tags }
item-rules-edit-named = Modifier « { $name } »
item-rules-up = Monter
item-rules-up-named = Monter « { $name } »
item-rules-down = Descendre
item-rules-down-named = Descendre « { $name } »
item-rules-stay = Les éléments que la règle a modifiés restent tels quels.
