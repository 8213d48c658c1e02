# Pages behind links in messages: confirming an address, unsubscribing, and snoozing a monitor.

notice-confirm = Adresse bestätigen
notice-confirm-words = Nachrichten von Carrel an { $address } senden? Ein Benutzer dieses Dienstes hat darum gebeten.
notice-confirm-button = Bestätigen
notice-confirm-not-you = Wenn du das nicht warst, schließ diese Seite. Dir wird nichts gesendet.
notice-confirmed = Adresse bestätigt
notice-confirmed-words = Nachrichten werden jetzt an { $address } gesendet. Jede enthält einen Link zum Abbestellen.
notice-stop = Abbestellen
notice-stop-question = Abbestellen?
notice-stop-monitor = Nachrichten über den Wächter { $monitor } gehen an { $address }.
notice-stop-feed = Neue Einträge des Feeds { $feed } gehen an { $address }.
notice-stop-monitors = Nachrichten über alle Wächter, Feeds und gespeicherten Objekte gehen an { $address }.
notice-stop-daily = Die tägliche E-Mail und Nachrichten über alle Wächter, Feeds und gespeicherten Objekte gehen an { $address }.
notice-stop-saved = Nachrichten über gespeicherte Objekte gehen an { $address }.
notice-stop-account = Kontonachrichten (Credits, Anmeldungen, Schlüssel und Apps) gehen an { $address }.
notice-stop-everything = Nachrichten über Wächter und das Konto gehen an { $address }.
notice-stopped-title = Abbestellt
notice-stopped = Du hast abbestellt
notice-stopped-monitor = Nachrichten über den Wächter { $monitor } werden nicht mehr an { $address } gesendet.
notice-stopped-feed = Neue Einträge des Feeds { $feed } werden nicht mehr an { $address } gesendet.
notice-stopped-monitors = Nachrichten über Wächter, Feeds und gespeicherte Objekte werden nicht mehr an { $address } gesendet.
notice-stopped-daily = Die tägliche E-Mail und Nachrichten über Wächter, Feeds und gespeicherte Objekte werden nicht mehr an { $address } gesendet.
notice-stopped-saved = Nachrichten über gespeicherte Objekte werden nicht mehr an { $address } gesendet.
notice-stopped-account = Kontonachrichten werden nicht mehr an { $address } gesendet.
notice-stopped-everything = Nachrichten werden nicht mehr an { $address } gesendet. Um wieder welche zu erhalten, bestätige die Adresse erneut.
notice-snooze = Ruhen lassen
notice-snooze-question = { $monitor } ruhen lassen?
notice-snooze-channel = Nachrichten über diesen Wächter gehen an den Kanal { $channel }.
notice-snooze-words = Änderungen in dieser Zeit kommen danach in einer Nachricht. Im Feed und auf der Seite des Wächters bleiben sie vollständig.
notice-muted = Stummgeschaltet
notice-muted-words = Nachrichten über { $monitor } werden nicht mehr an { $channel } gesendet. Wähle den Kanal auf der Seite des Wächters aus, um sie wieder zu erhalten.
notice-snoozed = Ruht
notice-snoozed-until = Die nächsten Nachrichten: { $time }.
notice-resumed = Nachrichten werden wieder gesendet
notice-resumed-words = Nachrichten über { $monitor } werden an { $channel } gesendet.
notice-for-days =
    { $count ->
        [one] Für einen Tag
       *[other] Für { $count } Tage
    }
notice-resume = Wieder senden
notice-mute = Diesen Wächter hier stummschalten
notice-invalid-title = Link ungültig
notice-invalid = Dieser Link ist nicht mehr gültig
notice-invalid-words = Ein neuerer Link wurde gesendet, oder das, worum es geht, gibt es nicht mehr.
