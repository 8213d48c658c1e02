# Pages that anyone with their link may read: groups, tags, and changes of monitors.

public-not-found = Page introuvable
public-not-found-words = Le lien est erroné. Vérifiez qu’il est complet.
public-gone = Cette page n’est plus publique
public-gone-words = Son propriétaire l’a supprimée ou lui a donné un nouveau lien.
public-gone-title = Plus publique
public-unavailable = Temporairement indisponible
public-unavailable-words = Réessayez dans quelques secondes.
public-group-follow = Suivez les changements dans un lecteur de flux : <1>RSS</1>, <2>Atom</2>, <3>JSON Feed</3>.
public-no-monitors = Aucune veille.
public-tag-not-found = Le lien est erroné, ou son propriétaire ne partage plus cette page.
public-tag-follow = Suivez cette liste dans un lecteur de flux : <1>RSS</1>, <2>Atom</2>, <3>JSON Feed</3>.
public-no-items = Rien encore.
public-newest = Les { $number } éléments les plus récents sont affichés.
change-not-found = Changement introuvable
change-not-found-words = Le lien est erroné, ou le changement a été supprimé.
change-gone = Ce lien n’est plus valide
change-gone-words = Son flux a un nouveau lien ou n’est plus public.
change-gone-title = Lien plus valide
change-of = Changement de { $monitor }
change-detected = Détecté
change-address = Adresse
change-differences = Différences
change-views = Affichages
change-sides = Côte à côte
change-inline = Dans le texte
change-before = Avant
change-after = Après
change-rest =
    { $count ->
        [one] { $count } autre différence n’est pas affichée.
       *[other] { $count } autres différences ne sont pas affichées.
    }
change-legend = Le texte retiré est barré, le texte ajouté est souligné.
change-unknown-size = taille inconnue
change-no-screenshot = Cette capture n’est pas conservée : elle est trop lourde ou trop ancienne, ou l’espace des captures est épuisé.
change-earlier = Changement précédent
change-later = Changement suivant
change-count-added = { $count } ajouts
change-count-removed = { $count } suppressions
change-count-changed = { $count } modifications
change-count-moved = { $count } déplacements
change-unchanged =
    { $count ->
        [one] { $count } ligne inchangée
       *[other] { $count } lignes inchangées
    }
change-whole = La source a trop changé pour être comparée ligne par ligne.
change-before-value = Avant :
change-after-value = Après :
change-link = Lien : { $link }
change-fell = en baisse de { $amount }
change-rose = en hausse de { $amount }
change-new = Ajout
change-removed = Suppression
change-changed = Modification
change-moved = Déplacement
change-removed-part = supprimé :
change-added-part = ajouté :
change-explanation-pending = Le modèle de langage explique le changement.
change-explanation-none = Le modèle de langage n’a pas expliqué le changement : { $reason }.
change-explanation-by = Rédigé par le modèle de langage { $name }. Cela peut être faux.
change-explanation-irrelevant = Selon lui, le changement est sans importance pour le souhait.
change-explanation-withheld = Selon lui, le changement est sans importance pour le souhait, donc aucun message n’a été envoyé.
