# Texts of scripts: the list of keys, the notice of new entries, buttons of reading pages, listening, offline reading,
# passkeys, and pictures of quotes.

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
key-next-paragraph = próximo parágrafo
key-previous-paragraph = parágrafo anterior
key-highlight = destacar as palavras selecionadas ou o parágrafo
key-highlight-note = destacar com uma nota
key-passage = usar o modelo de linguagem nas palavras selecionadas ou no parágrafo
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
listen-pause = Pausa
listen-continue = Continuar
listen-previous = Parágrafo anterior
listen-next = Parágrafo seguinte
listen-next-text = Próximo texto
listen-all = Ouvir tudo
listen-voice = Voz
listen-voice-any = Automática
listen-failed = Este navegador não conseguiu ler o texto em voz alta.
stored-not-possible = Este navegador não pode guardar textos. Precisa de uma ligação segura (https) a este servidor.
stored-not-allowed = Este navegador não permite guardar textos.
stored-count = Textos guardados neste navegador: { $stored } de { $count } ({ $size }).
queued-text = Texto
queued-waiting = À espera de uma ligação.
queued-remove = Remover
queued-removed = Removido.
queued-stored = Guardado. É enviado quando houver ligação.
queued-highlight-stored = O destaque está guardado. É enviado quando houver ligação.
queued-not-stored = Não foi possível guardar. Ligue-se para enviar o que está pendente.
queued-failed = Não efetuado: { $reason }
queued-show = Mostrar
queued-reload = Recarregar
queued-sent-count =
    { $count ->
        [one] { $count } alteração feita sem ligação foi enviada.
       *[other] { $count } alterações feitas sem ligação foram enviadas.
    }
queued-failed-count =
    { $count ->
        [one] { $count } alteração feita sem ligação não pôde ser efetuada.
       *[other] { $count } alterações feitas sem ligação não puderam ser efetuadas.
    }
passkey-unsupported = Este navegador não é compatível com chaves de acesso.
passkey-exists = Este dispositivo já tem uma chave de acesso da sua conta.
passkey-not-given = O navegador não forneceu nenhuma chave de acesso. Tente de novo.
picture-of-quote = Como imagem
picture-description = A citação com a sua fonte
picture-failed = Não foi possível criar a imagem.
picture-download = Descarregar imagem
picture-share = Partilhar imagem…
picture-share-failed = Não foi possível partilhar. Descarregue a imagem.
picture-shortened = A citação é demasiado longa para uma imagem, por isso a imagem tem só o início.
