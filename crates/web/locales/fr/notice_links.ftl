# Pages behind links in messages: confirming an address, unsubscribing, and snoozing a monitor.

notice-confirm = Confirmez votre adresse
notice-confirm-words = Envoyer des messages de Carrel à { $address } ? Un utilisateur de ce service l’a demandé.
notice-confirm-button = Confirmer
notice-confirm-not-you = Si ce n’était pas vous, fermez cette page. Rien ne vous sera envoyé.
notice-confirmed = Adresse confirmée
notice-confirmed-words = Les messages sont désormais envoyés à { $address }. Chacun contient un lien de désabonnement.
notice-stop = Se désabonner
notice-stop-question = Se désabonner ?
notice-stop-monitor = Les messages sur la veille { $monitor } vont à { $address }.
notice-stop-feed = Les nouveaux articles du flux { $feed } vont à { $address }.
notice-stop-monitors = Les messages sur toutes les veilles, tous les flux et les éléments enregistrés vont à { $address }.
notice-stop-daily = L’e-mail quotidien et les messages sur toutes les veilles, tous les flux et les éléments enregistrés vont à { $address }.
notice-stop-saved = Les messages sur les éléments enregistrés vont à { $address }.
notice-stop-account = Les messages du compte (crédits, connexions, clés et applications) vont à { $address }.
notice-stop-everything = Les messages sur les veilles et le compte vont à { $address }.
notice-stopped-title = Désabonné
notice-stopped = Vous êtes désabonné
notice-stopped-monitor = Les messages sur la veille { $monitor } ne sont plus envoyés à { $address }.
notice-stopped-feed = Les nouveaux articles du flux { $feed } ne sont plus envoyés à { $address }.
notice-stopped-monitors = Les messages sur les veilles, les flux et les éléments enregistrés ne sont plus envoyés à { $address }.
notice-stopped-daily = L’e-mail quotidien et les messages sur les veilles, les flux et les éléments enregistrés ne sont plus envoyés à { $address }.
notice-stopped-saved = Les messages sur les éléments enregistrés ne sont plus envoyés à { $address }.
notice-stopped-account = Les messages du compte ne sont plus envoyés à { $address }.
notice-stopped-everything = Les messages ne sont plus envoyés à { $address }. Pour en recevoir de nouveau, confirmez l’adresse à nouveau.
notice-snooze = Mettre en sourdine
notice-snooze-question = Mettre { $monitor } en sourdine ?
notice-snooze-channel = Les messages sur cette veille vont au canal { $channel }.
notice-snooze-words = Les changements trouvés entre-temps arrivent ensuite en un seul message. Ils restent complets dans le flux et sur la page de la veille.
notice-muted = Désactivé
notice-muted-words = Les messages sur { $monitor } ne sont plus envoyés à { $channel }. Sélectionnez le canal sur la page de la veille pour les recevoir de nouveau.
notice-snoozed = En sourdine
notice-snoozed-until = Prochains messages : { $time }.
notice-resumed = Les messages sont de nouveau envoyés
notice-resumed-words = Les messages sur { $monitor } sont envoyés à { $channel }.
notice-for-days =
    { $count ->
        [one] Pendant { $count } jour
       *[other] Pendant { $count } jours
    }
notice-resume = Envoyer de nouveau
notice-mute = Ne plus recevoir ici
notice-invalid-title = Lien non valide
notice-invalid = Ce lien n’est plus valide
notice-invalid-words = Un lien plus récent a été envoyé, ou son objet n’existe plus.
