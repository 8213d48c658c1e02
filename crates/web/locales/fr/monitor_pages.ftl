# Groups, lists, and changes of monitors, and the forms that edit, copy, and delete one.

groups-heading = Groupes de veilles
groups-deleted = Groupe supprimé. Ses veilles gardent leurs réglages.
groups-words = Les veilles d’un groupe partagent des réglages, comme l’intervalle, les heures silencieuses et les canaux. Un groupe peut avoir une page et un flux publics.
groups-public = public
groups-new = Nouveau groupe
groups-create = Créer le groupe
groups-count =
    { $count ->
        [one] { $count } veille
       *[other] { $count } veilles
    }
groups-in-group = { $link } dans ce groupe.
group-made = Groupe créé. Choisissez-le dans le formulaire d’une veille, ou pour des veilles sélectionnées dans la liste.
group-saved = Groupe enregistré.
group-title = Groupe
group-publish = Page et flux publics
group-publish-words = Toute personne ayant le lien peut lire les noms des veilles et leurs changements. Si vous désactivez l’option, les liens cessent définitivement de fonctionner.
group-new-monitor = Nouvelle veille ici
group-shared-words = Les réglages partagés valent pour chaque veille du groupe, sauf si elle a les siens. Si vous cessez de partager un réglage, chaque veille garde sa valeur.
group-check = Vérifier
group-own-interval = réglage propre à chaque veille
group-share-days = Partager ces jours et heures
group-share-channels = Partager ces canaux
group-page = Page publique
group-page-words = Toute personne ayant ce lien peut lire la page. Si la page est privée, traitez le lien comme un mot de passe.
group-page-link = Lien de la page
group-delete-question = Supprimer le groupe { $name } ?
group-delete-words = Ses veilles restent, avec leurs réglages actuels. Sa page et son flux publics cessent définitivement de fonctionner.
group-delete = Supprimer le groupe
duplicate-name = { $name } (copie)
duplicate-heading = Dupliquer { $name }
duplicate-words = La copie a tous les réglages de cette veille et surveille une autre adresse. Vous pouvez la modifier ensuite.
duplicate-create = Créer la copie
lists-heading = Importer et exporter des veilles
lists-words = Une sauvegarde de changedetection.io (ZIP), une liste de urlwatch (urls.yaml) ou un export de ce service. Les veilles que vous avez déjà restent inchangées.
lists-download = Télécharger vos veilles (JSON)
lists-imported = Vos veilles sont importées
lists-program = Le fichier est une liste de { $program }.
lists-new = Nouvelles
lists-existing = Existantes
lists-refused = Non importées
lists-not-read = Non lues
lists-not-read-words = Certaines veilles n’ont pas été lues : elles sont défectueuses, ou la liste en a plus de 1000.
lists-show = Voir les veilles
lists-line-new = { $monitor } : nouvelle
lists-line-existing = { $monitor } : existait déjà
lists-line-refused = { $monitor } : non importée. { $reason }
lists-without = Sans : { $settings }
changes-search = Rechercher dans les changements
changes-no-match-newest = Aucun résultat parmi les changements les plus récents.
changes-no-match = Aucun changement ne correspond.
changes-older = Changements plus anciens
monitor-edit-heading = Modifier { $name }
monitor-edit-preview-empty = L’aperçu montre quels changements passés seraient signalés avec ces réglages.
monitor-edit-baseline = Si vous changez l’adresse ou ce qui y est surveillé, la prochaine exécution devient la nouvelle référence.
monitor-edit-preview = Tester sur le passé
monitor-edit-replayed =
    { $count ->
        [one] Avec ces réglages, { $left } sur { $count } dernier changement aurait été signalé.
       *[other] Avec ces réglages, { $left } des { $count } derniers changements auraient été signalés.
    }
monitor-edit-reported = signalé : { $change }
monitor-edit-not-reported = non signalé : { $change }
monitor-edit-unknown = inconnu : { $change }
monitor-edit-past = Changements passés
monitor-rotate-question = Remplacer le lien du flux de { $name } ?
monitor-rotate-words = Le lien actuel du flux et tous les liens vers des changements cessent aussitôt de fonctionner. Les lecteurs de flux ont besoin du nouveau lien. La veille et sa page restent les mêmes.
monitor-rotate = Remplacer le lien
monitor-delete-question = Supprimer { $name } ?
monitor-delete-words = Ses exécutions et ses changements sont supprimés, et son flux répond 410 Gone. C’est irréversible.
monitor-delete-button = Supprimer la veille
