# List of subscriptions, and the form that follows a site.

feeds-subscriptions = Abonnements
feeds-status = État des flux
feeds-all = Tous
feeds-none = Vous ne suivez encore aucun flux.
feeds-none-in-status = Aucun flux n’est dans cet état.
feeds-count =
    { $count ->
       *[other] { $amount } flux
    }
feeds-more = Plus de flux
feeds-rules = Règles
feeds-statistics = Statistiques
feeds-unread-count = { $amount } non lus
follow-words = Saisissez l’adresse de n’importe laquelle de ses pages. Les nouveaux articles apparaîtront dans vos flux.
follow-address = Adresse du site ou de son flux
follow-collection = Collection
follow-search = Chercher les flux
follow-search-again = Chercher à nouveau
follow-several = Plusieurs flux à la fois : <1>importer un fichier OPML</1>.
follow-services = Services dont les pages sont reconnues
follow-found = Flux trouvés
follow-none = Il n’y a pas de flux à cette adresse, et la page n’en indique aucun. Vous pouvez à la place <1>surveiller la page</1> et être averti quand elle change.
follow-unchecked = indiqué par la page, pas encore vérifié
follow-titled = Suivre « { $title } »
follow-list = Suivre les nouveautés de cette page
follow-list-words = La page contient une liste de { $count } éléments. Une veille signale les nouveaux comme articles dans vos flux.
follow-list-watch = Surveiller les nouveautés
feed-request-words = Avec un agent utilisateur ou des en-têtes, le flux est récupéré séparément pour votre compte.
feed-request-headers-hint = Un par ligne, comme X-Feed-Key: 1234. Ils sont chiffrés et envoyés seulement au site du flux.
feed-request-stored = Enregistrés : { $names }. Les nouveaux les remplacent.
feed-request-remove = Retirer les en-têtes enregistrés
