# Messages to the channels of an account.

credits-most-title = 80 % dos créditos de monitores deste mês foram usados
credits-most-text = { $used } de { $limit } créditos foram usados. Quando não restar nenhum, os monitores esperam o mês seguinte.
credits-none-title = Os créditos de monitores deste mês acabaram
credits-none-text = Os monitores sem créditos voltam a ser executados na primeira hora do mês seguinte.
sign-in-title = Novo acesso à sua conta
sign-in-text = Um navegador que ainda não tinha sido usado com esta conta entrou a partir de { $network }: { $time }. Se foi você, não há nada a fazer. Se não foi, defina uma nova senha.
factor-added-title = Um segundo fator foi adicionado à sua conta
passkey-added-title = Uma chave de acesso foi adicionada à sua conta
single-sign-on-added-title = O login único foi conectado à sua conta
single-sign-on-removed-title = O login único foi desconectado da sua conta
factor-removed-title = O segundo fator da sua conta foi removido
sign-in-changed-text = Data: { $time }. Se foi você, não há nada a fazer. Se não foi, defina uma nova senha.
key-title = Uma chave de API foi criada
key-text = O nome dela é “{ $name }”. Se você não a criou, revogue-a e defina uma nova senha.
app-title = Um aplicativo foi conectado à sua conta
app-text = Ele se chama “{ $app }”; este nome não foi verificado. Se você não o permitiu, encerre o acesso dele e defina uma nova senha.
off-title = O canal “{ $name }” foi desligado
off-gone = Ele respondeu que não quer mais mensagens (410).
off-refused = O servidor de e-mail diz que este endereço não existe.
off-failing = Nenhuma mensagem pôde ser entregue durante três dias.
off-text = { $why } As mensagens são guardadas por sete dias e enviadas quando o canal é ligado de novo.
plan-title =
    { $count ->
        [one] { $count } canal foi desligado
       *[other] { $count } canais foram desligados
    }
plan-text = Canais ativos que o seu plano permite: { $limit }. Os mais novos foram desligados: { $names }. As mensagens deles são guardadas por sete dias.
quoted = “{ $name }”
test-title = Teste deste canal
test-text = É assim que as mensagens do Carrel chegam.
digest-title = O que aconteceu até { $date }
today-unread = Não lidas
today-changes = Mudanças
today-started = Continuar a ler
today-saved = Salvos recentemente
today-waiting = Salvos há muito tempo
today-this-day = Neste dia
today-attention = Precisa da sua atenção
today-highlights = Destaques para revisar
today-review =
    { $count ->
        [one] { $count } destaque para revisar hoje.
       *[other] { $count } destaques para revisar hoje.
    }
stop-link = Cancelar inscrição
several-title = Várias mudanças
entries-title =
    { $count ->
        [one] { $count } nova entrada
       *[other] { $count } novas entradas
    }
item-saved-title = Salvo: { $title }
items-saved-title =
    { $count ->
        [one] { $count } item foi salvo
       *[other] { $count } itens foram salvos
    }
missed-title = O que este canal perdeu
collected-count =
    { $count ->
        [1] Uma mensagem:
       *[other] { $count } mensagens:
    }
more = E mais { $count }.
more-short = e mais { $count }
snooze = Adiar ou silenciar este monitor: { $link }
snooze-short = Adiar ou silenciar: { $link }
template-failed = (O modelo deste canal falhou. { $error }.)
stop = Para não receber mais estas mensagens: { $link }
confirm-subject = Confirme este endereço para mensagens do Carrel
confirm-body =
    Uma pessoa com uma conta em { $origin } quer que as mensagens dessa conta sejam enviadas a este endereço.

    Se for você, abra este link e pressione o botão:

    { $link }

    Se não for, não faça nada: nada será enviado a você.
