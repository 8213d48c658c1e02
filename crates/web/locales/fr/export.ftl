# Export of the library.

export-everything = Tout
export-everything-words = Textes, fichiers, étiquettes, notes et surlignages, avec vos flux, favoris, règles, veilles et leurs changements. Peut être réimporté.
export-bookmarks = Signets
export-bookmarks-words = Adresses, titres et étiquettes, pour tout navigateur.
export-table = Un tableau
export-table-words = Une ligne par élément, pour un tableur.
export-cards = Cartes
export-cards-words = Trous et questions de vos surlignages, en texte pour Anki.
export-create = Créer l’export
export-feeds = Exportez vos flux <1>en OPML</1>.
export-creating = Création de l’export
export-reloads = Cette page se recharge jusqu’à ce que l’export soit prêt. Vous pouvez la quitter et revenir.
export-written = Éléments écrits
export-progress = { $done } sur { $total }
export-failed = Échec de l’export
export-failed-words = L’export n’a pas pu être créé. <1>Réessayer</1>.
export-yours = Votre export
export-expires = Les fichiers seront supprimés { $time }.
export-delete = Supprimer l’export
export-part = Télécharger la partie { $number }
export-kilobytes = { $amount } Ko
