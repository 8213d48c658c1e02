# Pages behind links in messages: confirming an address, unsubscribing, and snoozing a monitor.

notice-confirm = Potwierdź swój adres
notice-confirm-words = Wysyłać wiadomości z Carrel na { $address }? Poprosił o to użytkownik tego serwisu.
notice-confirm-button = Potwierdź
notice-confirm-not-you = Jeśli to nie ty, zamknij tę stronę. Nic nie zostanie do ciebie wysłane.
notice-confirmed = Adres potwierdzony
notice-confirmed-words = Wiadomości są teraz wysyłane na { $address }. Każda ma odnośnik do rezygnacji.
notice-stop = Zrezygnuj
notice-stop-question = Zrezygnować?
notice-stop-monitor = Wiadomości o monitorze { $monitor } trafiają na { $address }.
notice-stop-feed = Nowe wpisy kanału { $feed } trafiają na { $address }.
notice-stop-monitors = Wiadomości o wszystkich monitorach, kanałach i zapisanych elementach trafiają na { $address }.
notice-stop-daily = Codzienna wiadomość i wiadomości o wszystkich monitorach, kanałach i zapisanych elementach trafiają na { $address }.
notice-stop-saved = Wiadomości o zapisanych elementach trafiają na { $address }.
notice-stop-account = Wiadomości o koncie (kredyty, logowania, klucze i aplikacje) trafiają na { $address }.
notice-stop-everything = Wiadomości o monitorach i koncie trafiają na { $address }.
notice-stopped-title = Zrezygnowano
notice-stopped = Zrezygnowano z wiadomości
notice-stopped-monitor = Wiadomości o monitorze { $monitor } nie są już wysyłane na { $address }.
notice-stopped-feed = Nowe wpisy kanału { $feed } nie są już wysyłane na { $address }.
notice-stopped-monitors = Wiadomości o monitorach, kanałach i zapisanych elementach nie są już wysyłane na { $address }.
notice-stopped-daily = Codzienna wiadomość i wiadomości o monitorach, kanałach i zapisanych elementach nie są już wysyłane na { $address }.
notice-stopped-saved = Wiadomości o zapisanych elementach nie są już wysyłane na { $address }.
notice-stopped-account = Wiadomości o koncie nie są już wysyłane na { $address }.
notice-stopped-everything = Wiadomości nie są już wysyłane na { $address }. Aby znów je otrzymywać, ponownie potwierdź adres.
notice-snooze = Uśpij
notice-snooze-question = Uśpić { $monitor }?
notice-snooze-channel = Wiadomości o tym monitorze trafiają do kanału { $channel }.
notice-snooze-words = Zmiany znalezione w tym czasie przyjdą potem w jednej wiadomości. W kanale i na stronie monitora są w całości.
notice-muted = Wyciszono
notice-muted-words = Wiadomości o { $monitor } nie są już wysyłane do { $channel }. Wybierz kanał powiadomień na stronie monitora, aby znów je otrzymywać.
notice-snoozed = Uśpiono
notice-snoozed-until = Następne wiadomości: { $time }.
notice-resumed = Wiadomości są znów wysyłane
notice-resumed-words = Wiadomości o { $monitor } są wysyłane do { $channel }.
notice-for-days =
    { $count ->
        [one] Na { $count } dzień
        [few] Na { $count } dni
       *[other] Na { $count } dni
    }
notice-resume = Wysyłaj znów
notice-mute = Wycisz ten monitor tutaj
notice-invalid-title = Nieważny odnośnik
notice-invalid = Ten odnośnik jest już nieważny
notice-invalid-words = Wysłano nowszy odnośnik albo jego przedmiot już nie istnieje.
