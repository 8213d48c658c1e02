# Pages behind links in messages: confirming an address, unsubscribing, and snoozing a monitor.

notice-confirm = Підтвердьте свою адресу
notice-confirm-words = Надсилати повідомлення від Carrel на { $address }? Про це попросив користувач цього сервісу.
notice-confirm-button = Підтвердити
notice-confirm-not-you = Якщо це були не ви, закрийте сторінку. Вам нічого не надійде.
notice-confirmed = Адресу підтверджено
notice-confirmed-words = Повідомлення тепер надсилаються на { $address }. У кожному є посилання для відписки.
notice-stop = Відписатися
notice-stop-question = Відписатися?
notice-stop-monitor = Повідомлення про монітор { $monitor } надходять на { $address }.
notice-stop-feed = Нові записи стрічки { $feed } надходять на { $address }.
notice-stop-monitors = Повідомлення про всі монітори, стрічки та збережені елементи надходять на { $address }.
notice-stop-daily = Щоденний лист і повідомлення про всі монітори, стрічки та збережені елементи надходять на { $address }.
notice-stop-saved = Повідомлення про збережені елементи надходять на { $address }.
notice-stop-account = Повідомлення про обліковий запис (кредити, входи, ключі й застосунки) надходять на { $address }.
notice-stop-everything = Повідомлення про монітори й обліковий запис надходять на { $address }.
notice-stopped-title = Відписано
notice-stopped = Вас відписано
notice-stopped-monitor = Повідомлення про монітор { $monitor } більше не надсилаються на { $address }.
notice-stopped-feed = Нові записи стрічки { $feed } більше не надсилаються на { $address }.
notice-stopped-monitors = Повідомлення про монітори, стрічки та збережені елементи більше не надсилаються на { $address }.
notice-stopped-daily = Щоденний лист і повідомлення про монітори, стрічки та збережені елементи більше не надсилаються на { $address }.
notice-stopped-saved = Повідомлення про збережені елементи більше не надсилаються на { $address }.
notice-stopped-account = Повідомлення про обліковий запис більше не надсилаються на { $address }.
notice-stopped-everything = Повідомлення більше не надсилаються на { $address }. Щоб знову їх отримувати, підтвердьте адресу ще раз.
notice-snooze = Відкласти
notice-snooze-question = Відкласти { $monitor }?
notice-snooze-channel = Повідомлення про цей монітор надходять у канал { $channel }.
notice-snooze-words = Зміни, знайдені за цей час, надійдуть потім одним повідомленням. У стрічці й на сторінці монітора вони лишаються повністю.
notice-muted = Заглушено
notice-muted-words = Повідомлення про { $monitor } більше не надсилаються в { $channel }. Виберіть канал на сторінці монітора, щоб знову їх отримувати.
notice-snoozed = Відкладено
notice-snoozed-until = Наступні повідомлення: { $time }.
notice-resumed = Повідомлення знову надсилаються
notice-resumed-words = Повідомлення про { $monitor } надсилаються в { $channel }.
notice-for-days =
    { $count ->
        [one] На { $count } день
        [few] На { $count } дні
       *[other] На { $count } днів
    }
notice-resume = Надсилати знову
notice-mute = Заглушити цей монітор тут
notice-invalid-title = Посилання недійсне
notice-invalid = Це посилання вже недійсне
notice-invalid-words = Надіслано новіше посилання, або того, чого воно стосується, вже немає.
