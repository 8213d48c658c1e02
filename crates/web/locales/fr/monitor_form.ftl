# Form of a new monitor, and its preview.

monitor-new = Nouvelle veille
monitor-new-words = Carrel vérifie une page régulièrement et signale quand la partie qui vous intéresse change.
monitor-full = Votre offre ne permet pas d’autres veilles.
monitor-full-used = { $used } sur { $limit } sont utilisées.
monitor-full-words = Supprimez-en une dont vous n’avez plus besoin, ou modifiez-en une pour surveiller autre chose.
monitor-full-list = Voir vos veilles
monitor-full-plan = Offre et usage
monitor-examples = Essayer un exemple
monitor-example-change = Tout changement d’une page
monitor-example-word = Un mot apparaît
monitor-example-list = Nouveautés d’une liste
monitor-preview = Aperçu
monitor-preview-again = Nouvel aperçu
monitor-preview-empty = Appuyez sur Aperçu pour voir ce que cette veille surveillera. Cela n’utilise aucun crédit.
monitor-start = Surveiller
monitor-cancel = Annuler
step-1 = 1. Quoi surveiller
step-2 = 2. Quand
step-3 = 3. Comment vous prévenir
monitor-address = Adresse de la page
monitor-address-hint = La page publique, le plan de site ou le document JSON à surveiller.
monitor-type = Type
target-page = Une page
target-page-words = son texte ou une partie ; 1 crédit par passage
target-sitemap = Un plan de site
target-sitemap-words = adresses ajoutées et retirées ; 2 crédits par passage
target-product = Un produit
target-product-words = son nom, son prix et sa disponibilité ; 3 crédits par passage
target-calendar = Un calendrier
target-calendar-words = ses événements, d’un fichier iCalendar ; 2 crédits par passage
target-file = Un fichier
target-file-words = de tout format, par sa taille et son empreinte ; 1 crédit par passage
target-image = Une image
target-image-words = par son apparence, comme celle d’une webcam ; 2 crédits par passage
target-headers = En-têtes
target-headers-words = le statut et les en-têtes de la réponse ; 1 crédit par passage
target-extract = Valeurs
target-extract-words = comme des prix, par sélecteur ; 3 crédits par passage
monitor-part = Seulement une partie de la page
monitor-selector = Sélecteur
monitor-selector-hint = CSS, comme #price ou li:contains("Tickets"), XPath, comme //table[2]//tr, JSONPath, comme $.version, ou jq, comme jq:.items[] | select(.free) | .name. Sur une page, JSONPath et jq lisent les données de ses scripts : $['ld+json'][0].offers.price ou $.__NEXT_DATA__.props. S’il y en a plusieurs, un par ligne, chacun est aussi signalé quand il apparaît ou disparaît. Pour l’apparence : un seul sélecteur CSS.
monitor-filters = Filtres
monitor-filters-hint = Un par ligne, appliqués dans l’ordre aux lignes de la page : keep ou drop avec une expression régulière, comme drop ^Advert ; replace, comme replace \d+ views => views ; sort ; unique. L’aperçu montre les lignes après chacun.
monitor-sitemap = Filtres du plan de site
monitor-include = Adresses à inclure
monitor-include-hint = Un motif par ligne, comme /blog/*.
monitor-exclude = Adresses à exclure
monitor-exclude-hint = Un motif par ligne.
monitor-values = Valeurs
monitor-values-hint = Une par ligne, comme price = .price. Une étoile après le nom marque la clé qui identifie un élément. Si une valeur contient plusieurs nombres, choisissez-en un avec first, last, least ou greatest entre parenthèses, comme price (least) = .price. Pour les en-têtes, nommez ceux à lire, comme etag = ETag.
monitor-items = Élément répété
monitor-items-hint = Sélecteur CSS ou XPath de l’élément répété, comme .product. Laissez vide pour traiter la page comme un seul élément.
monitor-empty = La liste peut être vide, comme une liste de rendez-vous libres.
monitor-empty-words = Sinon, une liste vide ne compte que si elle l’est deux fois.
monitor-headers = En-têtes
monitor-headers-hint = Un par ligne, comme etag = ETag. Laissez vide pour surveiller tous les en-têtes, sauf ceux qui diffèrent toujours.
monitor-interval = Vérifier
monitor-not-in-plan = (pas dans votre offre)
every-minutes =
    { $count ->
        [1] chaque minute
        [one] toutes les { $count } minutes
       *[other] toutes les { $count } minutes
    }
every-hours =
    { $count ->
        [1] chaque heure
        [one] toutes les { $count } heures
       *[other] toutes les { $count } heures
    }
every-days =
    { $count ->
        [1] chaque jour
        [one] tous les { $count } jours
       *[other] tous les { $count } jours
    }
every-week = chaque semaine
monitor-trigger = Signaler quand
trigger-any = quelque chose change
trigger-text-appears = un texte apparaît
trigger-text-disappears = un texte disparaît
trigger-above = un nombre dépasse
trigger-below = un nombre passe sous
trigger-share = au moins ce pourcentage change
trigger-added = quelque chose est ajouté
trigger-removed = quelque chose est retiré
trigger-condition = les conditions ci-dessous sont remplies
monitor-value = Texte ou nombre
monitor-value-hint = Inutile pour « quelque chose change ».
monitor-one-value = Une seule des valeurs
monitor-value-name = Nom de la valeur
monitor-value-name-hint = Un nom des Valeurs ; pour un produit name, price, currency ou availability ; pour un événement title, start, end, location, status ou repeats ; pour un fichier size ou sha256 ; pour des en-têtes status ou un en-tête. Laissez vide pour toute valeur.
monitor-conditions = Conditions
monitor-conditions-hint = Une par ligne ; toutes doivent être vraies. Une ligne avec le mot or commence une alternative. Avec des valeurs, commencez par un nom, comme price falls by 10%, price new low in 30 days, price between 5 and 9, ou not stock contains sold out. Sans valeurs : contains tickets, matches v\d+, count above 3, length below 200, ou similarity below 80.
monitor-repeat = Signaler à nouveau tant que c’est vrai
monitor-repeat-after = Signaler à nouveau après
monitor-repeat-hint = Heures, comme 24. Laissez vide pour signaler une seule fois, quand cela devient vrai.
monitor-ignore = Ignorer certains changements
monitor-ignore-label = Ignorer les changements contenant
monitor-ignore-hint = Un texte par ligne. Les blocs qui le contiennent sont ignorés.
schedule-days = Jours et heures
schedule-only-on = Seulement le
day-monday = lundi
day-tuesday = mardi
day-wednesday = mercredi
day-thursday = jeudi
day-friday = vendredi
day-saturday = samedi
day-sunday = dimanche
schedule-week = Lesquels de ces jours dans le mois
schedule-week-all = tous
week-first = premier
week-second = deuxième
week-third = troisième
week-fourth = quatrième
week-last = dernier
schedule-times = À ces heures
schedule-times-hint = Séparées par des virgules, comme 08:30, 17:00. Elles remplacent l’intervalle.
schedule-from = Seulement de
schedule-from-hint = Comme 08:00. La veille passe à son intervalle pendant ces heures.
schedule-to = jusqu’à
schedule-to-hint = Comme 18:00.
schedule-zone = Fuseau horaire
schedule-zone-hint = Comme Europe/Berlin. Laissez vide pour UTC.
schedule-jitter = Retard aléatoire en minutes
schedule-jitter-hint = Au plus 120. Laissez vide pour moins d’une minute.
schedule-not-before = Pas avant
schedule-not-before-hint = Une date comme 2026-12-24, ou une heure comme 2026-12-24T08:00:00Z.
schedule-muted = Heures calmes et échecs
schedule-mute-from = Pas de messages de
schedule-mute-from-hint = Comme 22:00, dans le fuseau de Jours et heures. Les passages continuent ; les messages attendent la fin.
schedule-mute-to-hint = Comme 07:00.
schedule-failures = Me prévenir après tant d’échecs de suite
schedule-failures-hint = Laissez vide pour être prévenu seulement quand la veille s’arrête.
monitor-follow = Montrer aussi les changements dans mes flux
monitor-notify = Me prévenir par
monitor-no-channels = Vous n’avez pas encore de canaux. <1>Ajoutez-en un</1> pour être prévenu par e-mail, webhook ou chat.
monitor-group = Groupe
monitor-group-none = aucun
monitor-override = Remplacer le groupe
monitor-override-hint = Les réglages du groupe remplacent ceux de ce formulaire, sauf ceux que vous cochez ici.
setting-interval = Intervalle
setting-channels = Canaux
monitor-tags-hint = Facultatif. Étiquettes séparées par des virgules, comme maison, prix. Au plus { $count }.
monitor-name = Nom
monitor-name-hint = L’aperçu propose le titre de la page ; vous pouvez le changer.
monitor-name-limit = Au plus { $count } caractères.
request = Requête et connexion
request-agent = Agent utilisateur
request-agent-hint = Laissez vide pour celui de Carrel.
request-proxy = Proxy
request-proxy-removed = { $name } (n’est plus proposé)
request-headers-hint = Un par ligne, comme Accept-Language: de. Saisissez plutôt les secrets ci-dessous.
request-post = Envoyer une requête avec ce corps
request-method = Méthode
request-body = Corps
request-body-hint = Chaque passage l’envoie : son effet se répète.
request-media = Type de média du corps
request-media-hint = Laissez vide pour des données de formulaire.
request-cookies = Conserver les cookies du site entre les passages
request-any-status = Un statut d’erreur, comme 404, est un contenu.
request-any-status-words = Sinon, un tel passage échoue.
request-credentials = Identifiants
credentials-keep = Garder les identifiants enregistrés
credentials-none = Aucun
credentials-basic = Nom d’utilisateur et mot de passe
credentials-bearer = Jeton Bearer
credentials-header = Un autre en-tête, comme une clé d’API ou un cookie
request-user = Nom d’utilisateur ou d’en-tête
request-user-hint = Inutile pour un jeton Bearer.
request-secret = Mot de passe, jeton ou valeur
request-secret-hint = Envoyé à ce site uniquement, et jamais affiché.
preview-heading = Ce qui sera surveillé
preview-of-page = Trouvé à l’instant sur « { $title } » : { $amount }. Aucun crédit utilisé.
preview-of-address = Trouvé à l’instant : { $amount }. Aucun crédit utilisé.
preview-lines =
    { $count ->
        [one] { $count } ligne de texte
       *[other] { $count } lignes de texte
    }
preview-addresses =
    { $count ->
        [one] { $count } adresse
       *[other] { $count } adresses
    }
preview-items =
    { $count ->
        [one] { $count } élément
       *[other] { $count } éléments
    }
preview-nothing = rien
preview-number = Le nombre à comparer : { $number }
preview-number-of = Le nombre à comparer de { $item } : { $number }
preview-met = La condition est déjà remplie. La première exécution ne signale rien. La condition est signalée quand elle n’est plus remplie, puis l’est de nouveau.
preview-met-repeat = La condition est déjà remplie. La première exécution ne signale rien. Si la condition reste remplie, elle est signalée après le nombre d’heures indiqué dans « { $field } ».
preview-not-met = La condition n’est pas remplie pour le moment.
preview-filter =
    { $count ->
        [one] Après le filtre { $number } : { $count } ligne
       *[other] Après le filtre { $number } : { $count } lignes
    }
preview-only-first = Seuls les { $count } premiers sont affichés.
preview-or-only = Ou surveiller seulement
preset-address = Une meilleure adresse
preset-product = Ce produit : tout changement
preset-product-price = Ce produit : le prix baisse
preset-in-stock = De nouveau en stock
preset-price-falls = Le prix baisse
preset-price-changes = Le prix change
preset-stock = En stock ou épuisé
preset-list = Nouveautés de cette liste
preset-part = Ce texte change
unwatched-margin = non surveillé : hors du texte principal ; un sélecteur ou un texte attendu l’inclut
unwatched-clock = non surveillé : ressemble à une horloge ou une date de la page
unwatched-part = ses heures et compteurs ne sont pas surveillés
unwatched-ignored = ignoré par votre règle
unwatched-learned = non surveillé : change à chaque vérification
target-visual = L’apparence
target-visual-words = d’une page dans un navigateur, ou d’un élément ; 3 crédits par passage
rendering = Scripts
rendering-open = Ouvrir la page dans un navigateur, qui exécute ses scripts.
rendering-open-words = 3 crédits par passage. Pour les pages, produits et valeurs, sans corps de requête ni proxy.
rendering-wait = Attendre
rendering-wait-hint = Sélecteur CSS d’un élément sans lequel la page n’est pas complète.
rendering-steps = Étapes
rendering-steps-hint = Une par ligne, avant la lecture de la page : click .more, type #search => boats, press Enter, select #sort => Prix, scroll_end, wait 2 (secondes) ou wait_text En stock. Le manuel les énumère toutes. Avec un point d’interrogation (click? .close), une étape est omise si son élément manque. Pour un mot de passe ou un autre secret, écrivez secret #password ; un champ apparaît alors dessous. Les autres textes sont enregistrés tels quels.
rendering-cookie-notices = Écarter les bandeaux de cookies
rendering-cookie-notices-words = Ils sont refusés, sinon masqués, jamais acceptés.
pick-button = Choisir sur une image de la page
pick-hint = Un navigateur ouvre la page et montre ses parties. Cela compte pour cinq extractions, comme chaque aperçu dans un navigateur.
pick-no-browser = Pour choisir une partie sur une image de la page, ce service a besoin d’un navigateur, qui lui manque. L’aperçu propose aussi des parties.
pick-heading = Choisir une partie de la page
pick-words = Choisissez la partie à surveiller sur l’image ou dans la liste. La page s’ouvre alors dans un navigateur à chaque passage : 3 crédits par passage.
pick-cut = Toutes les parties ne sont pas proposées : la page est trop longue, a trop de parties, ou n’a pas été chargée entièrement.
pick-empty = Aucune partie de la page n’a de texte à surveiller.
pick-another = Choisir une autre partie
pick-alt = Image de la page
pick-parts = Parties de la page
pick-chosen = Parties choisies
pick-more = Appuyez sur une autre partie pour l’ajouter, ou sur une partie choisie pour la retirer.
pick-steps-button = Choisir des étapes sur une image
pick-purpose = Que choisissez-vous ?
pick-purpose-part = La partie à surveiller
pick-purpose-step = Des étapes avant la lecture de la page
pick-steps-heading = Choisir des étapes sur la page
pick-step-words = Appuyez sur un élément de l’image ou de la liste, puis choisissez l’action. Après chaque étape, une nouvelle image montre la page ; chacune compte pour cinq extractions.
pick-steps = Étapes jusqu’ici
pick-step-remove = Retirer l’étape { $number }
pick-step-on = Étape sur « { $name } »
pick-step-click = Cliquer
pick-step-type = Remplir
pick-step-wait = Attendre qu’il soit là
pick-step-scroll = Défiler jusqu’à lui
pick-step-select = Choisir une option
pick-step-check = Cocher
pick-step-uncheck = Décocher
pick-step-press = Y appuyer sur une touche
pick-step-hover = Passer le pointeur dessus
pick-step-wait-text = Y attendre un texte
pick-step-wait-gone = Attendre qu’il disparaisse
pick-step-scroll-end = Défiler jusqu’à la fin de sa liste
pick-step-remove-element = Retirer de la page
pick-step-key = Touche
pick-step-optional = Omettre cette étape si l’élément manque
pick-step-text = Texte de l’étape
pick-step-text-hint = Pour « Remplir », « Choisir une option » et « Attendre un texte ». { $count } caractères au plus.
pick-step-add = Ajouter l’étape et montrer la page
pick-kind-button = (bouton)
pick-kind-field = (champ)
pick-step-secret = Remplir avec un secret
step-secret = Secret pour { $selector }
step-secret-new = Secret à saisir
step-secret-hint = Enregistré chiffré, saisi seulement sur ce site et jamais affiché.
step-secret-set = Il est enregistré. Laissez vide pour le garder.
monitor-explanation = Modèle de langage
monitor-explanation-words = Si vous avez activé le <1>modèle de langage</1>, il reçoit les différences de chaque changement et dit en une phrase ce qui a changé. Les messages l’attendent au plus 10 minutes.
monitor-explanation-explain = Expliquer chaque changement
monitor-explanation-wish = Changements qui comptent pour vous
monitor-explanation-wish-hint = Par exemple : seulement les baisses de prix. Au plus { $count } caractères. Laissez vide si tous comptent.
monitor-explanation-only = Ne pas envoyer de messages sur les changements sans importance. Ils restent dans l’historique et dans le flux.
