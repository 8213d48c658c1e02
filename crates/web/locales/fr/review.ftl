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
review-mail = Par courriel
review-mail-words = Les surlignages à réviser sont envoyés chaque jour où il y en a, avec des liens vers leurs passages.
review-mail-to = Envoyés chaque jour à { $time } à { $address }.
review-mail-start = Envoyer à { $address }
review-mail-stop = Ne plus envoyer
review-mail-at-hint = Les changements que les veilles signalent à cette adresse arrivent alors aussi avec ce courriel, une fois par jour.
review-mail-none = <1>Ajoutez un canal de courriel</1> pour les recevoir.
review-mail-started = Les surlignages à réviser seront envoyés.
review-mail-stopped = Les surlignages à réviser ne seront plus envoyés.
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
