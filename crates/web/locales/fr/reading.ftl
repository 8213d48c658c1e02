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
video-play = Lire la vidéo ici
video-service = Charge le lecteur de { $service }
quotation = Citation
quotation-check = Vérifier
appearance-save = Enregistrer
appearance-theme = Couleurs
appearance-theme-auto = Comme l’appareil
appearance-theme-light = Clair
appearance-theme-sepia = Sépia
appearance-theme-dark = Sombre
appearance-size = Taille du texte
appearance-width = Largeur du texte
appearance-face = Police
appearance-face-serif = Avec empattements
appearance-face-sans = Sans empattements
appearance-face-legible = Adaptée à la dyslexie
appearance-face-mono = À chasse fixe
appearance-face-own = Une police de cet appareil
appearance-face-name = Nom de la police
appearance-face-name-hint = Le nom anglais d’une police installée sur cet appareil : lettres A–Z, chiffres, espaces et traits d’union. Sur les appareils sans elle, le texte a des empattements.
appearance-scroll = Marquer les articles comme lus
appearance-scroll-open = Quand je les ouvre
appearance-scroll-pass = Aussi quand je les fais défiler (avec scripts)
appearance-pictures = Images
appearance-pictures-show = Afficher
appearance-pictures-hide = Seulement leurs descriptions, avec des liens
appearance-spacing = Interligne
appearance-density = Listes
appearance-density-cosy = Aérées
appearance-density-compact = Compactes
appearance-density-magazine = Magazine
appearance-paged = Défiler par pages
appearance-paged-off = Non
appearance-paged-on = Espace, Page préc. et Page suiv., et appuis au-dessus et au-dessous du milieu d’un texte (avec scripts)
appearance-less = moins
appearance-more = plus
paragraph-link = Lien vers le paragraphe { $number }
paragraph-original = original
picture-unnamed = Image
quotation-text = Le texte
quotation-wrong = Saisissez une citation de 8 à 1000 caractères et de 200 mots au maximum.
quotation-paragraph = Paragraphe { $number } du texte
quotation-exact = Le texte contient cette citation, mot pour mot.
quotation-close = Le texte contient un passage semblable.
quotation-close-share = { $share } des mots sont identiques.
quotation-differences = Différences
quotation-legend = Barré : seulement dans la citation. Souligné : seulement dans le texte.
quotation-absent = Le texte ne contient pas cette citation.
quotation-absent-words = Le passage le plus proche est semblable à { $share }. La page a pu changer, ou la citation vient d’une autre page.
quotation-only-quoted = seulement dans la citation :
quotation-only-text = seulement dans le texte :
quotation-context = Contexte
reader-limited = Vous avez ouvert beaucoup de pages en peu de temps.
reader-what-to-do = Que faire :
reader-wait =
    { $count ->
        [one] Attendez 1 seconde, puis réessayez.
       *[other] Attendez { $count } secondes, puis réessayez.
    }
reader-another = Lire une autre page
reader-about = À propos de { $code }
reader-original = Ouvrir l’original
reader-try-http = Essayer http://
reader-no-page = Page introuvable
reader-no-page-step = Vérifiez l’absence de fautes de frappe dans l’adresse. Pour lire une page d’un autre site, saisissez son adresse ci-dessous.
reader-gone = Le site n’a pas cette page
reader-gone-step = Ouvrez l’original pour vérifier l’adresse. La page a pu être déplacée ou supprimée.
reader-no-address = Saisissez une adresse
reader-no-address-step = Collez l’adresse de la page que vous voulez lire.
reader-address = Saisissez une adresse complète
reader-address-step = Une adresse complète commence par https:// ou http://, sans nom d’utilisateur ni mot de passe.
