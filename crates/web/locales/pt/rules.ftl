# Rules for new entries.

rules-made = Regra criada. Ela verifica cada nova entrada.
rules-applied = Regra criada e aplicada às suas entradas não lidas.
rules-deleted = Regra excluída. As entradas que ela silenciava voltaram às suas listas. As descartadas não podem ser restauradas.
rules-of = Regras de { $feed }
rules-for-all = Regras para todos os feeds
rules-words = Uma regra verifica cada nova entrada. Ela pode descartá-la, silenciá-la, marcá-la como lida, protegê-la de outras regras, dar-lhe uma estrela, salvá-la na sua biblioteca ou enviá-la para canais.
rules-also-for-all = Também há <1>regras para todos os feeds</1>.
rules-single-feed = As regras de um único feed ficam na página dele.
rules-active = Regras ativas
rules-new = Nova regra
rules-muted-count = { $number } silenciadas
rules-dropped-count = { $number } descartadas
rules-starred-count = { $number } com estrela
rules-saved-count = { $number } salvas
rules-unsaved-count = { $number } não salvas, a última { $time }: { $reason }
rules-unsaved-daily-limit = as regras salvam no máximo { $most } entradas por dia
rules-unsaved-storage-limit = seu armazenamento está cheio
rules-unsaved-deleted = você excluiu este item
rules-unsaved-unavailable = a entrada não pode ser salva
rules-unsaved-failed = não foi possível salvar após várias tentativas
rules-since = criada { $time }
rules-off = Desativada
rules-off-words = { $off } { $time }: demorava demais
rules-matches = Entradas que esta regra atinge
rules-nothing-to-test = Ainda não há entradas para testá-la.
rules-match-count = Das { $examined } entradas mais recentes, atinge { $matched }.
rules-nothing-changed = Nada mudou.
rules-would-drop = Elas seriam descartadas: contadas, e nunca nas suas listas, mesmo que você exclua a regra. Nada mudou ainda.
rules-would-mute = Elas seriam silenciadas: ocultas de listas, contadores e aplicativos. Nada mudou ainda.
rules-would-read = Elas seriam marcadas como lidas. Nada mudou ainda.
rules-would-keep = Elas seriam mantidas, mesmo se outra regra coincidir. Nada mudou ainda.
rules-would-star = Elas ganhariam uma estrela e seriam salvas na sua biblioteca, no máximo { $most } entradas por dia somando todas as regras. Nada mudou ainda.
rules-would-save = Elas seriam salvas na sua biblioteca, no máximo { $most } entradas por dia somando todas as regras. Nada mudou ainda.
rules-would-notify = Novas entradas como estas seriam enviadas para os canais. As que já existem não são enviadas. Nada mudou ainda.
rules-more = E mais { $number }.
rules-delete-question = Excluir esta regra?
rules-too-slow = Esta regra foi desativada porque demorava demais em novas entradas. Exclua-a e crie uma mais simples.
rules-has-dropped =
    { $count ->
        [one] Ela descartou { $count } entrada. Entradas descartadas não podem ser restauradas.
       *[other] Ela descartou { $count } entradas. Entradas descartadas não podem ser restauradas.
    }
rules-has-muted-none = Ela ainda não silenciou nenhuma entrada.
rules-has-muted =
    { $count ->
        [one] Ela silenciou { $count } entrada. Se você excluir a regra, ela volta às suas listas.
       *[other] Ela silenciou { $count } entradas. Se você excluir a regra, elas voltam às suas listas.
    }
rules-stay-changed = As entradas que ela alterou ficam como estão.
rules-delete = Excluir regra
rules-pattern = Palavras, expressão ou data
rules-pattern-hint = Maiúsculas e minúsculas são iguais. Uma expressão é uma expressão regular, como \boferta\b ou ^(Anúncio|Patrocinado):. Para arquivos, digite um tipo de mídia ou um endereço, como audio. Para datas, digite 7d (os últimos 7 dias), >7d (mais antigas), before:2026-01-31, after:2026, between:2026-01,2026-03 ou future.
rules-tags-hint = Só para Salvar. Opcional, separadas por vírgulas. Se várias regras salvam uma entrada, valem as { $rules } mais antigas, com no máximo { $tags } etiquetas ao todo.
rules-channels = Canais
rules-channels-hint = Só para “Enviar para canais”. Entradas que uma regra descarta, silencia ou marca como lidas não são enviadas.
rules-channels-none = nenhum: foram excluídos
rules-action = Ação
rules-part = Procurar em
rules-kind = Correspondência
rules-unread-too = Aplicar também às entradas não lidas (as 500 mais recentes)
rules-preview = Ver resultados
rules-create = Criar regra
rules-drop = Descartar
rules-mute = Silenciar
rules-keep = Manter
rules-save = Salvar
rules-notify = Enviar para canais
rules-drop-note = não guardadas para você, só contadas
rules-mute-note = ocultas de todas as listas até você excluir a regra
rules-read-note = só na lista de todas as entradas
rules-keep-note = nenhuma outra regra as silencia ou marca
rules-star-note = com estrela e salvas na sua biblioteca
rules-save-note = salvas na sua biblioteca, com as etiquetas abaixo
rules-notify-note = enviadas para os canais abaixo, mesmo que o feed não tenha canais
rules-part-any = o título, o autor ou o texto
rules-part-title = o título
rules-part-author = o autor
rules-part-text = o texto do feed
rules-part-url = o endereço
rules-part-published = a data de publicação
rules-part-media = os arquivos anexados
rules-part-category = as categorias
rules-kind-words = Estas palavras exatas
rules-kind-expression = Uma expressão regular
rules-summary-words = { $action }: “{ $pattern }” em: { $part }
rules-summary-expression = { $action }: { $pattern } em: { $part }
