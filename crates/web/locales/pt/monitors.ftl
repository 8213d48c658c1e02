# List of monitors, and the states of a monitor.

monitors-deleted = Monitor excluído. O feed dele agora responde 410 Gone.
monitors-purpose = Um monitor verifica uma página, um mapa do site ou alguns valores em horários definidos e avisa das mudanças, aqui e em qualquer leitor de feeds.
monitors-api = Com a API:
monitors-groups = Grupos
monitors-lists = Importar e exportar
monitors-none-in-group = Nenhum monitor está neste grupo.
monitors-none-tagged = Nenhum monitor tem esta etiqueta.
monitors-pause-selected = Pausar selecionados
monitors-resume-selected = Retomar selecionados
monitors-pause-tagged = Pausar os { $count } com esta etiqueta
monitors-resume-tagged = Retomar os { $count } com esta etiqueta
monitors-usage = { $used } de { $most } monitores; restam { $left } de { $credits } créditos neste mês.
monitors-unchanged = sem mudança
monitors-change-selected = Alterar selecionados
monitors-add-tags = Adicionar etiquetas
monitors-remove-tags = Remover etiquetas
monitors-separated = Separadas por vírgulas.
monitors-also-notify = Avisar também por
monitors-no-longer-notify = Não avisar mais por
monitors-updated =
    { $count ->
        [one] { $count } monitor atualizado.
       *[other] { $count } monitores atualizados.
    }
monitors-left = Não atualizados: { $count }. Eles passam do limite do plano, têm etiquetas ou canais demais, ou não existem mais.
monitors-caption = Os seus monitores, os mais novos primeiro
monitors-select = Selecionar
monitors-select-named = Selecionar { $name }
monitors-last-change = Última mudança
monitors-next-run = Próxima execução
monitors-none-yet = ainda não houve
monitor-active = ativo
monitor-failed = com falha
monitor-paused = em pausa
monitor-over-plan = em pausa: acima do limite do plano
failure-selector-none = A parte vigiada não está na página
failure-selector = O seletor não pode ser avaliado na página
failure-settings = As configurações do monitor não são válidas
