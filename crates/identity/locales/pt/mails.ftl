# Mails about an account.

reset-subject = Defina uma nova senha para o Carrel
reset-body =
    Alguém pediu uma nova senha para a conta { $email } em { $origin }.

    Se foi você, abra este link dentro de uma hora. Ele vale até que uma senha seja definida.

    { $link }

    Se não foi você, ignore este e-mail. Nada muda enquanto o link não for usado.
grant-made-subject = Um aplicativo foi conectado à sua conta do Carrel
grant-made-event = Um aplicativo recebeu permissão para usar a sua conta em { $origin }.
grant-made-advice =
    Se foi você, não há nada a fazer. Se não foi, encerre o acesso dele e defina uma nova senha:

    { $link }
grant-reused-subject = O acesso de um aplicativo à sua conta do Carrel foi encerrado
grant-reused-event = Um token deste aplicativo foi usado uma segunda vez, o que acontece se ele foi copiado. O acesso do aplicativo foi encerrado imediatamente, com todos os seus tokens.
grant-reused-advice =
    Se você ainda usa o aplicativo, conecte-o de novo. Atividade recente dos seus aplicativos e chaves:

    { $link }
grant-name = Nome informado pelo aplicativo: “{ $name }” (não verificado)
grant-host = Retorna para: { $host }
grant-reads = Permissões: ler
grant-changes = Permissões: ler e alterar
grant-time = Permitido: { $time }
email-request = Uma pessoa com uma conta em { $origin } quer usar este endereço de e-mail para ela.
email-taken-subject = Este endereço de e-mail já tem uma conta
email-taken-advice = O endereço já tem uma conta lá, então nada foi alterado. Se foi você, entre com este endereço ou exclua antes aquela conta. Se não foi você, ignore este e-mail.
email-confirm-subject = Confirme o seu novo endereço de e-mail para o Carrel
email-confirm-advice =
    Se foi você, abra este link dentro de um dia e pressione o botão:

    { $link }

    Se não foi você, ignore este e-mail. Nada muda enquanto o link não for usado.
email-changed-subject = O endereço de e-mail da sua conta do Carrel foi alterado
email-changed-body =
    O endereço de e-mail da sua conta em { $origin } foi alterado de { $before } para { $after }.

    Se foi você, troque o endereço antigo nos seus aplicativos de feeds e leitores eletrônicos. Aplicativos Fever precisam de uma nova chave de API.

    Se não foi você, abra este link dentro de 7 dias. Ele restaura este endereço e define uma nova senha:

    { $link }
team-subject = Convite para uma equipe no Carrel
team-body =
    A pessoa titular da conta { $owner } em { $origin } convida você para uma equipe e compartilha páginas salvas com ela.

    Para participar, abra este link dentro de 7 dias. Você precisa de uma conta lá:

    { $link }

    Se você não conhece o remetente, ignore este e-mail.
