# Texts of scripts: the list of keys, the notice of new entries, buttons of reading pages, listening, offline reading,
# passkeys, and pictures of quotes.

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
key-next-paragraph = paragraphe suivant
key-previous-paragraph = paragraphe précédent
key-highlight = surligner les mots sélectionnés ou le paragraphe
key-highlight-note = surligner avec une note
key-passage = appliquer le modèle de langage aux mots sélectionnés ou au paragraphe
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
listen-pause = Pause
listen-continue = Reprendre
listen-previous = Paragraphe précédent
listen-next = Paragraphe suivant
listen-next-text = Texte suivant
listen-all = Tout écouter
listen-voice = Voix
listen-voice-any = Automatique
listen-failed = Ce navigateur n’a pas pu lire le texte à voix haute.
stored-not-possible = Ce navigateur ne peut pas stocker de textes. Il faut une connexion sécurisée (https) à ce serveur.
stored-not-allowed = Ce navigateur n’autorise pas le stockage de textes.
stored-count = Textes stockés dans ce navigateur : { $stored } sur { $count } ({ $size }).
queued-text = Texte
queued-waiting = En attente d’une connexion.
queued-remove = Supprimer
queued-removed = Supprimé.
queued-stored = Enregistré. L’envoi se fera dès qu’il y aura une connexion.
queued-highlight-stored = Le surlignage est enregistré. Il sera envoyé dès qu’il y aura une connexion.
queued-not-stored = L’enregistrement a échoué. Connectez-vous pour envoyer ce qui attend.
queued-failed = Non effectué : { $reason }
queued-show = Les afficher
queued-reload = Recharger
queued-sent-count =
    { $count ->
        [one] { $count } modification faite hors ligne a été envoyée.
       *[other] { $count } modifications faites hors ligne ont été envoyées.
    }
queued-failed-count =
    { $count ->
        [one] { $count } modification faite hors ligne n’a pas pu être effectuée.
       *[other] { $count } modifications faites hors ligne n’ont pas pu être effectuées.
    }
passkey-unsupported = Ce navigateur ne prend pas en charge les clés d’accès.
passkey-exists = Cet appareil a déjà une clé d’accès de votre compte.
passkey-not-given = Le navigateur n’a fourni aucune clé d’accès. Réessayez.
picture-of-quote = En image
picture-description = La citation et sa source
picture-failed = L’image n’a pas pu être créée.
picture-download = Télécharger l’image
picture-share = Partager l’image…
picture-share-failed = Le partage a échoué. Téléchargez plutôt l’image.
picture-shortened = La citation est trop longue pour une image : l’image n’en contient que le début.
