# Pages behind links in messages: confirming an address, unsubscribing, and snoozing a monitor.

notice-confirm = Bevestig je adres
notice-confirm-words = Berichten van Carrel naar { $address } sturen? Een gebruiker van deze dienst vroeg erom.
notice-confirm-button = Bevestigen
notice-confirm-not-you = Was jij dit niet, sluit dan deze pagina. Er wordt je niets gestuurd.
notice-confirmed = Adres bevestigd
notice-confirmed-words = Berichten worden nu naar { $address } gestuurd. Elk bericht heeft een link om je af te melden.
notice-stop = Afmelden
notice-stop-question = Afmelden?
notice-stop-monitor = Berichten over de monitor { $monitor } gaan naar { $address }.
notice-stop-feed = Nieuwe items van de feed { $feed } gaan naar { $address }.
notice-stop-monitors = Berichten over alle monitors, feeds en bewaarde items gaan naar { $address }.
notice-stop-daily = De dagelijkse mail en berichten over alle monitors, feeds en bewaarde items gaan naar { $address }.
notice-stop-saved = Berichten over bewaarde items gaan naar { $address }.
notice-stop-account = Accountberichten (credits, inloggen, sleutels en apps) gaan naar { $address }.
notice-stop-everything = Berichten over monitors en het account gaan naar { $address }.
notice-stopped-title = Afgemeld
notice-stopped = Je bent afgemeld
notice-stopped-monitor = Berichten over de monitor { $monitor } worden niet meer naar { $address } gestuurd.
notice-stopped-feed = Nieuwe items van de feed { $feed } worden niet meer naar { $address } gestuurd.
notice-stopped-monitors = Berichten over monitors, feeds en bewaarde items worden niet meer naar { $address } gestuurd.
notice-stopped-daily = De dagelijkse mail en berichten over monitors, feeds en bewaarde items worden niet meer naar { $address } gestuurd.
notice-stopped-saved = Berichten over bewaarde items worden niet meer naar { $address } gestuurd.
notice-stopped-account = Accountberichten worden niet meer naar { $address } gestuurd.
notice-stopped-everything = Berichten worden niet meer naar { $address } gestuurd. Bevestig het adres opnieuw om weer berichten te krijgen.
notice-snooze = Laten rusten
notice-snooze-question = { $monitor } laten rusten?
notice-snooze-channel = Berichten over deze monitor gaan naar het kanaal { $channel }.
notice-snooze-words = Wijzigingen in die tijd komen daarna in één bericht. Ze blijven volledig in de feed en op de pagina van de monitor.
notice-muted = Gedempt
notice-muted-words = Berichten over { $monitor } worden niet meer naar { $channel } gestuurd. Kies het kanaal op de pagina van de monitor om ze weer te krijgen.
notice-snoozed = Rust
notice-snoozed-until = De volgende berichten: { $time }.
notice-resumed = Berichten worden weer gestuurd
notice-resumed-words = Berichten over { $monitor } worden naar { $channel } gestuurd.
notice-for-days =
    { $count ->
        [one] Voor een dag
       *[other] Voor { $count } dagen
    }
notice-resume = Weer sturen
notice-mute = Deze monitor hier dempen
notice-invalid-title = Link ongeldig
notice-invalid = Deze link is niet meer geldig
notice-invalid-words = Er is een nieuwere link gestuurd, of het onderwerp bestaat niet meer.
