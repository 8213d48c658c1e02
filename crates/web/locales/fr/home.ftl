# Home page.

home-heading = Lire, suivre, garder et surveiller le web
home-purpose = { $name } transforme les pages web en texte épuré, vous apporte les nouveautés de vos sites préférés, garde ce que vous voulez retenir et vous avertit quand une page change.
home-try = Essayez : collez l’adresse d’un article
home-read = Lire
home-read-words = Tout article, document ou PDF en texte épuré, sans publicité ni pop-up. Écoutez-le, ou emportez-le en livre numérique.
home-follow = Suivre
home-follow-words = Blogs, actualités, podcasts et chaînes en une liste. Apportez vos flux d’un autre lecteur.
home-save = Garder
home-save-words = Pages et fichiers avec leur texte complet. Surlignez, prenez des notes et retrouvez chaque mot.
home-watch = Surveiller
home-watch-words = Un message quand un prix baisse, qu’un produit est de retour en stock ou qu’une page change.
home-picture-today = La page « Aujourd’hui » : des prix en baisse et les nouveaux articles des sites suivis
home-picture-text = Un texte enregistré avec une phrase surlignée
home-picture-monitor = Un prix surveillé avec le graphique de ses valeurs
home-everywhere = Utilisez-le dans le navigateur de chaque appareil, dans vos applications de flux et de lecture différée, et sur liseuse. Les <1>assistants IA</1> peuvent aussi l’utiliser, si vous le permettez.
home-no-account = Ce service n’a pas encore de compte. Créez le premier ici, ou sur le serveur avec { $command }.
home-programs = Pour les programmes
home-programs-words = Placez cette adresse devant n’importe quelle autre, ou utilisez l’<1>API</1>. Aucune clé n’est nécessaire.
