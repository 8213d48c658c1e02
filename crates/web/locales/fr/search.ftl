# Search in the library and in feeds, and search by meaning.

search-help = Des mots, { $phrase }, { $without }, { $tag } et { $domain } trouvent éléments, notes, surlignages et articles. Saisissez une adresse pour ouvrir la page.
search-whole-phrases = "phrases entières"
search-without = -sans
search-all-library = Tous les résultats de la bibliothèque
search-similar = Aucun résultat exact. Ceux-ci contiennent des mots proches.
search-all-feeds = Tous les résultats de vos flux
search-again = Nouvelle recherche
search-none = aucun résultat
search-more-than = plus de { $amount }
search-note = Note
search-highlight = Surlignage
meaning-requested = La recherche est en cours. Cette page affiche les résultats dès qu’ils sont prêts.
meaning-words = Décrivez ce que vous retenez d’un texte. Il n’a pas besoin de contenir ces mots.
meaning-form = Chercher dans la bibliothèque par le sens
meaning-query = Description du texte
meaning-off = Le modèle de langage est désactivé. <1>Réglages</1>
meaning-searching = Recherche de { $query }. La première recherche est plus longue, car les textes sont comparés pour la première fois.
meaning-failed = Il n’y a pas de résultats : { $reason }.
meaning-results = Résultats pour { $query }
meaning-none = Aucun élément ne correspond.
meaning-compared = Les textes de { $number } éléments ont été comparés { $time }.
meaning-unindexed = Pas encore comparés : { $number }. Relancez la recherche pour continuer.
meaning-request-failed = Une requête a échoué : { $reason }.
