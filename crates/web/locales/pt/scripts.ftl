# Texts of scripts: the list of keys, the notice of new entries, and buttons of reading pages.

keys-title = Teclas
script-close = Fechar
key-next = próxima entrada ou texto
key-previous = entrada ou texto anterior
key-open = abrir
key-next-page = próxima página de uma lista
key-back = voltar
key-mark = marcar como lido ou não lido
key-mark-previous = marcar como lido ou não lido e ir ao anterior
key-mark-all = marcar tudo como lido
key-star = marcar com estrela ou salvar
key-archive = arquivar
key-full = página completa
key-original-tab = original, em uma nova aba
key-original = original
key-attachment = ouvir a gravação ou abrir o arquivo
key-feed = entradas do feed
key-refresh = buscar agora os feeds da lista
key-follow = seguir um site
key-unfollow = deixar de seguir o feed
key-select = selecionar; com Shift e um clique: um intervalo
key-undo = desfazer
key-search = buscar
key-today = Hoje
key-unread = entradas não lidas
key-all = todas as entradas
key-read = entradas lidas
key-starred = entradas com estrela
key-feeds = feeds
key-collections = coleções
key-library = biblioteca
key-monitors = monitores
key-settings = ajustes
key-top = topo
key-close = fechar
key-help = estas teclas
copy-markdown = Copiar como Markdown
copy-markdown-done = Copiado.
copy-markdown-failed = Não foi possível copiar. Baixe o texto.
script-copy = Copiar
copy-done = Copiado
copy-failed = Não foi possível copiar
copy-failed-selected = Não foi possível copiar. O texto está selecionado.
script-share = Compartilhar…
note-jump = Ir para a nota
entries-new-count =
    { $count ->
        [one] { $count } nova entrada
       *[other] { $count } novas entradas
    }
entries-new-most = { $count } ou mais novas entradas
minutes-left =
    { $count ->
        [one] falta { $count } minuto
       *[other] faltam { $count } minutos
    }
