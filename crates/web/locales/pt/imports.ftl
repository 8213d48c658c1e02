# Import of files into the library.

import-words = Você pode importar favoritos, exportações de serviços de leitura posterior, destaques de leitores, referências, listas de URLs e exportações do próprio Carrel.
import-checked-first = Primeiro o arquivo é verificado. Você vê o que seria importado e depois decide.
import-file = Arquivo
import-format = Formato
import-detect = Detectar
import-include = De uma exportação do Carrel, importar também feeds, monitores, configurações, regras e posições
import-check = Verificar arquivo
import-fields = O que é importado de cada formato
import-servers = <1>Importar de um servidor</1> do Karakeep, wallabag, linkding, Readeck, Miniflux, FreshRSS, Readwise, Raindrop ou Pinboard.
import-opml = Importe feeds <1>como OPML</1>.
import-folders = Pastas
import-folders-path = Uma etiqueta com o caminho
import-folders-tags = Uma etiqueta por pasta
import-folders-none = Sem etiquetas
import-undone = Importação desfeita.
import-no-rows = Nenhuma linha pode ser repetida.
import-no-file = O arquivo ou a lista das linhas não está mais guardado. Importe-o de novo: o que existe não é adicionado duas vezes.
import-reloads = Esta página recarrega até terminar. Você pode sair e voltar.
import-rows-checked = Linhas verificadas
import-removed = Tudo o que a importação adicionou foi removido, exceto itens que você alterou desde então.
import-can-undo = Você pode desfazer esta importação. A opção expira { $time }. Os itens que você alterou ficam, assim como os acréscimos aos que já tinha.
import-heading-undoing = Desfazendo a importação
import-heading-checking = Verificando o arquivo
import-heading-running = Importando
import-heading-preview = Prévia da importação
import-heading-undone = Importação desfeita
import-heading-finished = Importação concluída
import-heading-stopped = Importação interrompida
import-heading-failed = A importação falhou
import-you-stopped = Você interrompeu a importação antes do fim.
import-unknown-format = O arquivo não contém dados neste formato. Escolha outro formato ou a detecção automática.
import-damaged = O arquivo está danificado ou não é do tipo que diz ser.
import-too-large = O arquivo é grande demais, tem linhas demais ou contém uma linha que ocupa memória demais.
import-incomplete = Não foi possível concluir a importação.
import-rows = Linhas
import-would-be-new = Seriam novos
import-new = Novos
import-existing = Já existiam
import-skipped = Ignorados
import-failed = Com falha
import-annotations = Notas e destaques
import-part-feed-settings = Configurações de feeds
import-part-rules = Regras
import-part-templates = Modelos de mensagens
import-part-account-settings = Definições da conta
import-part-positions = Posições
import-parts-uncounted = Feeds, monitores, configurações, regras e posições também serão importados. Eles são contados durante a importação.
import-problems =
    { $count ->
        [one] { $count } problema
       *[other] { $count } problemas
    }
import-problems-first =
    { $count ->
        [one] O primeiro problema
       *[other] Os primeiros { $count } problemas
    }
import-row-reason = Linha { $row }: { $reason }
import-stop = Interromper
import-to-library = Ir para a biblioteca
import-retry = Repetir falhas
import-from-server = Importar de um servidor
import-continue = Continuar
import-other-file = Escolher outro arquivo
import-undo = Desfazer importação
import-rows-gone = As linhas não são mais listadas, porque importações mais novas precisam do espaço.
import-no-match = Nenhuma linha corresponde.
import-more-rows = Mais linhas
import-download-rows = Baixar todas as linhas como CSV
import-with-problems = Com problemas
import-annotation = Nota ou destaque
import-untitled = Sem título
import-row = Linha { $row }
import-columns = Colunas
import-columns-words = É isto que o Carrel propõe para cada coluna do arquivo. Se você mudar um campo, verifique o arquivo de novo antes de importar.
import-check-again = Verificar de novo
