# List of monitors, and the states of a monitor.

monitors-deleted = Veille supprimée. Son flux répond désormais 410 Gone.
monitors-purpose = Une veille vérifie une page, un plan de site ou quelques valeurs selon un calendrier et signale les changements, ici et dans tout lecteur de flux.
monitors-api = Avec l’API :
monitors-groups = Groupes
monitors-lists = Import et export
monitors-none-in-group = Aucune veille n’est dans ce groupe.
monitors-none-tagged = Aucune veille n’a cette étiquette.
monitors-pause-selected = Suspendre la sélection
monitors-resume-selected = Reprendre la sélection
monitors-pause-tagged = Suspendre les { $count } avec cette étiquette
monitors-resume-tagged = Reprendre les { $count } avec cette étiquette
monitors-usage = { $used } veilles sur { $most } ; il reste { $left } crédits sur { $credits } ce mois-ci.
monitors-unchanged = inchangé
monitors-change-selected = Modifier la sélection
monitors-add-tags = Ajouter des étiquettes
monitors-remove-tags = Retirer des étiquettes
monitors-separated = Séparées par des virgules.
monitors-also-notify = Avertir aussi par
monitors-no-longer-notify = Ne plus avertir par
monitors-updated =
    { $count ->
        [one] { $count } veille mise à jour.
       *[other] { $count } veilles mises à jour.
    }
monitors-left = Non mises à jour : { $count }. Elles dépassent l’offre, ont trop d’étiquettes ou de canaux, ou n’existent plus.
monitors-caption = Vos veilles, les plus récentes d’abord
monitors-select = Sélectionner
monitors-select-named = Sélectionner { $name }
monitors-last-change = Dernier changement
monitors-next-run = Prochaine exécution
monitors-none-yet = aucun
monitor-active = active
monitor-failed = en échec
monitor-paused = suspendue
monitor-over-plan = suspendue : au-delà de l’offre
failure-selector-none = La partie surveillée n’est pas sur la page
failure-selector = Le sélecteur ne peut pas être évalué sur la page
failure-settings = Les réglages de la veille ne sont pas valides
