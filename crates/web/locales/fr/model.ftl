# Language model: what is sent to it, and the switch of the account.

model = Modèle de langage
model-purpose = Un modèle de langage peut résumer les éléments enregistrés et les articles non lus. Il est désactivé tant que vous ne l’activez pas.
model-manage = Gérer le modèle de langage
model-is-on = Le modèle de langage est { $state } pour votre compte.
model-is-off = Le modèle de langage est { $state } pour votre compte. Rien ne lui est envoyé.
model-on = activé
model-off = désactivé
model-switch-on = Activer
model-switch-off = Désactiver
model-switched-on = Activé. La page d’un élément enregistré a un bouton pour le résumer, et les articles d’une collection ont un lien vers un résumé.
model-switched-off = Désactivé. Plus rien n’est envoyé. Les résumés existants restent.
model-sent = Ce qui est envoyé
model-sent-summary = Pour le résumé d’un élément : son titre, les { $characters } premiers caractères de son texte et au plus { $tags } noms de vos étiquettes.
model-sent-briefing = Pour le résumé d’une collection : les titres d’au plus { $entries } articles non lus et les { $characters } premiers caractères de leurs résumés.
model-sent-search = Pour une recherche par le sens : les mots que vous cherchez. Dans la bibliothèque : les titres et les { $characters } premiers caractères des textes de vos { $items } éléments les plus récents.
model-sent-entries = Pour une recherche par le sens dans les flux : les titres et les { $characters } premiers caractères des résumés de vos { $unread } articles non lus et { $starred } articles favoris les plus récents.
model-sent-when = Seulement quand vous appuyez sur { $summarize } sur la page d’un élément ou sur { $briefing } sur la page d’une collection, quand vous cherchez par le sens, ou quand un programme avec votre clé le demande.
model-sent-never = Jamais votre nom, votre adresse, vos notes ni vos surlignages.
model-briefing-button = Écrire un résumé
model-where = Où c’est envoyé
model-where-words = Au modèle { $model } sur { $host }, choisi par l’exploitant de cette installation. L’exploitant de ce serveur peut lire ce qui est envoyé.
model-with-embeddings = { $model } (pour une recherche par le sens, { $other })
model-answer = Ce qu’il advient de la réponse
model-answer-words = La réponse est affichée en texte et peut être fausse. Elle ne change rien : les étiquettes proposées ne sont ajoutées que si vous appuyez dessus.
model-limit = Votre offre permet { $amount } demandes par jour.
model-answer-numbers = Pour une recherche par le sens, les réponses sont des listes de nombres. Celles de vos textes sont supprimées quand vous désactivez le modèle. Celles d’un article servent aussi à d’autres comptes qui suivent le même flux, sauf pour les lettres d’information, les veilles et les flux avec connexion.
