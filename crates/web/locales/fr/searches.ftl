# Saved searches.

search-renamed = Recherche renommée.
search-deleted = Recherche supprimée.
searches-none = Vous n’avez aucune recherche enregistrée. Cherchez dans votre bibliothèque ou vos articles, puis choisissez « Enregistrer cette recherche » au-dessus des résultats.
searches-in-library = Dans la bibliothèque
searches-in-entries = Dans les articles des flux
