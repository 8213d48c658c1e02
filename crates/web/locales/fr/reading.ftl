# Reading pages and reading settings.

reading-source = Source
reading-minutes =
    { $count ->
        [0] moins d’une minute
        [one] { $count } minute
       *[other] { $count } minutes
    }
reading-printed = Source : { $address }, lu le { $day } à { $time } UTC.
reading-truncated = Une partie de la source manque. Elle est trop longue ou ne peut pas être convertie en texte.
reading-paywall = La source ne montre qu’un aperçu aux visiteurs sans abonnement.
reading-scripts = La source ne montre une partie de son texte qu’aux navigateurs qui exécutent des scripts.
reading-passages = Passages qui correspondent à votre recherche. <1>Afficher tout le texte</1>
reading-no-match = Rien dans ce texte ne correspond à « { $query } ».
reading-next = Page suivante
reading-formats = En <1>texte</1>, <2>Markdown</2> ou <3>JSON</3>.
reading-save = Garder
reading-listen = Écouter
reading-stop = Arrêter
reading-aa = : réglages de lecture
reading-more = Plus
reading-outline = Plan
reading-check = Vérifier une citation
reading-watch = Surveiller cette page
reading-follow = Suivre ce site
reading-original = Ouvrir l’original
reading-epub = Télécharger en EPUB
reading-markdown = Télécharger en Markdown
reading-another = Lire une autre page
reading-fetched = Téléchargé { $age }
reading-fetch-again = Actualiser
reading-find-label = Chercher dans ce texte
reading-find = Chercher
quotation = Citation
quotation-check = Vérifier
look-save = Enregistrer
look-theme = Couleurs
look-theme-auto = Comme l’appareil
look-theme-light = Clair
look-theme-sepia = Sépia
look-theme-dark = Sombre
look-size = Taille du texte
look-size-m = Moyenne
look-size-s = Petite
look-size-l = Grande
look-size-xl = Très grande
look-width = Largeur du texte
look-width-medium = Moyenne
look-width-narrow = Étroite
look-width-wide = Large
look-face = Police
look-face-serif = Avec empattements
look-face-sans = Sans empattements
look-scroll = Marquer les articles comme lus
look-scroll-open = Quand je les ouvre
look-scroll-pass = Aussi quand je les fais défiler (avec scripts)
look-pictures = Images
look-pictures-show = Afficher
look-pictures-hide = Seulement leurs descriptions, avec des liens
look-spacing = Interligne
look-spacing-normal = Normal
look-spacing-tight = Serré
look-spacing-loose = Large
look-density = Listes
look-density-cosy = Aérées
look-density-compact = Compactes
look-density-magazine = Magazine
