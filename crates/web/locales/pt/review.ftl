# Daily review of highlights.

review = Revisar destaques
review-due =
    { $count ->
        [one] { $count } destaque para revisar hoje.
       *[other] { $count } destaques para revisar hoje.
    }
review-start = Revisar agora
review-left =
    { $count ->
        [one] Falta { $count } hoje
       *[other] Faltam { $count } hoje
    }
review-soon = Em breve
review-later = Mais tarde
review-never = Nunca mais
review-rule =
    { $count ->
        [one] “Em breve” o traz de volta amanhã, “Mais tarde” em { $count } dia, e depois em intervalos cada vez maiores.
       *[other] “Em breve” o traz de volta amanhã, “Mais tarde” em { $count } dias, e depois em intervalos cada vez maiores.
    }
review-none = Nada para revisar hoje.
review-none-words = Um novo destaque é revisado no dia seguinte e volta em intervalos crescentes.
review-removed = Este destaque não será mais revisado. Você pode incluí-lo de novo na página do item.
highlight-review-again = Revisar de novo
item-highlight-resumed = Este destaque voltará a ser revisado.
review-frequency = Com que frequência esta fonte volta
review-frequency-more = Mais vezes
review-frequency-normal = Normal
review-frequency-less = Menos vezes
review-frequency-never = Nunca
review-frequency-saved = Frequência salva.
review-per-day = Destaques por dia
review-per-day-saved = Número salvo.
review-sources = Fontes que voltam mais ou menos vezes
review-sources-more = Só as { $count } mais recentes são listadas.
review-send = Enviar aos seus canais
review-send-words = Os destaques do dia são enviados sempre que houver algum, com links para os trechos.
review-send-to = Enviados todos os dias às { $time } para { $address }.
review-send-start = Enviar para { $address }
review-send-stop = Parar de enviar
review-send-at-hint = As mensagens sobre monitores e feeds para este canal também chegam então uma vez por dia, nesta mensagem.
review-send-none = <1>Adicione um canal</1> para recebê-los por e-mail ou em um chat.
review-send-started = Os destaques do dia serão enviados.
review-send-stopped = Os destaques do dia não serão mais enviados.
review-themes = Revisões temáticas
review-themes-words = Cada uma mostra seu próprio número de destaques por dia, além da revisão geral.
review-themes-edit = Adicionar ou alterar revisões temáticas
review-theme-new = Nova revisão temática
review-theme-name = Nome
review-theme-choose = Quais destaques
review-theme-tag = Com a etiqueta
review-theme-item = Da fonte
review-theme-search = Encontrados pela busca salva
review-theme-same = A fonte atual
review-theme-add = Adicionar
review-theme-delete = Excluir revisão
review-theme-stay = Os destaques dela permanecem.
review-theme-created = Revisão temática adicionada.
review-theme-changed = Revisão temática alterada.
review-theme-deleted = Revisão temática excluída.
review-theme-no-search = A busca salva foi excluída. Escolha outros destaques.
review-theme-no-item = A fonte foi excluída.
card = Cartão de revisão
card-make = Criar um cartão
card-change = Alterar o cartão
card-words = Na revisão, o cartão pergunta primeiro, e um toque mostra a resposta. Um destaque tem um só cartão: ao salvar, ele é substituído.
card-gaps = Ocultar palavras
card-gaps-rule = Palavras a ocultar
card-gaps-first = Só as primeiras { $count } palavras são listadas.
card-gaps-written = Outras partes a ocultar, uma por linha
card-gaps-save = Salvar lacunas
card-question = Fazer uma pergunta
card-question-label = Pergunta
card-answer = Resposta
card-question-save = Salvar pergunta
card-delete = Excluir cartão
card-saved = Cartão salvo.
card-deleted = Cartão excluído.
card-unfit = O cartão não corresponde às palavras do destaque e por isso não oculta nada. Escolha de novo as lacunas.
card-show-answer = Mostrar resposta
