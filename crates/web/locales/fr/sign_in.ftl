# Sign-in and sign-up.

sign-in = Se connecter
sign-in-passkey = Se connecter avec une clé d’accès
oidc-sign-in = Se connecter avec { $name }
sign-in-forgot = Mot de passe oublié ?
sign-in-new = Pas encore de compte ? <1>Créez-en un</1>.
sign-in-for-app = Une application demande l’accès à votre compte. Connectez-vous ou créez un compte pour voir la demande. Rien n’est autorisé sans votre accord.
sign-up = Inscription
sign-up-heading = Créer un compte
sign-up-button = Créer le compte
sign-up-closed = Les inscriptions sont fermées. Demandez un compte à l’opérateur de ce service.
sign-up-purpose = Suivez des sites, enregistrez des pages dans votre bibliothèque et recevez un message quand une page change. Il suffit d’une adresse e-mail et d’un mot de passe.
sign-up-invitation = Invitation
sign-up-invitation-hint = Le code que vous avez reçu. Il ne sert qu’une fois.
sign-up-known = Vous avez déjà un compte ? <1>Connectez-vous</1>.
purpose-today = Connectez-vous pour voir votre journée
purpose-today-words = « Aujourd’hui » est votre page d’accueil : les nouveaux articles de vos flux, les changements des pages surveillées et vos derniers enregistrements.
purpose-feeds = Connectez-vous pour voir vos flux
purpose-feeds-words = Suivez des blogs, des sites d’actualité et des podcasts : leurs nouveaux articles arrivent dans une seule liste, ici et dans vos applications. Vous pouvez apporter vos flux d’un autre lecteur.
purpose-library = Connectez-vous pour ouvrir votre bibliothèque
purpose-library-words = Votre bibliothèque conserve des pages et des fichiers avec leur texte complet, vos surlignages et vos notes. Vous pouvez chercher chaque mot, lire hors ligne sur une liseuse et tout exporter à tout moment.
purpose-monitors = Connectez-vous pour voir vos veilles
purpose-monitors-words = Une veille vérifie régulièrement une page web et signale chaque vrai changement : un prix en baisse, un produit de nouveau en stock, un nouveau paragraphe. Les messages arrivent par e-mail, dans un chat ou dans un lecteur de flux.
purpose-search = Connectez-vous pour rechercher
purpose-search-words = La recherche couvre votre bibliothèque, vos surlignages et notes, et les articles de vos flux.
