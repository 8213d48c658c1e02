# Families and teams.

teams-heading = Famille et équipes
teams-left = Vous avez quitté l’équipe.
teams-deleted = Équipe supprimée. Ce que vous partagiez n’est plus qu’à vous.
teams-words = Partagez des étiquettes de votre bibliothèque et les changements de veilles avec des proches. Vous décidez qui lit et qui ajoute aussi des pages.
teams-new = Nouvelle équipe
teams-name-hint = Par exemple « Famille ». Les membres le voient.
teams-create = Créer l’équipe
teams-member-of = Vous êtes membre de
teams-membership-reader = Propriétaire : { $owner }. Vous pouvez lire. { $link }
teams-membership-editor = Propriétaire : { $owner }. Vous pouvez lire, ajouter et retirer des pages. { $link }
teams-shared = Partagé avec vous
teams-leave = Quitter
teams-leave-named = Quitter « { $name } »
teams-yours = Vos équipes
teams-no-members = pas encore de membres
teams-members-count =
    { $count ->
        [one] { $count } membre
       *[other] { $count } membres
    }
teams-join-title = Rejoindre une équipe
teams-join-reader = { $owner } vous invite dans l’équipe { $team }. Vous pouvez lire ce que le propriétaire partage. Il verra votre adresse e-mail, { $email }. Vous pouvez partir à tout moment.
teams-join-editor = { $owner } vous invite dans l’équipe { $team }. Vous pouvez lire ce que le propriétaire partage, et ajouter et retirer des pages. Il verra votre adresse e-mail, { $email }. Vous pouvez partir à tout moment.
teams-join = Rejoindre
team-title = Équipe
team-members = Membres
team-invite-heading = Inviter quelqu’un
team-tags = Étiquettes partagées
team-tags-words = Les membres voient les pages avec ces étiquettes : titre, adresse, date d’enregistrement et début du texte s’il a été récupéré à l’adresse. Notes, surlignages et fichiers restent privés.
team-monitors = Veilles partagées
team-monitors-words = Les membres voient les noms et les changements de ces veilles.
team-delete-link = Supprimer l’équipe…
team-created = Équipe créée. Invitez ses membres.
team-invited = Invitation créée. Elle expire dans 7 jours et sert une fois.
team-revoked = Invitation révoquée. Son lien ne fonctionne plus.
team-removed = Membre retiré. Un lien ci-dessous que vous avez transmis reste valable tant que vous ne le révoquez pas.
team-role-changed = Rôle modifié.
team-sharing-changed = Partage modifié.
team-no-members = Pas encore de membres.
team-role = Rôle
team-role-of = Rôle de { $email }
team-change-role = Changer le rôle de { $email }
team-change = Changer
team-reader = Lecteur
team-editor = Éditeur : ajoute et retire des pages
team-mailed = Envoyé à { $email }
team-link-to-pass = Lien à transmettre
team-as-reader = comme lecteur
team-as-editor = comme éditeur
team-expires = expire { $time }
team-invitation-link = Lien de l’invitation
team-email-hint = Laissez vide pour obtenir un lien à transmettre vous-même.
team-invite = Inviter
team-stop = Ne plus partager
team-stop-named = Ne plus partager « { $name } »
team-tag = Étiquette
team-share-tag = Partager l’étiquette
team-monitor = Veille
team-share-monitor = Partager la veille
team-delete-question = Supprimer l’équipe { $name } ?
team-delete-words = Ses membres perdent l’accès immédiatement. Vos étiquettes, éléments et veilles restent tels quels.
team-delete = Supprimer l’équipe
