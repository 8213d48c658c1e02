# Public links of quotes.

public-quote-published = La citation est publique. Partagez son lien.
public-quote-private = La citation est de nouveau privée. Son ancien lien ne fonctionne plus.
public-quote = Lien public
public-quote-unavailable = Cette citation ne peut pas avoir de lien public : son texte n’a pas été récupéré à une adresse publique, ou ne contient pas la citation. Elle provient peut-être d’une page avec connexion.
public-quote-words = Toute personne ayant le lien peut lire la citation, ainsi que le titre et l’adresse de sa page, sans compte.
public-quote-note = Inclure ma note
public-quote-create = Créer un lien
public-quote-link = Lien de la citation
public-quote-open = <1>Ouvrir la page</1>.
public-quote-paused = La page est indisponible pour le moment : le texte n’a pas été récupéré à une adresse publique, ou ne contient plus la citation.
public-quote-hide = Rendre privée
public-quote-hide-named = Rendre « { $quote } » privée
public-quote-all = Toutes les étiquettes et citations publiques
public-quotes-yours = Vos citations publiques
public-quotes-words = Toute personne ayant son lien peut lire une citation, ainsi que le titre et l’adresse de sa page.
public-quote-not-found = Le lien est erroné, ou son propriétaire ne partage plus cette citation.
public-quote-note-heading = Note
