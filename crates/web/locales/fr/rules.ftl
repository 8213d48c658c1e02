# Rules for new entries.

rules-made = Règle créée. Elle vérifie chaque nouvel article.
rules-applied = Règle créée et appliquée à vos articles non lus.
rules-deleted = Règle supprimée. Les articles qu’elle masquait sont revenus dans vos listes. Les articles rejetés ne peuvent pas être restaurés.
rules-of = Règles de { $feed }
rules-for-all = Règles pour tous les flux
rules-words = Une règle vérifie chaque nouvel article. Elle peut le rejeter, le masquer, le marquer comme lu, le protéger des autres règles, le mettre en favori, l’enregistrer dans votre bibliothèque ou l’envoyer à des canaux.
rules-also-for-all = Il y a aussi des <1>règles pour tous les flux</1>.
rules-single-feed = Les règles d’un seul flux se trouvent sur la page de ce flux.
rules-active = Règles actives
rules-new = Nouvelle règle
rules-muted-count = { $number } masqués
rules-dropped-count = { $number } rejetés
rules-starred-count = { $number } en favori
rules-saved-count = { $number } enregistrés
rules-unsaved-count = { $number } non enregistrés, le dernier { $time } : { $reason }
rules-unsaved-daily-limit = les règles enregistrent au plus { $most } articles par jour
rules-unsaved-storage-limit = votre espace de stockage est plein
rules-unsaved-deleted = vous avez supprimé cet élément
rules-unsaved-unavailable = l’article ne peut pas être enregistré
rules-unsaved-failed = l’enregistrement a échoué plusieurs fois
rules-since = créée { $time }
rules-off = Désactivée
rules-off-words = { $off } { $time } : elle prenait trop de temps
rules-matches = Articles auxquels cette règle correspond
rules-nothing-to-test = Il n’y a pas encore d’articles pour la tester.
rules-match-count = Sur les { $examined } articles les plus récents, elle en concerne { $matched }.
rules-nothing-changed = Rien n’a changé.
rules-would-drop = Ils seraient rejetés : comptés, et jamais dans vos listes, même si vous supprimez la règle. Rien n’a encore changé.
rules-would-mute = Ils seraient masqués : absents des listes, des compteurs et des applications. Rien n’a encore changé.
rules-would-read = Ils seraient marqués comme lus. Rien n’a encore changé.
rules-would-keep = Ils seraient gardés, même si une autre règle correspond. Rien n’a encore changé.
rules-would-star = Ils seraient mis en favori et enregistrés dans votre bibliothèque, { $most } articles par jour au plus pour toutes les règles. Rien n’a encore changé.
rules-would-save = Ils seraient enregistrés dans votre bibliothèque, { $most } articles par jour au plus pour toutes les règles. Rien n’a encore changé.
rules-would-notify = Les nouveaux articles de ce genre seraient envoyés aux canaux. Les articles déjà présents ne sont pas envoyés. Rien n’a encore changé.
rules-more = Et { $number } de plus.
rules-delete-question = Supprimer cette règle ?
rules-too-slow = Cette règle a été désactivée, car elle prenait trop de temps sur les nouveaux articles. Supprimez-la et créez-en une plus simple.
rules-has-dropped =
    { $count ->
        [one] Elle a rejeté { $count } article. Les articles rejetés ne peuvent pas être restaurés.
       *[other] Elle a rejeté { $count } articles. Les articles rejetés ne peuvent pas être restaurés.
    }
rules-has-muted-none = Elle n’a encore masqué aucun article.
rules-has-muted =
    { $count ->
        [one] Elle a masqué { $count } article. Si vous supprimez la règle, il revient dans vos listes.
       *[other] Elle a masqué { $count } articles. Si vous supprimez la règle, ils reviennent dans vos listes.
    }
rules-stay-changed = Les articles qu’elle a modifiés restent tels quels.
rules-delete = Supprimer la règle
rules-pattern = Mots, expression ou date
rules-pattern-hint = Majuscules et minuscules sont équivalentes. Une expression est une expression régulière, par exemple \bsoldes\b ou ^(Pub|Sponsorisé):. Pour les fichiers, saisissez un type de média ou une adresse, par exemple audio. Pour les dates, saisissez 7d (les 7 derniers jours), >7d (plus anciens), before:2026-01-31, after:2026, between:2026-01,2026-03 ou future.
rules-tags-hint = Seulement pour Enregistrer. Facultatif, séparées par des virgules. Si plusieurs règles enregistrent un article, les { $rules } plus anciennes s’appliquent, avec { $tags } étiquettes au plus en tout.
rules-channels = Canaux
rules-channels-hint = Seulement pour « Envoyer à des canaux ». Les articles qu’une règle rejette, masque ou marque comme lus ne sont pas envoyés.
rules-channels-none = aucun : ils ont été supprimés
rules-action = Action
rules-part = Chercher dans
rules-kind = Correspondance
rules-unread-too = L’appliquer aussi aux articles non lus (les 500 plus récents)
rules-preview = Aperçu
rules-create = Créer la règle
rules-drop = Rejeter
rules-mute = Masquer
rules-keep = Garder
rules-save = Enregistrer
rules-notify = Envoyer à des canaux
rules-drop-note = non conservés pour vous, seulement comptés
rules-mute-note = absents de toutes les listes tant que la règle existe
rules-read-note = seulement dans la liste de tous les articles
rules-keep-note = aucune autre règle ne les masque ni ne les marque
rules-star-note = mis en favori et enregistrés dans votre bibliothèque
rules-save-note = enregistrés dans votre bibliothèque, avec les étiquettes ci-dessous
rules-notify-note = envoyés aux canaux ci-dessous, même si le flux n’a pas de canal
rules-part-any = le titre, l’auteur ou le texte
rules-part-title = le titre
rules-part-author = l’auteur
rules-part-text = le texte du flux
rules-part-url = l’adresse
rules-part-published = la date de publication
rules-part-media = les fichiers joints
rules-part-category = les catégories
rules-kind-words = Ces mots exacts
rules-kind-expression = Une expression régulière
rules-summary-words = { $action } : « { $pattern } » dans { $part }
rules-summary-expression = { $action } : { $pattern } dans { $part }
