# Families and teams.

teams-heading = Família e equipes
teams-left = Você saiu da equipe.
teams-deleted = Equipe excluída. O que você compartilhava é só seu de novo.
teams-words = Compartilhe etiquetas da sua biblioteca e as mudanças de monitores com pessoas que você conhece. Você decide quem lê e quem também adiciona páginas.
teams-new = Nova equipe
teams-name-hint = Por exemplo, “Família”. Os membros o veem.
teams-create = Criar equipe
teams-member-of = Você é membro de
teams-membership-reader = Dono: { $owner }. Você pode ler. { $link }
teams-membership-editor = Dono: { $owner }. Você pode ler, e adicionar e remover páginas. { $link }
teams-shared = Compartilhado com você
teams-leave = Sair
teams-leave-named = Sair de “{ $name }”
teams-yours = Suas equipes
teams-no-members = ainda sem membros
teams-members-count =
    { $count ->
        [one] { $count } membro
       *[other] { $count } membros
    }
teams-join-title = Entrar em uma equipe
teams-join-reader = { $owner } convida você para a equipe { $team }. Você pode ler o que o dono compartilha. Ele verá seu e-mail, { $email }. Você pode sair a qualquer momento.
teams-join-editor = { $owner } convida você para a equipe { $team }. Você pode ler o que o dono compartilha, e adicionar e remover páginas. O dono verá seu e-mail, { $email }. Você pode sair a qualquer momento.
teams-join = Entrar
team-title = Equipe
team-members = Membros
team-invite-heading = Convidar alguém
team-tags = Etiquetas compartilhadas
team-tags-words = Os membros veem as páginas com estas etiquetas: título, endereço, quando você as salvou e o começo do texto, se foi baixado do endereço. Notas, destaques e arquivos continuam privados.
team-monitors = Monitores compartilhados
team-monitors-words = Os membros veem os nomes e as mudanças destes monitores.
team-delete-link = Excluir equipe…
team-created = Equipe criada. Convide os membros.
team-invited = Convite criado. Expira em 7 dias e funciona uma vez.
team-revoked = Convite revogado. O link não funciona mais.
team-removed = Membro removido. Um link abaixo que você repassou funciona até você revogá-lo.
team-role-changed = Papel alterado.
team-sharing-changed = Compartilhamento alterado.
team-no-members = Ainda não há membros.
team-role = Papel
team-role-of = Papel de { $email }
team-change-role = Mudar o papel de { $email }
team-change = Mudar
team-reader = Leitor
team-editor = Editor: adiciona e remove páginas
team-mailed = Enviado a { $email }
team-link-to-pass = Link para repassar
team-as-reader = como leitor
team-as-editor = como editor
team-expires = expira { $time }
team-invitation-link = Link do convite
team-email-hint = Deixe vazio para receber um link que você mesmo repassa.
team-invite = Convidar
team-stop = Parar de compartilhar
team-stop-named = Parar de compartilhar “{ $name }”
team-tag = Etiqueta
team-share-tag = Compartilhar etiqueta
team-monitor = Monitor
team-share-monitor = Compartilhar monitor
team-delete-question = Excluir a equipe { $name }?
team-delete-words = Os membros perdem o acesso imediatamente. Suas etiquetas, itens e monitores ficam como estão.
team-delete = Excluir equipe
