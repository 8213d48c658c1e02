# Reading settings.

look-saved = Réglages enregistrés dans ce navigateur.
look-saved-account = Réglages enregistrés pour tous vos navigateurs.
look-offline-off = La lecture hors ligne est désactivée. Les textes de ce navigateur ont été supprimés.
look-words = Apparence et comportement des pages et des textes dans tous les navigateurs où vous êtes connecté. Une modification est visible aussitôt ; enregistrez-la pour l’appliquer à toutes les pages.
look-only-here = Seulement dans ce navigateur
look-only-here-words = Vos autres navigateurs restent inchangés.
look-save = Enregistrer les réglages
look-sample = Le port s’éveille avant la ville. Les bateaux partis à quatre heures rentrent l’un après l’autre, et les mouettes connaissent chacun d’eux.
look-ways = Enregistrer et chercher depuis n’importe où
look-bookmark = Faites glisser ce lien dans vos favoris. Il enregistre la page que vous consultez : { $link }
look-bookmark-link = Enregistrer dans Carrel
look-install = Installez Carrel comme application depuis le menu de votre navigateur. Sur un téléphone, d’autres applications peuvent alors lui partager des pages.
look-keys = Vos flux et votre bibliothèque s’utilisent au clavier, comme d’autres lecteurs. Appuyez-y sur { $key } pour voir les touches.
look-search-engine = Vous pouvez aussi chercher depuis votre navigateur : ajoutez Carrel comme moteur de recherche, avec l’adresse { $address }.
appearance-words = Apparence des textes dans ce navigateur. Un changement est visible aussitôt ; enregistrez-le pour l’appliquer à toutes les pages.
appearance-offline = Avec un compte, un navigateur peut aussi <1>conserver des textes pour les lire hors ligne</1>.
appearance-refused = Les réglages n’ont pas été enregistrés, car un autre site les a envoyés. Choisissez-les à nouveau.
appearance-unread = Les réglages n’ont pas pu être lus. Choisissez-les à nouveau.
appearance-face-wrong = Les réglages n’ont pas été enregistrés. Saisissez le nom de la police : de 1 à 60 lettres A–Z, chiffres, espaces et traits d’union.
