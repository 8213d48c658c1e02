# Today page and first steps.

today-unread =
    { $count ->
        [one] { $amount } article non lu
       *[other] { $amount } articles non lus
    }
today-unread-partial =
    { $count ->
        [one] au moins { $amount } article non lu
       *[other] au moins { $amount } articles non lus
    }
today-unread-heading = Non lus
today-all-unread = Tous les non lus
today-order = D’abord les flux que vous lisez et marquez le plus.
today-search-or-open = Rechercher ou ouvrir
today-search-label = Tout rechercher, ou ouvrir une page
today-search-hint = Cherche dans vos flux et votre bibliothèque. Saisissez une adresse pour ouvrir la page.
today-search-example = port, ou https://…
today-go = OK
today-changes = Changements
today-all-changes = Tous les changements
today-started = Continuer la lecture
today-saved = Enregistré récemment
today-waiting = Enregistré il y a longtemps
today-this-day = Ce jour-là
today-attention = À surveiller
today-all-failing = Tous les flux qui ne répondent pas
begin = Pour commencer
begin-progress = { $completed } sur { $count } terminé(s)
begin-done = Fait
begin-follow = Suivez un site
begin-follow-words = pour voir ses nouveaux articles ici et dans Flux.
begin-save = Enregistrez une page
begin-save-words = pour la lire plus tard, avec vos surlignages et notes.
begin-watch = Surveillez un prix
begin-watch-words = ou toute autre partie d’une page, pour voir ses changements ici.
begin-continue = Continuer
begin-close = Ne plus afficher
nothing-new = Rien de nouveau
nothing-feeds = <1>Trouvez d’autres sites à suivre</1>, ou <2>apportez vos flux</2> d’un autre lecteur.
nothing-library = <1>Parcourez votre bibliothèque</1>, ou <2>apportez vos pages enregistrées</2>.
nothing-monitors = <1>Surveillez une page</1> pour voir ses changements ici.
