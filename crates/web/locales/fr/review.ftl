# Daily review of highlights.

review = Réviser les surlignages
review-due =
    { $count ->
        [one] { $count } surlignage à réviser aujourd’hui.
       *[other] { $count } surlignages à réviser aujourd’hui.
    }
review-start = Réviser
review-left =
    { $count ->
        [one] Encore { $count } aujourd’hui
       *[other] Encore { $count } aujourd’hui
    }
review-soon = Bientôt
review-later = Plus tard
review-never = Plus jamais
review-rule =
    { $count ->
        [one] « Bientôt » le ramène demain, « Plus tard » dans { $count } jour, puis à des intervalles de plus en plus longs.
       *[other] « Bientôt » le ramène demain, « Plus tard » dans { $count } jours, puis à des intervalles de plus en plus longs.
    }
review-none = Rien à réviser aujourd’hui.
review-none-words = Un nouveau surlignage est à réviser le lendemain, puis revient à des intervalles croissants.
review-removed = Ce surlignage ne sera plus révisé. Vous pouvez le réintégrer sur la page de son élément.
highlight-review-again = Réviser à nouveau
item-highlight-resumed = Ce surlignage sera de nouveau révisé.
review-frequency = À quelle fréquence cette source revient
review-frequency-more = Plus souvent
review-frequency-normal = Normale
review-frequency-less = Moins souvent
review-frequency-never = Jamais
review-frequency-saved = Fréquence enregistrée.
review-per-day = Surlignages par jour
review-per-day-saved = Nombre enregistré.
review-sources = Sources qui reviennent plus ou moins souvent
review-sources-more = Seules les { $count } plus récentes sont affichées.
review-send = Envoyer à vos canaux
review-send-words = Les surlignages à réviser sont envoyés chaque jour où il y en a, avec des liens vers leurs passages.
review-send-to = Envoyés chaque jour à { $time } à { $address }.
review-send-start = Envoyer à { $address }
review-send-stop = Ne plus envoyer
review-send-at-hint = Les messages sur les moniteurs et les flux envoyés à ce canal arrivent alors aussi une fois par jour, dans ce message.
review-send-none = <1>Ajoutez un canal</1> pour les recevoir par e-mail ou dans une messagerie.
review-send-started = Les surlignages à réviser seront envoyés.
review-send-stopped = Les surlignages à réviser ne seront plus envoyés.
review-themes = Révisions par thème
review-themes-words = Chacune montre son propre nombre de surlignages par jour, en plus de la révision générale.
review-themes-edit = Ajouter ou modifier des révisions par thème
review-theme-new = Nouvelle révision par thème
review-theme-name = Nom
review-theme-choose = Quels surlignages
review-theme-tag = Avec l’étiquette
review-theme-item = De la source
review-theme-search = Trouvés par la recherche enregistrée
review-theme-same = La source actuelle
review-theme-add = Ajouter
review-theme-delete = Supprimer la révision
review-theme-stay = Ses surlignages restent.
review-theme-created = Révision par thème ajoutée.
review-theme-changed = Révision par thème modifiée.
review-theme-deleted = Révision par thème supprimée.
review-theme-no-search = La recherche enregistrée a été supprimée. Choisissez d’autres surlignages.
review-theme-no-item = La source a été supprimée.
card = Carte de révision
card-make = Créer une carte
card-change = Modifier la carte
card-words = Lors de la révision, la carte interroge d’abord, et une pression affiche la réponse. Un surlignage a une seule carte : l’enregistrement la remplace.
card-gaps = Masquer des mots
card-gaps-rule = Mots à masquer
card-gaps-first = Seuls les { $count } premiers mots sont affichés.
card-gaps-written = Autres parties à masquer, une par ligne
card-gaps-save = Enregistrer les trous
card-question = Poser une question
card-question-label = Question
card-answer = Réponse
card-question-save = Enregistrer la question
card-delete = Supprimer la carte
card-saved = Carte enregistrée.
card-deleted = Carte supprimée.
card-unfit = La carte ne correspond pas aux mots du surlignage et ne masque donc rien. Choisissez à nouveau ses trous.
card-show-answer = Afficher la réponse
