# Saved searches.

search-renamed = Recherche renommée.
search-deleted = Recherche supprimée.
searches-query = Requête
searches-none = Vous n’avez aucune recherche enregistrée. Cherchez dans votre bibliothèque ou vos articles, puis choisissez « Enregistrer cette recherche » au-dessus des résultats.
searches-in-library = Dans la bibliothèque
searches-in-entries = Dans les articles des flux
search-feed-created = Le flux a une nouvelle adresse. Les adresses précédentes ne fonctionnent plus.
search-feed-deleted = Flux supprimé. Son adresse ne fonctionne plus.
searches-feed-words = Une recherche peut avoir un flux privé de ses 50 résultats les plus récents, pour tout lecteur de flux. Toute personne qui connaît l’adresse peut le lire.
searches-feed-address = Adresse du flux de « { $name } »
searches-feed-create = Créer un flux
searches-feed-create-named = Créer un flux de « { $name } »
searches-feed-new = Nouvelle adresse du flux
searches-feed-new-named = Nouvelle adresse du flux de « { $name } »
searches-feed-delete = Supprimer le flux
searches-feed-delete-named = Supprimer le flux de « { $name } »
