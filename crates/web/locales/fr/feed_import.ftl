# Import and export of lists of feeds.

opml-title = Importer et exporter
opml-heading = Importer et exporter des flux
opml-words = Un fichier OPML, que tout lecteur de flux sait exporter. Les dossiers deviennent des collections. Les flux que vous suivez déjà restent inchangés.
opml-download = Télécharger vos flux (OPML)
opml-running = <1>Un import est en cours</1>.
opml-last = Résultat du dernier import
feed-import-running = Import de vos flux
feed-import-finished = Vos flux sont importés
feed-import-reloads = Cette page se recharge jusqu’à la fin de l’import. Vous pouvez la quitter et revenir.
feed-import-checked = Flux vérifiés
feed-import-empty = Le fichier ne contient aucun flux.
feed-import-to-feeds = Aller à vos flux
feed-import-stopped-words = Les flux déjà importés restent.
feed-import-unknown = Le fichier n’est pas une liste de flux en OPML ou est endommagé. Exportez-le de nouveau depuis votre lecteur. Signets et pages enregistrées s’importent sur la page Bibliothèque › Importer.
feed-import-too-large = La lecture du fichier demande trop de temps ou de mémoire. Rien n’a été importé.
feed-import-again = Importez le fichier de nouveau. Les flux déjà importés ne sont pas ajoutés deux fois.
feed-import-in-file = Flux dans le fichier
feed-import-known = Déjà suivis
feed-import-refused = Non importés
feed-import-collections = Collections créées
feed-import-no-collection = Sans collection, car votre offre n’en permet pas plus
feed-import-problems = Ce qui n’a pas été importé comme dans le fichier, et pourquoi
feed-import-problem = Flux { $row } : { $reason }
feed-import-more = Et { $amount } de plus.
