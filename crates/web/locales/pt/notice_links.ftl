# Pages behind links in messages: confirming an address, unsubscribing, and snoozing a monitor.

notice-confirm = Confirme seu endereço
notice-confirm-words = Enviar mensagens do Carrel para { $address }? Um usuário deste serviço pediu isso.
notice-confirm-button = Confirmar
notice-confirm-not-you = Se não foi você, feche esta página. Nada será enviado a você.
notice-confirmed = Endereço confirmado
notice-confirmed-words = As mensagens agora são enviadas para { $address }. Cada uma tem um link para cancelar.
notice-stop = Cancelar inscrição
notice-stop-question = Cancelar inscrição?
notice-stop-monitor = Mensagens sobre o monitor { $monitor } vão para { $address }.
notice-stop-feed = Novas entradas do feed { $feed } vão para { $address }.
notice-stop-monitors = Mensagens sobre todos os monitores, feeds e itens salvos vão para { $address }.
notice-stop-daily = O e-mail diário e as mensagens sobre todos os monitores, feeds e itens salvos vão para { $address }.
notice-stop-saved = Mensagens sobre itens salvos vão para { $address }.
notice-stop-account = Mensagens da conta (créditos, acessos, chaves e aplicativos) vão para { $address }.
notice-stop-everything = Mensagens sobre monitores e a conta vão para { $address }.
notice-stopped-title = Inscrição cancelada
notice-stopped = Sua inscrição foi cancelada
notice-stopped-monitor = Mensagens sobre o monitor { $monitor } não são mais enviadas para { $address }.
notice-stopped-feed = Novas entradas do feed { $feed } não são mais enviadas para { $address }.
notice-stopped-monitors = Mensagens sobre monitores, feeds e itens salvos não são mais enviadas para { $address }.
notice-stopped-daily = O e-mail diário e as mensagens sobre monitores, feeds e itens salvos não são mais enviados para { $address }.
notice-stopped-saved = Mensagens sobre itens salvos não são mais enviadas para { $address }.
notice-stopped-account = Mensagens da conta não são mais enviadas para { $address }.
notice-stopped-everything = Mensagens não são mais enviadas para { $address }. Para recebê-las de novo, confirme o endereço novamente.
notice-snooze = Adiar
notice-snooze-question = Adiar { $monitor }?
notice-snooze-channel = Mensagens sobre este monitor vão para o canal { $channel }.
notice-snooze-words = As mudanças encontradas nesse período chegam depois em uma mensagem. Elas ficam completas no feed e na página do monitor.
notice-muted = Silenciado
notice-muted-words = Mensagens sobre { $monitor } não são mais enviadas para { $channel }. Selecione o canal na página do monitor para recebê-las de novo.
notice-snoozed = Adiado
notice-snoozed-until = Próximas mensagens: { $time }.
notice-resumed = As mensagens são enviadas de novo
notice-resumed-words = Mensagens sobre { $monitor } são enviadas para { $channel }.
notice-for-days =
    { $count ->
        [one] Por { $count } dia
       *[other] Por { $count } dias
    }
notice-resume = Enviar de novo
notice-mute = Silenciar este monitor aqui
notice-invalid-title = Link inválido
notice-invalid = Este link não é mais válido
notice-invalid-words = Um link mais novo foi enviado, ou o assunto dele não existe mais.
