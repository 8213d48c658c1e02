# Mails about an account.

reset-subject = Définissez un nouveau mot de passe pour Carrel
reset-body =
    Quelqu’un a demandé un nouveau mot de passe pour le compte { $email } sur { $origin }.

    Si c’était vous, ouvrez ce lien dans l’heure. Il reste valable jusqu’à ce qu’un mot de passe soit défini.

    { $link }

    Si ce n’était pas vous, ignorez ce message. Rien ne change tant que le lien n’est pas utilisé.
grant-made-subject = Une application a été connectée à votre compte Carrel
grant-made-event = Une application a été autorisée à utiliser votre compte sur { $origin }.
grant-made-advice =
    Si c’était vous, il n’y a rien à faire. Sinon, retirez-lui l’accès et définissez un nouveau mot de passe :

    { $link }
grant-reused-subject = L’accès d’une application à votre compte Carrel a été retiré
grant-reused-event = Un jeton de cette application a été utilisé une seconde fois, ce qui arrive s’il a été copié. L’accès de l’application a été retiré aussitôt, avec tous ses jetons.
grant-reused-advice =
    Si vous utilisez encore l’application, connectez-la de nouveau. Activité récente de vos applications et de vos clés :

    { $link }
grant-name = Nom donné par l’application : « { $name } » (non vérifié)
grant-host = Retourne vers : { $host }
grant-reads = Droits : lecture
grant-changes = Droits : lecture et modification
grant-time = Autorisée : { $time }
email-request = Une personne qui a un compte sur { $origin } veut utiliser cette adresse e-mail pour celui-ci.
email-taken-subject = Cette adresse e-mail a déjà un compte
email-taken-advice = L’adresse a déjà un compte sur ce service, donc rien n’a été modifié. Si c’était vous, connectez-vous avec cette adresse ou supprimez d’abord ce compte. Si ce n’était pas vous, ignorez ce message.
email-confirm-subject = Confirmez votre nouvelle adresse e-mail pour Carrel
email-confirm-advice =
    Si c’était vous, ouvrez ce lien dans la journée et appuyez sur le bouton :

    { $link }

    Si ce n’était pas vous, ignorez ce message. Rien ne change tant que le lien n’est pas utilisé.
email-changed-subject = L’adresse e-mail de votre compte Carrel a été modifiée
email-changed-body =
    L’adresse e-mail de votre compte sur { $origin } est passée de { $before } à { $after }.

    Si c’était vous, remplacez l’ancienne adresse dans vos applications de flux et sur vos liseuses. Les applications Fever ont besoin d’une nouvelle clé d’API.

    Si ce n’était pas vous, ouvrez ce lien dans les 7 jours. Il rétablit cette adresse et définit un nouveau mot de passe :

    { $link }
team-subject = Invitation à une équipe dans Carrel
team-body =
    La personne titulaire du compte { $owner } sur { $origin } vous invite dans une équipe et partage avec elle des pages enregistrées.

    Pour la rejoindre, ouvrez ce lien dans les 7 jours. Il vous faut un compte sur ce service :

    { $link }

    Si vous ne connaissez pas l’expéditeur, ignorez ce message.
