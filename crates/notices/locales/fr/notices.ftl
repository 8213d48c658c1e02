# Messages to the channels of an account.

credits-most-title = 80 % des crédits de veille de ce mois sont utilisés
credits-most-text = { $used } crédits sur { $limit } sont utilisés. Quand il n’en reste plus, les veilles attendent le mois suivant.
credits-none-title = Les crédits de veille de ce mois sont épuisés
credits-none-text = Les veilles sans crédits reprennent dans la première heure du mois suivant.
sign-in-title = Nouvelle connexion à votre compte
sign-in-text = Un navigateur jamais utilisé avec ce compte s’est connecté depuis { $network } : { $time }. Si c’était vous, il n’y a rien à faire. Sinon, définissez un nouveau mot de passe.
factor-added-title = Un second facteur a été ajouté à votre compte
passkey-added-title = Une clé d’accès a été ajoutée à votre compte
single-sign-on-added-title = L’authentification unique a été reliée à votre compte
single-sign-on-removed-title = L’authentification unique a été dissociée de votre compte
factor-removed-title = Le second facteur de votre compte a été retiré
sign-in-changed-text = Date : { $time }. Si c’était vous, il n’y a rien à faire. Sinon, définissez un nouveau mot de passe.
key-title = Une clé d’API a été créée
key-text = Son nom est « { $name } ». Si vous ne l’avez pas créée, révoquez-la et définissez un nouveau mot de passe.
app-title = Une application a été connectée à votre compte
app-text = Elle se nomme « { $app } » ; ce nom n’est pas vérifié. Si vous ne l’avez pas autorisée, retirez-lui l’accès et définissez un nouveau mot de passe.
off-title = Le canal « { $name } » a été désactivé
off-gone = Il a répondu qu’il ne veut plus de messages (410).
off-refused = Le serveur de messagerie indique que cette adresse n’existe pas.
off-failing = Aucun message n’a pu être remis pendant trois jours.
off-text = { $why } Les messages sont conservés sept jours et envoyés quand le canal est réactivé.
plan-title =
    { $count ->
        [one] { $count } canal a été désactivé
       *[other] { $count } canaux ont été désactivés
    }
plan-text = Nombre de canaux actifs permis par votre offre : { $limit }. Les plus récents ont été désactivés : { $names }. Leurs messages sont conservés sept jours.
quoted = « { $name } »
test-title = Test de ce canal
test-text = Voici comment arrivent les messages de Carrel.
digest-title = Ce qui s’est passé jusqu’au { $date }
today-unread = Non lus
today-changes = Changements
today-started = Continuer la lecture
today-saved = Enregistré récemment
today-waiting = Enregistré il y a longtemps
today-this-day = Ce jour-là
today-attention = À surveiller
today-highlights = Surlignages à réviser
today-review =
    { $count ->
        [one] { $count } surlignage à réviser aujourd’hui.
       *[other] { $count } surlignages à réviser aujourd’hui.
    }
stop-link = Se désabonner
several-title = Plusieurs changements
entries-title =
    { $count ->
        [one] { $count } nouvel article
       *[other] { $count } nouveaux articles
    }
item-saved-title = Enregistré : { $title }
items-saved-title =
    { $count ->
        [one] { $count } élément a été enregistré
       *[other] { $count } éléments ont été enregistrés
    }
missed-title = Ce que ce canal a manqué
collected-count =
    { $count ->
        [1] Un message :
       *[other] { $count } messages :
    }
more = Et { $count } de plus.
more-short = et { $count } de plus
snooze = Mettre cette veille en pause ou en sourdine : { $link }
snooze-short = Pause ou sourdine : { $link }
template-failed = (Le modèle de ce canal a échoué. { $error }.)
stop = Pour ne plus recevoir ces messages : { $link }
confirm-subject = Confirmez cette adresse pour les messages de Carrel
confirm-body =
    Une personne qui a un compte sur { $origin } veut faire envoyer les messages de ce compte à cette adresse.

    Si c’est vous, ouvrez ce lien et appuyez sur le bouton :

    { $link }

    Sinon, ne faites rien : rien ne vous sera envoyé.
