# Questions to the language model about a text or the library.

question-ask = Poser une question sur ce texte
question-field = Votre question
question-send = Demander
question-requested = La réponse est en cours de rédaction. Cette page l’affichera dès qu’elle sera prête.
question-pending = La réponse est en cours de rédaction.
question-failed = Il n’y a pas de réponse : { $reason }.
question-none = Le texte ne le dit pas.
question-by = Réponse du modèle de langage { $name }. Elle peut contenir des erreurs ; les citations viennent du texte.
question-left-out = Phrases omises, car leur citation n’est pas dans le texte : { $number }.
question-partial = D’un long texte, seuls le début et les passages avec des mots de la question ont été envoyés.
question-omitted = Non lus : { $number }.
question-library = Interroger votre bibliothèque
question-library-words = La réponse vient des textes d’au plus { $count } éléments, ceux qui correspondent le mieux à la question. Chaque phrase cite son élément.
question-library-none = Vos textes ne le disent pas.
question-items = Éléments lus : { $number }.
question-gone = L’élément a été supprimé.
question-follow-up = Question suivante
question-earlier = Questions précédentes : { $count }
question-unanswered = Pas de réponse dans le texte.
question-complete = Cette conversation a { $count } questions. Posez une nouvelle question pour en commencer une autre.
