# Import of files into the library.

import-words = Vous pouvez importer des signets, des exports de services de lecture différée, des surlignages de liseuses, des références, des listes d’URL et des exports de Carrel.
import-checked-first = Le fichier est d’abord vérifié. Vous voyez ce qui serait importé, puis vous décidez.
import-file = Fichier
import-format = Format
import-detect = Détecter
import-include = D’un export de Carrel, importer aussi flux, veilles, réglages, règles et positions
import-check = Vérifier
import-fields = Ce qui est importé de chaque format
import-servers = <1>Importer depuis un serveur</1> Karakeep, wallabag, linkding, Readeck, Miniflux, FreshRSS, Readwise, Raindrop ou Pinboard.
import-opml = Importez des flux <1>en OPML</1>.
import-folders = Dossiers
import-folders-path = Une étiquette avec le chemin
import-folders-tags = Une étiquette par dossier
import-folders-none = Aucune étiquette
import-undone = Import annulé.
import-no-rows = Aucune ligne ne peut être réessayée.
import-no-file = Le fichier ou la liste de ses lignes n’est plus conservé. Importez-le de nouveau : ce qui existe n’est pas ajouté deux fois.
import-reloads = Cette page se recharge jusqu’à la fin. Vous pouvez la quitter et revenir.
import-rows-checked = Lignes vérifiées
import-removed = Tout ce que l’import avait ajouté a été retiré, sauf les éléments que vous avez modifiés depuis.
import-can-undo = Vous pouvez annuler cet import. L’option expire { $time }. Les éléments que vous avez modifiés restent, comme les ajouts à ceux que vous aviez déjà.
import-heading-undoing = Annulation de l’import
import-heading-checking = Vérification du fichier
import-heading-running = Import en cours
import-heading-preview = Aperçu de l’import
import-heading-undone = Import annulé
import-heading-finished = Import terminé
import-heading-stopped = Import arrêté
import-heading-failed = Échec de l’import
import-you-stopped = Vous avez arrêté l’import avant la fin.
import-unknown-format = Le fichier ne contient pas de données dans ce format. Choisissez un autre format ou la détection automatique.
import-damaged = Le fichier est endommagé ou n’est pas du type annoncé.
import-too-large = Le fichier est trop volumineux, a trop de lignes ou contient une ligne qui demande trop de mémoire.
import-incomplete = L’import n’a pas pu être terminé.
import-rows = Lignes
import-would-be-new = Seraient nouveaux
import-new = Nouveaux
import-existing = Déjà présents
import-skipped = Ignorés
import-failed = En échec
import-annotations = Notes et surlignages
import-part-feed-settings = Réglages des flux
import-part-rules = Règles
import-part-templates = Modèles de messages
import-part-account-settings = Réglages du compte
import-part-positions = Positions
import-parts-uncounted = Les flux, les veilles, les réglages, les règles et les positions seront aussi importés. Ils sont comptés lors de l’import.
import-problems =
    { $count ->
        [one] { $count } problème
       *[other] { $count } problèmes
    }
import-problems-first =
    { $count ->
        [one] Le premier problème
       *[other] Les { $count } premiers problèmes
    }
import-row-reason = Ligne { $row } : { $reason }
import-stop = Arrêter
import-to-library = À la bibliothèque
import-retry = Réessayer les échecs
import-from-server = Importer d’un serveur
import-continue = Continuer l’import
import-other-file = Autre fichier
import-undo = Annuler l’import
import-rows-gone = Les lignes ne sont plus listées, car des imports plus récents ont besoin de la place.
import-no-match = Aucune ligne ne correspond.
import-more-rows = Plus de lignes
import-download-rows = Télécharger toutes les lignes en CSV
import-with-problems = Avec problèmes
import-annotation = Note ou surlignage
import-untitled = Sans titre
import-row = Ligne { $row }
import-columns = Colonnes
import-columns-words = Voici ce que Carrel propose pour chaque colonne du fichier. Si vous changez un champ, vérifiez le fichier de nouveau avant de l’importer.
import-check-again = Vérifier de nouveau
