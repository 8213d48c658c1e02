# Texts of scripts: the list of keys, the notice of new entries, and buttons of reading pages.

keys-title = Touches
script-close = Fermer
key-next = article ou texte suivant
key-previous = article ou texte précédent
key-open = ouvrir
key-next-page = page suivante d’une liste
key-back = retour
key-mark = marquer comme lu ou non lu
key-mark-previous = marquer comme lu ou non lu, et revenir au précédent
key-mark-all = tout marquer comme lu
key-star = mettre en favori ou enregistrer
key-archive = archiver
key-full = page complète
key-original-tab = original, dans un nouvel onglet
key-original = original
key-attachment = écouter l’enregistrement ou ouvrir le fichier
key-feed = articles du flux
key-refresh = actualiser les flux de la liste
key-follow = suivre un site
key-unfollow = ne plus suivre le flux
key-select = sélectionner ; avec Maj et un clic : une plage
key-undo = annuler
key-search = rechercher
key-today = Aujourd’hui
key-unread = articles non lus
key-all = tous les articles
key-read = articles lus
key-starred = articles favoris
key-feeds = flux
key-collections = collections
key-library = bibliothèque
key-monitors = veilles
key-settings = réglages
key-top = haut de page
key-close = fermer
key-help = ces touches
copy-markdown = Copier en Markdown
copy-markdown-done = Copié.
copy-markdown-failed = La copie a échoué. Téléchargez plutôt le texte.
script-copy = Copier
copy-done = Copié
copy-failed = La copie a échoué
copy-failed-selected = La copie a échoué. Le texte est sélectionné.
script-share = Partager…
note-jump = Aller à la note
entries-new-count =
    { $count ->
        [one] { $count } nouvel article
       *[other] { $count } nouveaux articles
    }
entries-new-most = { $count } nouveaux articles ou plus
minutes-left =
    { $count ->
        [one] encore { $count } minute
       *[other] encore { $count } minutes
    }
