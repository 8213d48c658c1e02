# Offline reading: its settings, the list of stored texts, and stored pages.

offline-heading = Lecture hors ligne
offline-words = Ce navigateur peut conserver des textes : ce que vous avez mis de côté ou commencé à lire, et les articles non lus. Sans connexion, vous pouvez alors les lire ici.
offline-own-browser = Ne choisissez ceci que dans votre propre navigateur. Ce que vous marquez comme lu, mettez en favori, archivez ou surlignez sans connexion est envoyé ensuite. La déconnexion supprime les textes et ce qui n’a pas été envoyé, et désactive la lecture hors ligne, qui a besoin de scripts.
offline-save-amount = Enregistrer
offline-switch-on = Conserver des textes ici
offline-stored = Textes conservés
offline-switch-off = Supprimer et désactiver
offline-amount = Quantité
offline-size = Jusqu’à { $texts } textes, au plus { $size } Mo avec images
offline-all-pictures = Toutes les images des textes, pas seulement celles que vous avez vues
offline-storing = Les textes sont en cours d’enregistrement.
offline-list-words = Vous pouvez lire ces textes sans connexion. Ce que vous marquez comme lu, mettez en favori, archivez ou surlignez hors ligne est envoyé dès qu’il y en a une. Les autres changements demandent une connexion.
offline-queue = Changements non encore envoyés
offline-nothing = Il n’y a rien à conserver : rien n’est mis de côté ni commencé, et aucun article n’est non lu.
offline-settings = Réglages de la lecture hors ligne
offline-off = La lecture hors ligne est désactivée
offline-off-words = Ce navigateur ne conserve aucun texte. <1>Activez-la</1> pour lire sans connexion.
offline-refused = Vous êtes hors ligne
offline-refused-words = Rien n’a été changé. Revenez en arrière et recommencez quand vous avez une connexion.
offline-text-words = Vous êtes hors ligne. Voici le texte conservé. Vos marques, favoris et surlignages sont envoyés dès qu’il y a une connexion.
