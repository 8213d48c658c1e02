# First steps of a new account.

welcome-followed = Vous suivez maintenant ces flux. Leurs articles apparaissent dans quelques minutes.
welcome-none = Rien n’est sélectionné. Sélectionnez des flux, puis suivez-les.
welcome-follow-words = Les nouveaux articles des sites que vous suivez arrivent dans une seule liste.
welcome-site = Adresse d’un site
welcome-bring = Depuis un autre lecteur : <1>apportez vos flux (OPML)</1>. Depuis un navigateur : <2>apportez vos signets</2>.
welcome-save-words = Votre bibliothèque conserve le texte complet. Vous pouvez le surligner, ajouter des notes et retrouver chaque mot.
welcome-page = Adresse d’une page
welcome-ways = <1>Enregistrez depuis n’importe quelle page en un clic</1>.
welcome-watch-words = Carrel vérifie la page pour vous et vous prévient quand le prix baisse ou quand autre chose change.
welcome-watched = Adresse d’un produit ou d’une page
welcome-today = Aller à Aujourd’hui
welcome-skip = Passer cette étape
welcome-suggested = Ou choisissez parmi ces flux
welcome-follow-selected = Suivre la sélection
topic-news = Actualités
topic-science = Sciences
topic-technology = Technologie
topic-programming = Programmation
topic-culture = Idées et culture
topic-comics = BD et cuisine
