# Groups, lists, and changes of monitors, and the forms that edit, copy, and delete one.

groups-heading = Grupos de monitores
groups-deleted = Grupo excluído. Os monitores dele mantêm suas configurações.
groups-words = Os monitores de um grupo compartilham configurações, como intervalo, horas silenciosas e canais. Um grupo pode ter página e feed públicos.
groups-public = público
groups-new = Novo grupo
groups-create = Criar grupo
groups-count =
    { $count ->
        [one] { $count } monitor
       *[other] { $count } monitores
    }
groups-in-group = { $link } neste grupo.
group-made = Grupo criado. Escolha-o no formulário de um monitor, ou para monitores selecionados na lista.
group-saved = Grupo salvo.
group-title = Grupo
group-publish = Página e feed públicos
group-publish-words = Qualquer pessoa com o link pode ler os nomes dos monitores e as mudanças. Se você desativar isto, os links param de funcionar para sempre.
group-new-monitor = Novo monitor aqui
group-shared-words = As configurações compartilhadas valem para cada monitor do grupo, a menos que ele tenha as suas. Se você deixar de compartilhar uma, cada monitor mantém o valor dela.
group-check = Verificar
group-own-interval = a configuração de cada monitor
group-share-days = Compartilhar estes dias e horários
group-share-channels = Compartilhar estes canais
group-page = Página pública
group-page-words = Qualquer pessoa com este link pode ler a página. Se ela for privada, trate o link como uma senha.
group-page-link = Link da página
group-delete-question = Excluir o grupo { $name }?
group-delete-words = Os monitores ficam, com as configurações atuais. A página e o feed públicos param de funcionar para sempre.
group-delete = Excluir grupo
duplicate-name = { $name } (cópia)
duplicate-heading = Duplicar { $name }
duplicate-words = A cópia tem todas as configurações deste monitor e vigia outro endereço. Você pode editá-la depois.
duplicate-create = Criar cópia
lists-heading = Importar e exportar monitores
lists-words = Um backup do changedetection.io (ZIP), uma lista do urlwatch (urls.yaml) ou uma exportação deste serviço. Os monitores que você já tem não mudam.
lists-download = Baixar monitores (JSON)
lists-imported = Seus monitores foram importados
lists-program = O arquivo é uma lista de { $program }.
lists-new = Novos
lists-existing = Existentes
lists-refused = Não importados
lists-not-read = Não lidos
lists-not-read-words = Alguns monitores não foram lidos: estão com defeito, ou a lista tem mais de 1000.
lists-show = Ver monitores
lists-line-new = { $monitor }: novo
lists-line-existing = { $monitor }: já existia
lists-line-refused = { $monitor }: não importado. { $reason }
lists-without = Sem: { $settings }
changes-search = Buscar nas mudanças
changes-no-match-newest = Nenhum resultado entre as mudanças mais recentes.
changes-no-match = Nenhuma mudança corresponde.
changes-older = Mudanças anteriores
monitor-edit-heading = Editar { $name }
monitor-edit-preview-empty = A prévia mostra quais mudanças passadas seriam avisadas com estas configurações.
monitor-edit-baseline = Se você mudar o endereço ou o que é vigiado nele, a próxima execução é a nova referência.
monitor-edit-preview = Testar com o passado
monitor-edit-replayed =
    { $count ->
        [one] Com estas configurações, { $left } de { $count } última mudança teria sido avisada.
       *[other] Com estas configurações, { $left } das últimas { $count } mudanças teriam sido avisadas.
    }
monitor-edit-reported = avisada: { $change }
monitor-edit-not-reported = não avisada: { $change }
monitor-edit-unknown = desconhecida: { $change }
monitor-edit-past = Mudanças passadas
monitor-rotate-question = Substituir o link do feed de { $name }?
monitor-rotate-words = O link atual do feed e todos os links de mudanças param de funcionar na hora. Leitores de feeds precisam do novo link. O monitor e a página que ele verifica não mudam.
monitor-rotate = Substituir link
monitor-delete-question = Excluir { $name }?
monitor-delete-words = As execuções e mudanças são excluídas, e o feed responde 410 Gone. Isto não pode ser desfeito.
monitor-delete-button = Excluir monitor
