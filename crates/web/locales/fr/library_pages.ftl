# Details, notes, tags, copies, and deletion of library items.

edit-author = Auteur
edit-tags-hint = Séparées par des virgules ; 12 au plus.
edit-kind = Type
note-item-deleted = Son élément a été supprimé.
note-item-deleted-titled = Son élément a été supprimé : { $title }.
note-delete-highlight = Supprimer
note-back = Retour à l’élément
note-delete = Supprimer
quote-share = Partager cette citation
quote-title = Partager une citation
quote-back = Retour au surlignage
quote-text = Citation avec sa source
quote-original = La citation dans la page d’origine
quote-original-words = { $link }. Le lien marque la citation dans la plupart des navigateurs.
quote-own = <1>Le surlignage dans votre bibliothèque</1>. Vous seul pouvez ouvrir ce lien.
public-tag-published = L’étiquette est publique. Partagez son lien.
public-tag-private = L’étiquette est de nouveau privée. Son ancien lien ne fonctionne plus.
public-tag-name = Étiquette
public-tag-hint = La page affiche ses éléments qui ont une adresse web publique : titre, adresse, date d’enregistrement et début du texte s’il a été récupéré à cette adresse. Jamais vos notes, surlignages, autres étiquettes ni fichiers.
public-tags = Étiquettes publiques
public-tags-words = Une étiquette publique a une page et un flux que toute personne ayant le lien peut lire, sans compte.
public-tags-yours = Vos étiquettes publiques
public-tags-publish-heading = Publier une étiquette
public-tags-publish = Publier
public-tag-link = Lien de « { $tag } »
public-tag-feeds = <1>Ouvrir la page</1>. Son flux existe en <2>RSS</2>, <3>Atom</3> et <4>JSON Feed</4>.
public-tag-hide-named = Rendre « { $tag } » privée
public-tag-hide = Rendre privée
shared-added = Page ajoutée.
shared-removed = Page retirée de cette étiquette. Son propriétaire l’a toujours.
shared-joined = Vous avez rejoint l’équipe.
shared-none = Rien encore. Quand quelqu’un vous invite dans une équipe, ses étiquettes et ses veilles apparaissent ici.
shared-teams = Vos équipes
shared-can-add = vous pouvez ajouter des pages
shared-no-changes = aucun changement
shared-no-pages = Aucune page.
shared-pages = Pages
shared-older = Pages plus anciennes
shared-tag = Étiquette partagée
shared-save = Enregistrer dans ma bibliothèque
shared-add-page = Ajouter une page
shared-add-hint = Elle est enregistrée dans la bibliothèque du propriétaire.
shared-add = Ajouter
shared-remove = Retirer
shared-remove-named = Retirer « { $name } »
shared-changes = Derniers changements
shared-monitor = Veille partagée
copy-requested = La page est en cours de copie. Cette vue se recharge jusqu’à ce que la copie soit prête.
copy-deleted = Copie supprimée.
copy-page = Page
copy-page-words = Un fichier avec texte, styles et images, sans scripts. S’ouvre dans tout navigateur.
copy-picture = Image
copy-picture-words = La page entière en PNG.
copy-pdf-words = La page telle qu’imprimée.
copy-words = Une copie compte dans votre espace et coûte cinq extractions fraîches. Elle fait partie de votre export.
copy-open = Ouvrir la copie
copy-from = { $time }, { $size } Ko
copy-waiting = Copie en cours.
copy-fault-storage = La page n’a pas pu être copiée : votre espace est épuisé. Supprimez des fichiers ou des éléments.
copy-fault-robots = La page n’a pas pu être copiée : son site ne permet pas aux programmes de la lire.
copy-fault-content = La page n’a pas pu être copiée : elle est trop lourde ou trop complexe pour un navigateur.
copy-fault-browser = La page n’a pas pu être copiée : le navigateur n’a pas répondu. Réessayez.
copy-fault-queue = La page n’a pas été copiée : trop de copies étaient en attente. Réessayez.
copy-fault-limit = La page n’a pas été copiée : les extractions fraîches du jour pour les copies automatiques sont épuisées. Réessayez maintenant ou demain.
copy-fault-address = La page n’a pas pu être copiée : elle n’a pas pu être ouverte. Vérifiez l’adresse et réessayez.
copy-replace = Remplacer
copy-create = Copier
copies-automatic = Copies automatiques des pages
copies-saved = Copies automatiques enregistrées.
copies-words = Carrel peut copier la page de chaque nouvel élément que vous enregistrez par son adresse, telle qu’un navigateur l’affiche. Si vous ne choisissez aucun format, aucune page n’est copiée. Les pages envoyées par l’extension ou par e-mail ne sont pas copiées.
copies-formats = Formats
copies-imports = Copier aussi les pages des éléments importés, les plus récents d’abord, au plus { $count } copies par jour
copies-limits = Une copie compte dans votre espace et coûte cinq extractions fraîches. Les copies automatiques utilisent au plus la moitié des extractions fraîches d’une journée. Si une limite est atteinte, l’élément l’indique.
delete-items-question =
    { $count ->
        [one] Supprimer cet élément ?
       *[other] Supprimer ces { $count } éléments ?
    }
delete-items-words = Au bout d’une minute, la suppression est définitive, fichiers compris. D’ici là, vous pouvez l’annuler.
delete-items-annotations = Supprimer aussi leurs notes et surlignages. Sinon, ils restent et se retrouvent par la recherche.
delete-items-title = Supprimer
tags-none = Aucune étiquette. Ajoutez-en une sur la page d’un élément, ou à plusieurs dans la liste.
tags-words = Si vous donnez à une étiquette le nom d’une autre, les deux sont fusionnées. Si cette autre est publique ou partagée avec une équipe, les éléments des deux le sont aussi. Une étiquette peut avoir une <1>page publique</1>.
tags-more = Plus d’étiquettes
tags-yours = Vos étiquettes
tags-count =
    { $count ->
        [one] { $count } élément
       *[other] { $count } éléments
    }
tags-remove-named = Retirer « { $name } » partout
copy-left-out = Omis : { $parts }.
copy-pictures =
    { $count ->
        [one] 1 image
       *[other] { $count } images
    }
copy-fonts =
    { $count ->
        [one] 1 police
       *[other] { $count } polices
    }
copy-styles =
    { $count ->
        [one] 1 feuille de style
       *[other] { $count } feuilles de style
    }
copy-media =
    { $count ->
        [one] 1 audio ou vidéo
       *[other] { $count } audios ou vidéos
    }
copy-frames =
    { $count ->
        [one] 1 cadre ou objet
       *[other] { $count } cadres ou objets
    }
copy-cut = La page est peut-être incomplète, car elle a atteint une limite.
